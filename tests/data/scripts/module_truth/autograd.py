"""Compiled autograd, and a model that is called as a function of its parameters."""
import torch
import truth
from torch import nn
from torch.func import functional_call

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.LayerNorm(16), nn.Linear(16, 1))
parameters = {name: p.detach().clone().requires_grad_() for name, p in model.named_parameters()}


@torch.compile(backend=truth.backend)
def loss(parameters, x):
    return functional_call(model, parameters, (x,)).square().mean()


loss(parameters, torch.randn(4, 8)).backward()
torch._dynamo.reset()
torch._dynamo.config.compiled_autograd = True


@torch.compile(backend=truth.backend)
def step(x):
    model(x).sum().backward()


step(torch.randn(4, 8))
truth.modules(model)

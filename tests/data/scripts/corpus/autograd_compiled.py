"""Compiled autograd over two models and a hook: backward graphs of several shapes."""
import torch

torch._dynamo.config.compiled_autograd = True
a, b = torch.nn.Linear(3, 3), torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.Tanh())


@torch.compile(backend="aot_eager")
def train(net, x):
    net(x).sum().backward()


for net in (a, b):
    for n in (2, 3):
        train(net, torch.ones(n, 3))
a.weight.register_hook(lambda g: g * 2)
train(a, torch.ones(3, 3))

"""A training step and an inference with cpp_wrapper: the code that calls the kernels is C++ too, and holds them."""
import torch

torch._inductor.config.cpp_wrapper = True


def step(x, w):
    return torch.nn.functional.gelu(x @ w).sum()


def mutate(x, y):
    x.mul_(2)
    return torch.cat([x @ y, y.sin()])


torch.manual_seed(0)
x, w = torch.rand(8, 8), torch.rand(8, 8, requires_grad=True)
torch.compile(step)(x, w).backward()
with torch.no_grad():
    torch.compile(mutate)(x.clone(), x)

"""Transposed, expanded, sliced and aliased inputs of one function; a subclass and a parameter."""
import torch


@torch.compile(backend="aot_eager", dynamic=False)
def f(x, y):
    return x + y


a = torch.ones(4, 4)
f(a, a.clone())
f(a.t(), a.clone())
f(a[:, ::2], a[:, :2])
f(a, a)
f(torch.nn.Parameter(a), a.clone())
f(a.to(torch.float16), a.to(torch.float16))
f(a[0].expand(4, 4), a.clone())

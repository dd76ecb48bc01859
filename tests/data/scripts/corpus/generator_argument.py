"""A `torch.Generator` that reaches an operator, which has no place for it in a graph: on a line of the program, and in diffusers."""
import torch
from diffusers.utils.torch_utils import randn_tensor

gen = torch.Generator().manual_seed(0)


@torch.compile(backend="eager")
def own(x, gen):
    return x.sin() + torch.randn(x.shape, generator=gen)


@torch.compile(backend="eager")
def called(x, gen):
    y = x.cos() * 2
    return y + randn_tensor(y.shape, generator=gen, device=y.device, dtype=y.dtype)


@torch.compile(backend="eager")
def sized(x):
    return x + randn_tensor((x.shape[0], 2 * ((x.shape[1] - 1) // 2) + 2), device=x.device, dtype=x.dtype)


own(torch.ones(3, 4), gen)
called(torch.ones(3, 4), gen)
sized(torch.ones(3, 4))
try:
    sized(torch.ones(3, 6))
    sized(torch.ones(5, 8))
except Exception as error:
    print(type(error), str(error)[:300])

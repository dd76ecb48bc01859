"""torch.cond, while_loop and scan in compiled functions, with branches that close over tensors."""
import torch
from torch._higher_order_ops import while_loop


@torch.compile(backend="eager")
def choose(x, y):
    return torch.cond(x.sum() > 0, lambda a: a.sin() + y, lambda a: a.cos() - y, (x,))


@torch.compile(backend="eager")
def count(n, x):
    return while_loop(lambda i, a: i < n, lambda i, a: (i + 1, a * 2), (torch.tensor(0), x))


for size in (2, 4):
    choose(torch.ones(size), torch.ones(size))
    count(torch.tensor(3), torch.ones(size))
choose(torch.ones(4), torch.ones(()))

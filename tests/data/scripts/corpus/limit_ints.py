"""An int, a float and a string argument that differ in each call, up to the recompile limit."""
import torch


@torch.compile(backend="eager", dynamic=False)
def by_int(x, n):
    return x + n


@torch.compile(backend="eager")
def by_name(x, name):
    return x.sum() if name.startswith("s") else x * len(name)


for i in range(10):
    by_int(torch.ones(2), i)
    by_name(torch.ones(2), "s" * i or "none")

"""Functions with modes and options of their own: none of them is in the configuration that the metrics have."""
import torch


@torch.compile
def plain(x):
    return x.sin() + 1


@torch.compile(mode="reduce-overhead")
def graphs(x):
    return x.cos() + 2


@torch.compile(options={"max_fusion_size": 8, "epilogue_fusion": False})
def options(x, w):
    return (x * w).sum()


w = torch.ones(4, requires_grad=True)
for n in (4, 4):
    plain(torch.ones(n)), graphs(torch.ones(n))
    options(torch.ones(n), w).backward()

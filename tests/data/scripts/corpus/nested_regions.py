"""Layers marked as nested compile regions, conditions within conditions, and associative scans, at several sizes."""
import torch
from torch._higher_order_ops.associative_scan import associative_scan


@torch.compiler.nested_compile_region
def layer(x, w):
    return torch.nn.functional.gelu(x @ w) + x


@torch.compile(backend="aot_eager", fullgraph=True)
def stack(x, weights):
    for w in weights:
        x = layer(x, w)
    return x.sum()


@torch.compile(backend="eager", fullgraph=True)
def choose(x, low, high):
    def inner(x):
        return torch.cond(x.max() > high, lambda x: x.sin(), lambda x: x.cos(), (x,))
    return torch.cond(x.sum() > low, inner, lambda x: x * 2, (x,))


@torch.compile(backend="eager")
def running(x, reverse):
    return associative_scan(lambda a, b: a * 0.5 + b, x, dim=0, reverse=reverse, combine_mode="generic")


torch.manual_seed(0)
for depth, rows in ((2, 4), (2, 6), (3, 4)):
    stack(torch.randn(rows, 8, requires_grad=True), [torch.randn(8, 8) for _ in range(depth)]).backward()
for low in (0, 1, 2.5):
    choose(torch.randn(6), low, 0.5)
for rows, reverse in ((8, False), (12, False), (8, True)):
    running(torch.randn(rows, 2), reverse)

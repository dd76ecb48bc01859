"""Branches that depend on a tensor: of a bool, of an integer, in the test of a while loop; torch.cond with a branch that returns its input, and with copies."""
import torch


@torch.compile(backend="aot_eager")
def clamped(x):
    if x.isinf().any():
        x = x.clamp(-9, 9)
    return x * 2


@torch.compile(backend="aot_eager")
def counted(x):
    if (x > 0).sum():
        x = x / 2
    return x * 2


@torch.compile(backend="aot_eager")
def halved(x):
    while x.sum() > 4:
        x = x / 2
    return x


@torch.compile(backend="aot_eager")
def same(x):
    return torch.cond(x.sum() > 4, lambda x: x, lambda x: x * 2, (x,))


@torch.compile(backend="aot_eager")
def copied(x):
    return torch.cond(x.sum() > 4, lambda x: x.clone(), lambda x: x * 2, (x,))


@torch.compile(backend="aot_eager")
def changed(x):
    return torch.cond(x.sum() > 4, lambda x: x.add_(1) * 2, lambda x: x * 2, (x,))


@torch.compile(backend="aot_eager", fullgraph=True)
def whole(x):
    if x.sum() > 4:
        return x + 1
    return x - 1


for f in (clamped, counted, halved, same, copied, changed, whole):
    try:
        f(torch.ones(8))
    except Exception as error:
        print(f.__name__, type(error).__name__)

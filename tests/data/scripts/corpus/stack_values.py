"""Values from before a graph break: sizes that change alone and beside those of an argument, and a float."""
import torch


@torch._dynamo.disable
def padded(x):
    return x * 2


@torch._dynamo.disable
def drawn(n):
    return 1.0 / n


@torch.compile(backend="eager")
def masked(x, lens):
    return padded(x) + 1, lens + 1


@torch.compile(backend="aot_eager")
def clamped(x, n):
    most = drawn(n)
    return x.clamp(max=most)


for rows, columns in ((3, 15), (3, 21), (2, 21)):
    masked(torch.ones(rows, columns), torch.ones(rows))
for n in (3, 7, 9):
    clamped(torch.ones(4), n)

"""Results whose size depends on data: read with tolist() on their line or a later one, looped over, and only computed with."""
import torch


@torch.compile(backend="aot_eager")
def on_the_line(expert):
    counts = torch.bincount(expert, minlength=4).tolist()
    return [expert[:n].sum() for n in counts]


@torch.compile(backend="aot_eager")
def later(x):
    rows = torch.nonzero(x > 0).squeeze(1)
    return x * 2, rows.tolist()


@torch.compile(backend="aot_eager")
def masked(x):
    kept = x[x > 0]
    total = kept.sum() * 2
    return total, kept.tolist()


@torch.compile(backend="aot_eager")
def counted(x):
    counts = torch.bincount(x, minlength=4)
    return counts * 2


@torch.compile(backend="aot_eager")
def total_listed(x):
    kept = x[x > 0]
    return kept.sum().tolist()


x = torch.tensor([3, 1, 0, 1, 2, 3])
for f in (on_the_line, later, masked, counted, total_listed):
    f(x)

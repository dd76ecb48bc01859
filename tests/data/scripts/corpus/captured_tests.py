"""Values and sizes that depend on data: tested on their line, tested on the next one, not tested; and a GRU in a graph."""
import torch


@torch.compile(backend="eager")
def on_the_line(x):
    if x.sum().item() > 2:
        return x + 1
    return x - 1


@torch.compile(backend="eager")
def truth(x):
    every = bool((x > 0).all())
    return x * 2 if every else x


@torch.compile(backend="eager")
def next_line(x):
    rows = x.nonzero().flatten()
    if rows.numel():
        return x[rows]
    return x


@torch.compile(backend="eager")
def untested(x):
    return x[x > 0] * x.sum().item()


gru = torch.nn.GRU(3, 4)


@torch.compile(backend="eager")
def recurrent(x):
    return gru(x.reshape(1, 1, 3) + 1)[0] * 2


with torch.no_grad():
    for f in (on_the_line, truth, next_line, untested, recurrent):
        f(torch.ones(3))

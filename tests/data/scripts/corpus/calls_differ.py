"""Lists that each call adds to, counters of modules, two modules behind one frame, blocks of several widths, and calls
that differ in more than one way."""
import torch
from torch import nn
from torch.func import grad, vmap

LOG = []
x = torch.ones(2, 4)


class Keeps(nn.Module):
    def __init__(self):
        super().__init__()
        self.history = []
        self.linear = nn.Linear(4, 4)

    def forward(self, x):
        y = self.linear(x)
        self.history.append(y.detach())
        return y


class Counts(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.linear = nn.Linear(4, 1)

    def forward(self, x):
        self.calls += 1
        return self.linear(x)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return self.linear(x).relu()


counts, other = Counts(), Counts()


@torch.compile(backend="eager")
def longer(x):
    y = x * len(LOG)
    LOG.append(1)
    return y


@torch.compile(backend="eager")
def slope(x):
    return vmap(grad(lambda v: counts(v).sum()))(x)


@torch.compile(backend="eager")
def step(x, t):
    return other(x) * torch.as_tensor(t)


@torch.compile(backend="eager")
def follow(x, cache):
    return x.sum() if cache is None else x + cache.sum()


@torch.compile(backend="eager")
def choose(x, patience, kind):
    y = x * patience if patience > 0 else x - 1
    return y + 1 if kind == "a" else y


keeps = torch.compile(Keeps(), backend="eager")
for rows in (2, 2, 3):
    keeps(x)
    longer(torch.ones(rows, 4))
    slope(x)
for t in (0.0, 0.25, 0.5, 0.75):
    step(x, t)
teacher = torch.compile(nn.Sequential(Block(4)), backend="eager")
student = torch.compile(nn.Sequential(Block(4), Block(4)), backend="eager")
with torch.no_grad():
    teacher(x)
student(x)
for block in [torch.compile(Block(width), backend="eager") for width in (4, 6, 8)]:
    block(torch.ones(2, block.linear.in_features))
follow(torch.ones(3, 4), None)
follow(torch.ones(4, 3).t(), x)
choose(torch.ones(5), 3, "a")
choose(torch.ones(6), 2, "b")
choose(torch.ones(7), 0, "b")

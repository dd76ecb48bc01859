"""A meter that a function changes before a graph break and reads behind it; one that the program changes; and one by name only."""
import torch


class Meter:
    def __init__(self):
        self.n, self.total = 0, 0.0

    def add(self, value):
        self.n += 1; self.total += value

    @property
    def mean(self):
        return self.total / self.n


meter, outer, hidden = Meter(), Meter(), Meter()


@torch.compile(backend="eager")
def evaluate(x):
    y = x * 2
    meter.add(y.mean().item())
    if not torch.isfinite(y).all():
        print("inf")
    return y / meter.mean


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.meter = Meter()

    def forward(self, x):
        y = x * 2
        self.meter.add(y.mean().item())
        if not torch.isfinite(y).all():
            print("inf")
        return y / self.meter.n


@torch.compile(backend="eager")
def outside(x):
    y = x * 2
    if not torch.isfinite(y).all():
        print("inf")
    return y / outer.n


def scaled(y):
    return y / hidden.n


@torch.compile(backend="eager")
def shadowed(x, other):
    y = x * 2
    other.add(y.mean().item())
    if not torch.isfinite(y).all():
        print("inf")
    return scaled(y)


net = torch.compile(Net(), backend="eager")
for step in range(4):
    x = torch.full((3,), float(step))
    evaluate(x)
    net(x)
    outer.add(1.0)
    outside(x)
    hidden.add(1.0)
    shadowed(x, Meter())

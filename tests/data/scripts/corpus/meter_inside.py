"""A meter that counts in compiled code: behind a graph break, without one, and one that the program calls outside."""
import torch


class Meter:
    def __init__(self):
        self.count, self.values = 0, {}

    def add(self, **values):
        self.count += 1
        for name, value in values.items():
            self.values.setdefault(name, []).append(value)


meter, plain, outer = Meter(), Meter(), Meter()
rows = []


@torch.compile(backend="eager")
def metered(x):
    y = x * 2
    meter.add(loss=y.mean().item())
    return y + 1


@torch.compile(backend="eager")
def listed(x):
    y = x * 2
    rows.append(y.mean().item())
    return y + 1


@torch.compile(backend="eager")
def counted(x):
    plain.add(size=x.dim())
    return x + 1


@torch.compile(backend="eager")
def left(x):
    y = x * 2
    part = y.mean().item()
    return y + 1, part


for step in range(5):
    x = torch.full((3,), float(step))
    metered(x)
    listed(x)
    counted(x)
    outer.add(loss=left(x)[1])

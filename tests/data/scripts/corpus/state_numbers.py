"""Integers, floats and sizes that change in the same calls: attributes of modules and other objects, and arguments."""

import torch

torch.manual_seed(0)


class Noise(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps, self.scale = 3, 0.5

    def forward(self, x):
        return x * self.scale + self.steps


class Schedule:
    def __init__(self):
        self.count, self.rate = 3, 0.5

    @torch.compile(backend="aot_eager")
    def apply(self, x):
        return x * self.rate + self.count

    @torch.compile(backend="aot_eager")
    def limited(self, x):
        return x.clamp(max=self.rate) + self.count


@torch.compile(backend="aot_eager")
def mix(x, count, weight):
    return x * weight + count


@torch.compile(backend="aot_eager")
def counted(x, count, weight):
    return x.clamp(max=weight) + count


@torch.compile(backend="aot_eager")
def several(x, y, low, high):
    return x.clamp(max=low).sum() + (y * high).sum()


noise, schedule = Noise(), Schedule()
compiled = torch.compile(noise, backend="aot_eager")
for n, count, rate in ((4, 3, 0.5), (6, 5, 0.7), (9, 8, 0.9), (9, 11, 1.3), (12, 11, 1.7), (15, 13, 1.9)):
    noise.steps = schedule.count = count
    noise.scale = schedule.rate = rate
    compiled(torch.randn(n, 4))
    schedule.apply(torch.randn(n, 4))
    schedule.limited(torch.randn(n, 4))
    mix(torch.randn(n, 4), count, rate)
    counted(torch.randn(4, 4), count, rate)
for rows, columns, low, high in ((4, 5, 0.5, 0.1), (6, 5, 0.6, 0.1), (6, 8, 0.7, 0.1), (6, 9, 0.8, 0.3), (6, 9, 0.9, 0.3)):
    several(torch.randn(rows, 4), torch.randn(columns, rows), low, high)

"""Closures made in a loop, default arguments that change, a global counter, and a method of several objects."""
import torch

STEPS = 0


class Scaler:
    def __init__(self, k):
        self.k = k

    @torch.compile(backend="eager")
    def apply(self, x):
        return x * self.k


@torch.compile(backend="eager")
def call(fn, x):
    return fn(x) + STEPS


def make(n):
    return lambda x: x + n


x = torch.ones(3)
for STEPS in range(3):
    call(make(STEPS), x)
call(torch.sin, x)
for k in (1, 2, 2.5):
    Scaler(k).apply(x)

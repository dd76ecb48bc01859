"""Names of frames: lambdas, closures, functools.partial, methods of several instances, a ModuleList, one function from two lines, two of one name."""
import functools

import frames_other
import torch

compiled = functools.partial(torch.compile, backend="eager")


def helper(x):
    return x.sin()


def scaled(k, x):
    return x * k


def make(k):
    def closed(x):
        return x + k

    return closed


class Layer(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.weight = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        return x * self.weight + self.n


class Plain:
    def __init__(self, n):
        self.n = n

    def run(self, x):
        return x - self.n


def two_places(x):
    return x.cos()


x = torch.ones(3)
compiled(lambda t: t + 1)(x)
compiled(lambda t: t + 2)(x)
compiled(make(1))(x)
compiled(make(2))(x)
compiled(functools.partial(scaled, 2))(x)
compiled(functools.partial(scaled, 3))(x)
layers = torch.nn.ModuleList([Layer(1), Layer(2), Layer(3)])
for layer in layers:
    x = compiled(layer)(x)
for n in (1, 2):
    compiled(Plain(n).run)(x)
once = compiled(two_places)
once(torch.ones(4))
once(torch.ones(5))
compiled(helper)(x)
compiled(frames_other.helper)(x)

"""One compiled helper that gets lambdas, functools.partial objects and modules of other classes in loops, and a function that is compiled anew in each turn."""

import functools

import torch
from torch import nn


@torch.compile(backend="eager")
def apply(function, x):
    return function(x) + 1


@torch.compile(backend="eager")
def run_module(module, x):
    return module(x).relu()


def scaled(x, by, shift=0.0):
    return x * by + shift


def main():
    torch.manual_seed(0)
    x = torch.randn(4)
    for by in (2, 3, 4):
        print("lambda", by, apply(lambda t: t * by, x).sum().item())
    for by in (0.5, 1.5, 2.5):
        print("partial", by, apply(functools.partial(scaled, by=by), x).sum().item())
    for module in (nn.Linear(4, 4), nn.Linear(4, 2), nn.LayerNorm(4), nn.Linear(4, 4, bias=False), nn.Linear(4, 4)):
        print(type(module).__name__, run_module(module, x).shape)
    for turn in range(3):
        def step(t):
            return t.cos() + turn

        print("anew", torch.compile(step, backend="eager")(x).sum().item())


main()

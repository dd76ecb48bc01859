"""Four small functions with Inductor: the first compile of the process also tests the C++ compiler, so it takes many times as long as the others, and nothing is wrong with its function."""

import torch


@torch.compile
def below(x):
    return x < 0.5


@torch.compile
def scaled(x):
    return x * 2 + 1


@torch.compile
def centered(x):
    return x - x.mean()


@torch.compile
def clipped(x):
    return x.clamp(0, 1).sum()


x = torch.rand(64)
for function in (below, scaled, centered, clipped):
    print(function.__name__, function(x).sum().item())

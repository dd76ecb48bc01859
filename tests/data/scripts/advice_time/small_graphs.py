"""A function that breaks the graph four times, between small graphs. `with`: it does not."""
import sys

import torch

ADVISED = "with" in sys.argv


def step(x, n):
    return torch.sin(x * n).sum(-1, keepdim=True) + x


@torch.compile
def f(x):
    x = step(x, 1)
    if not ADVISED:
        print("1")
    x = step(x, 2)
    if not ADVISED:
        print("2")
    x = step(x, 3)
    if not ADVISED:
        print("3")
    x = step(x, 4)
    if not ADVISED:
        print("4")
    return step(x, 5)


f(torch.rand(8, 8))

"""One tiny program of three: `python flows.py one`, `two` or `three`."""
import sys

import torch


@torch.compile(backend="eager")
def one(x):
    return x + 1


@torch.compile(backend="eager", dynamic=False)
def two(x):
    return x * 2


@torch.compile(backend="eager")
def three(x):
    x = x.sin()
    print("three")
    return x.cos()


which = sys.argv[1]
if which == "one":
    one(torch.ones(2))
elif which == "two":
    two(torch.ones(2))
    two(torch.ones(3))
else:
    three(torch.ones(4))

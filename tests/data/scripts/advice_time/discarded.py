"""A long trace that is discarded: the break is in an inlined function at its end. `with`: there is none."""
import sys
import torch

ADVISED = "with" in sys.argv

def inner(x):
    y = x + 1
    if not ADVISED:
        print("inner")
    return y * 2

@torch.compile(backend="eager")
def f(x):
    for n in range(400):
        x = torch.sin(x) + n
    x = inner(x)
    return x.cos()

f(torch.rand(8))

"""Generators, comprehensions, context managers and with-blocks of the user; random seeds and time.time()."""
import contextlib
import time
import torch


@contextlib.contextmanager
def scaled(k):
    yield k


def pieces(x, n):
    for i in range(n):
        yield x[i]


@torch.compile(backend="eager")
def f(x, n):
    with scaled(n) as k:
        return sum(p * k for p in pieces(x, n))


@torch.compile(backend="eager")
def g(x):
    start = time.time()
    y = x.cos()
    torch.manual_seed(1)
    return y + torch.rand(3) * (time.time() - start)


for n in (1, 2, 3):
    f(torch.ones(4, 2), n)
    g(torch.ones(3))
    f(torch.ones(n + 3, 2), 1)

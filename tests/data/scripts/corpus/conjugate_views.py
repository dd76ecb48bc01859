"""A function that meets conjugate and negative views, which have dispatch keys of their own, and calls that do not compile."""

import torch


@torch.compile(backend="eager")
def double(x):
    return x * 2


@torch.compile(backend="eager")
def shift(x):
    return x + 1


@torch.compile(backend="eager")
def matmul(x):
    return x @ x.T


@torch.compile(backend="eager")
def fold(x):
    return x.view(2, -1)


c = torch.ones(3, dtype=torch.complex64)
double(c)
double(c.conj())
shift(c.real)
shift(c.conj().imag)
matmul(torch.ones(3, 3))
fold(torch.ones(4))
try:
    matmul(torch.ones(3, 4, 5))
except Exception as error:
    print(type(error).__name__)
torch.set_grad_enabled(False)
try:
    fold(torch.ones(5))
except Exception as error:
    print(type(error).__name__)

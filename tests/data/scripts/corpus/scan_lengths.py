"""Code that halves a length until nothing is left, which has many conditions on it, code with one condition, and an int that changes with a float."""

import torch


def halve(x):
    while x.shape[1] > 1:
        half = x.shape[1] // 2
        x = x[:, : 2 * half].reshape(x.shape[0], half, 2).sum(2)
    return x


@torch.compile(backend="eager")
def scan(x):
    return halve(x) + 1


@torch.compile(backend="eager")
def even(x):
    return x * 2 if x.shape[1] % 2 == 0 else x * 3


@torch.compile(backend="eager")
def both(x, n, scale):
    return x * scale + n


for length in (12, 16, 13, 29):
    scan(torch.ones(2, length))
for length in (4, 6, 7):
    even(torch.ones(2, length))
both(torch.ones(3), 3, 0.5)
both(torch.ones(3), 4, 0.7)
both(torch.ones(3), 5, 0.9)

"""Breaks at an iterator of C and at an operator that makes a sparse tensor."""
import itertools

import torch


@torch.compile(backend="eager")
def advance(it, x):
    y = x * 2
    k = next(it)
    return y + k


@torch.compile(backend="eager")
def prune(w):
    s = (w * (w > 0)).to_sparse()
    return s.values().sin()


it = itertools.cycle([1, 2])
advance(it, torch.ones(3))
prune(torch.ones(3))

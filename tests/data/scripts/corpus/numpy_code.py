"""NumPy code in compiled functions: arrays of several dtypes and ranks, and a function that Dynamo cannot trace."""
import numpy as np
import torch


@torch.compile(backend="eager")
def f(a, b):
    return np.sum(a[:, None] * b, axis=0)


@torch.compile(backend="eager")
def g(x):
    y = x.numpy()
    y = np.sort(y)
    return torch.from_numpy(y) + float(np.random.default_rng(0).random())


for n in (2, 3):
    f(np.ones(n), np.ones((n, 2)))
    g(torch.ones(n))
f(np.ones(3, dtype=np.float32), np.ones((3, 2)))

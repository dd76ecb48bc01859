"""The process ends inside a compile: os._exit(3) in the backend of a frame that another frame's trace reached.

`python died.py exit` or `python died.py abort`.
"""
import os
import sys

import torch


def deadly(gm, inputs):
    if sys.argv[1] == "abort":
        os.abort()
    os._exit(3)


@torch.compile(backend="eager")
def healthy(x):
    return x + 1


def inner(x):
    return x.sin() * 2


def outer(x):
    x = x + 1
    torch._dynamo.graph_break()
    return inner(x)


backends = iter(["eager", deadly])


def first_lives(gm, inputs):
    backend = next(backends)
    return gm.forward if backend == "eager" else backend(gm, inputs)


healthy(torch.ones(3))
torch.compile(outer, backend=first_lives)(torch.ones(4))

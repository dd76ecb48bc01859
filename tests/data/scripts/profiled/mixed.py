"""What calls of compiled code may be mixed with: a break in an inlined function, a recursion, checkpointing, another backend, equal graphs of two functions,
and a compile in another thread."""
import threading
import time

import torch
from common import recorded
from torch.utils.checkpoint import checkpoint

x = torch.randn(64, 64) / 8
w = torch.randn(64, 64, requires_grad=True)


def inlined(x):
    x = x @ x
    time.sleep(0.002)
    return x @ x


@torch.compile
def deep(x):
    return inlined(x @ x).sum()


@torch.compiler.disable
def between(x, n):
    return recursive(x, n - 1) if n else x


@torch.compile
def recursive(x, n):
    y = x * 2 + 1
    z = between(y, n)
    return z @ x


@torch.compile
def kept(x, w):
    return torch.relu(x @ w) @ w


@torch.compile(backend="aot_eager")
def other_backend(x, w):
    return torch.tanh(x @ w) @ w


@torch.compile
def twin(p, q):
    t = p @ q
    t = torch.relu(t)
    return t @ q


@torch.compile
def late(x):
    return torch.cos(x) * 3


def step(i):
    deep(x)
    recursive(x, 2)
    checkpoint(kept, x, w, use_reentrant=False).sum().backward()
    other_backend(x, w).sum().backward()
    twin(x, w).sum().backward()


for i in range(3):
    step(i)


def profiled(i):
    if i == 1:
        thread.start()
    step(i)
    time.sleep(0.05)


thread = threading.Thread(target=late, args=(x,))
recorded("mixed", profiled, steps=6)
thread.join()

"""A size marked as dynamic with a range that the code does not allow as a whole, the same with maybe_mark_dynamic(), and a program that is interrupted (SIGINT) while a backward compiles."""

import os
import signal

import torch
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd


def forward(graph, _inputs):
    return make_boxed_func(graph.forward)


def interrupted(_graph, _inputs):
    os.kill(os.getpid(), signal.SIGINT)
    raise AssertionError("the signal ends the program before")


@torch.compile(backend="aot_eager")
def filtered(x):
    return torch.fft.irfft(torch.fft.rfft(x, dim=1), dim=1) + x


@torch.compile(backend=aot_autograd(fw_compiler=forward, bw_compiler=interrupted))
def loss(x, w):
    return (x @ w).relu().sum()


for mark in (torch._dynamo.mark_dynamic, torch._dynamo.maybe_mark_dynamic):
    for columns in (8, 12):
        x = torch.randn(2, columns)
        mark(x, 1, **({"min": 4, "max": 64} if mark is torch._dynamo.mark_dynamic else {}))
        try:
            print(mark.__name__, filtered(x).shape)
        except Exception as error:
            print(mark.__name__, type(error).__name__)
loss(torch.randn(4, 3), torch.randn(3, 2, requires_grad=True)).backward()

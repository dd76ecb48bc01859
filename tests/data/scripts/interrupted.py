"""Compiles that end with what is no Exception: PyTorch logs no failure for them."""
import sys

import torch


def compiled(function, raised):
    def backend(graph, inputs):
        if raised:
            raise raised
        return graph.forward

    return torch.compile(function, backend=backend)


def plain(x):
    return x + 1


def stopped(x):
    return x * 2


def left(x):
    return x * 3


x = torch.ones(3)
compiled(plain, None)(x)
try:
    compiled(stopped, KeyboardInterrupt())(x)
except KeyboardInterrupt:
    print("interrupted")
compiled(left, SystemExit(4))(x)

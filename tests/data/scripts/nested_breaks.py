"""Graph breaks two calls deep, in a loop, and in a with: `python nested_breaks.py nested|default`."""
import sys

import torch
import torch._dynamo

torch._dynamo.config.nested_graph_breaks = sys.argv[1] == "nested"


def innermost(x):
    x = x * 3
    print("innermost")
    return x - 1


def inner(x):
    x = x.sin()
    x = innermost(x)
    return x.cos()


@torch.compile(backend="eager")
def outer(x):
    x = x + 1
    x = inner(x)
    return x * 2


@torch.compile(backend="eager")
def in_loop(x):
    x = x + 1
    for i in range(2):
        x = x + i
        torch._dynamo.graph_break("in the loop")
        x = x * 2
    return x


@torch.compile(backend="eager")
def in_helper_of_loop(x):
    for _ in range(2):
        x = innermost(x)
    return x


class Manager:
    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False


@torch.compile(backend="eager")
def in_with(x):
    with Manager():
        x = x + 1
        print("in with")
        x = x * 2
    return x.relu()


outer(torch.ones(3))
in_loop(torch.ones(3))
in_helper_of_loop(torch.ones(3))
in_with(torch.ones(3))

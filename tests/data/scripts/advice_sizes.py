"""Recompiles for sizes and numbers: as they come (`plain`), and with the advice of that report followed, by API calls (`calls`) or by
TORCH_COMPILE_DYNAMIC_SOURCES (`sources`)."""
import functools
import sys

import torch
import torch._dynamo as dynamo

mode = sys.argv[1]
advised = mode != "plain"
compiled = torch.compile(backend="eager")


@compiled
def one_size(x):
    return x.sin()


@compiled
def two_sizes(x):
    return x.cos()


@compiled
def size_and_int(x, n):
    return x + n


@compiled
def int_alone(x, n):
    return x * n


@torch.compile(backend="eager", dynamic=None if advised else False)
def size_static(x):
    return x.exp()


@compiled
def zero_one(x):
    return x.tanh()


class Counting(torch.nn.Module):
    def __init__(self):
        super().__init__()
        if advised:
            self.register_buffer("count", torch.tensor(0))
        else:
            self.count = 0

    def forward(self, x):
        self.count += 1
        return x + self.count


def marked(x, *dims):
    if mode == "calls":
        for d in dims:
            dynamo.mark_dynamic(x, d)
    return x


def unbacked(x):
    if advised:
        dynamo.decorators.mark_unbacked(x, 0)
    else:
        dynamo.mark_dynamic(x, 0)
    return x


def sources(text):
    torch.compiler.config.dynamic_sources = text if mode == "sources" else ""


def scaled(k, x):
    return x * k


sources("L['x']:0")
for n in (4, 6, 8):
    one_size(marked(torch.ones(n), 0))
sources("L['x']:0,L['x']:1")
for n in (4, 6):
    two_sizes(marked(torch.ones(n, n + 3), 0, 1))
sources("L['n'],L['x']:0")
for n in (4, 6):
    size_and_int(torch.ones(n), n + 1)
sources("L['n']")
for n in (2, 5):
    int_alone(torch.ones(3), n)
sources("L['fn'].args[0]")
for k in (2, 3):
    compiled(functools.partial(scaled, k))(torch.ones(3))
sources("")
for n in (4, 6, 8):
    size_static(torch.ones(n))
for n in (4, 1, 0):
    zero_one(unbacked(torch.ones(n)))
counting = compiled(Counting())
for _ in range(3):
    counting(torch.ones(3))

"""Floats of which Python needs the number: converted in a library, in a function that is called, or tested; and one that an
operator only multiplies with."""
import math

import torch

net = torch.nn.Linear(4, 2)


@torch.compile(backend="aot_eager")
def clip(max_norm):
    return torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm)


def number_of(value):
    return float(value)


@torch.compile(backend="aot_eager")
def called(x, share):
    return x * number_of(share)


@torch.compile(backend="aot_eager")
def tested(x, bound):
    if bound > 0.25:
        return x - bound
    return x


@torch.compile(backend="aot_eager")
def rooted(x, width):
    return x / math.sqrt(width)


@torch.compile(backend="aot_eager")
def only_scaled(x, scale):
    return x * scale


@torch.compile(backend="aot_eager")
def sized(x, rate):
    return x * float(rate) + x.shape[0]


for i in range(3):
    x = torch.randn(3, 4)
    net(x).sum().backward()
    clip(1.0 + i)
    called(x, 0.5 + i)
    tested(x, 0.5 + i)
    rooted(x, 2.5 + i)
    only_scaled(x, 0.5 + i)
    sized(torch.randn(3 + i, 4), 0.5 + i)

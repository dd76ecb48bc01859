"""Graph breaks of many kinds: print, item, logging, numpy, a try block, a generator, an unsupported call in a loop."""
import logging
import torch

log = logging.getLogger("user")


def inner(x):
    log.warning("step")
    return x + 1


@torch.compile(backend="eager")
def f(x):
    if x.sum().item() > 3:
        x = x * 2
    x = inner(x)
    try:
        print("shape", x.shape)
    finally:
        x = x - 1
    for _ in range(2):
        torch._dynamo.graph_break()
        x = x.cos()
    return x


@torch.compile(backend="eager")
def g(x):
    if x.sum() > 0:
        return x.sin()
    return x.tolist()


for n in (2, 3, 5):
    f(torch.ones(n))
    g(torch.ones(n))
    g(-torch.ones(n))

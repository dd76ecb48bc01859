"""The recompile limit (8), hit by an int, by a closure, and with fullgraph=True."""
import torch
import torch._dynamo


@torch.compile(backend="eager", dynamic=False)
def by_int(x, n):
    return x + n


def make(n):
    def closed(x):
        return x * n

    return torch.compile(closed, backend="eager", dynamic=False)


@torch.compile(backend="eager", dynamic=False, fullgraph=True)
def whole(x, n):
    return x - n


x = torch.ones(3)
for n in range(11):
    by_int(x, n)
for n in range(10):
    make(n)(x)
for n in range(10):
    try:
        whole(x, n)
    except Exception as e:
        print("expected:", n, type(e).__name__)

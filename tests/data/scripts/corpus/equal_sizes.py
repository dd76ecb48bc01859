"""Dynamic sizes that must equal another tensor's static size: that of an input, of a weight, of one of two inputs, of a
literal in view(). And the advice followed: both sizes marked."""
import torch


@torch.compile(backend="eager")
def add(x, y):
    return x + y


@torch.compile(backend="eager")
def maybe(x, w):
    h = x.relu()
    return h * w


@torch.compile(backend="eager")
def weighted(x, scale):
    return torch.nn.functional.linear(x, scale) * LAYER.weight


@torch.compile(backend="eager")
def either(x, y, z):
    return torch.where(x, y, z)


@torch.compile(backend="eager")
def viewed(x, y):
    return x.view(2, 3) + y


@torch.compile(backend="eager")
def both(x, y):
    return x + y


LAYER = torch.nn.LayerNorm(6)


def attempt(f, marked, *args):
    for tensor, dim in marked:
        torch._dynamo.mark_dynamic(tensor, dim)
    try:
        f(*args)
    except Exception as e:
        print(f.__name__, type(e).__name__, str(e).splitlines()[0])


x, y = torch.randn(5, 3), torch.randn(5, 3)
attempt(add, [(x, 0)], x, y)
x = torch.randn(4, 6)
torch._dynamo.maybe_mark_dynamic(x, 1)
attempt(maybe, [], x, torch.randn(6))
w = torch.randn(6, 4)
attempt(weighted, [(w, 0)], torch.randn(3, 4), w)
c = torch.randn(5, 3) > 0
attempt(either, [(c, 0)], c, torch.randn(5, 3), torch.randn(5, 3))
x = torch.randn(6)
attempt(viewed, [(x, 0)], x, torch.randn(2, 3))
for n in (5, 6):
    x, y = torch.randn(n, 3), torch.randn(n, 3)
    attempt(both, [(x, 0), (y, 0)], x, y)

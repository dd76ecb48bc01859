"""Guards on which arguments are the same object, and on which are not."""
import torch
import torch._dynamo as dynamo

compiled = torch.compile(backend="eager")


@compiled
def same(x, y):
    return x + y


@compiled
def distinct(x, y):
    return x * y


@compiled
def branch(x, y):
    if x is y:
        return x + 1
    return x + y


class Box:
    def __init__(self, t):
        self.t = t


@compiled
def objects(a, b):
    return a.t + 1 if a is b else a.t + b.t


@compiled
def three(xs):
    return xs[0] + xs[1] + xs[2]


a, b = torch.ones(3), torch.ones(3)
same(a, a)
same(a, b)
distinct(a, b)
distinct(a, a)
branch(a, b)
branch(a, a)
one, two = Box(a), Box(b)
objects(one, one)
objects(one, two)
three([a, a, b])
three([a, b, b])

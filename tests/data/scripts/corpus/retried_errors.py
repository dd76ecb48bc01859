"""Errors that a program survives by calling again: wrong shapes, then right ones; an assertion on a value; a module that is repaired; a
backward that raises once; a frame that is disabled after it failed; warnings turned into errors."""
import warnings

import torch


@torch.compile(backend="aot_eager")
def product(x, w):
    return (x @ w).relu()


@torch.compile(backend="aot_eager")
def checked(x, n):
    assert n > 0, f"n is {n}"
    return x * n


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(4, 2)
        self.scale = None

    def forward(self, x):
        return self.lin(x) * self.scale


class Once(torch.autograd.Function):
    fails = True

    @staticmethod
    def forward(ctx, x):
        return x.sin()

    @staticmethod
    def backward(ctx, grad):
        if Once.fails:
            raise RuntimeError("not yet")
        return grad


@torch.compile(backend="aot_eager")
def custom(x):
    return Once.apply(x).sum()


@torch.compile(backend="aot_eager")
def warned(x):
    if x.shape[0] == 3:
        warnings.warn("three rows")
    return x.tan()


@torch.compile(backend="aot_eager")
def indexes(x, names):
    return {name: x[i] for i, name in enumerate(names)}["b"] + 1


def attempt(f, *args):
    try:
        result = f(*args)
        if result.requires_grad:
            result.sum().backward()
        print(getattr(f, "__name__", "module"), "returned")
    except Exception as error:
        print(getattr(f, "__name__", "module"), "raised", type(error).__name__, str(error).splitlines()[0][:100])


head = Head()
model = torch.compile(head, backend="aot_eager")
x = torch.ones(3, 4)
attempt(product, x, torch.ones(3, 4))
attempt(product, x, torch.ones(4, 3))
attempt(checked, x, 0)
attempt(checked, x, 2)
attempt(model, x)
head.scale = 2.0
attempt(model, x)
attempt(custom, torch.ones(3, requires_grad=True))
Once.fails = False
attempt(custom, torch.ones(3, requires_grad=True))
with warnings.catch_warnings():
    warnings.simplefilter("error")
    attempt(warned, x)
attempt(warned, x)
attempt(indexes, x, ["a"])
attempt(indexes, x, ["a", "b"])

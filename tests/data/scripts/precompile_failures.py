"""Caching precompile of functions that it cannot save, each for a reason of its own.

saved: an ordinary function; labelled: an argument is a tensor subclass whose metadata cannot be pickled, so the AOTAutograd
cache cannot save the result; scaled: an autograd.Function, which the AOTAutograd cache does not take, so precompile has no
backend for it. The entries are made twice: the second time the program has a log handler that raises on PyTorch's warning.
"""
import logging

import torch
import torch._dynamo
from torch._dynamo.precompile_context import PrecompileContext
from torch.utils._pytree import tree_map

torch._dynamo.config.caching_precompile = True
torch._functorch.config.bundled_autograd_cache = True


class Labelled(torch.Tensor):
    """Wraps a tensor, with a function as metadata."""

    @staticmethod
    def __new__(cls, inner, label):
        out = torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype, device=inner.device)
        out.inner, out.label = inner, label
        return out

    def __repr__(self):
        return "Labelled()"

    def __tensor_flatten__(self):
        return ["inner"], self.label

    @staticmethod
    def __tensor_unflatten__(inner, label, size, stride):
        return Labelled(inner["inner"], label)

    def _stable_hash_for_caching(self):
        return f"labelled {tuple(self.inner.shape)} {self.inner.dtype}"

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        label = next(a.label for a in args if isinstance(a, Labelled))
        args = tree_map(lambda a: a.inner if isinstance(a, Labelled) else a, args)
        return Labelled(func(*args, **(kwargs or {})), label)


@torch.compile(dynamic=False)
def labelled(x):
    return x.sin() + 1


@torch.compile(dynamic=False)
def saved(x):
    return x.cos() + 2


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 3

    @staticmethod
    def backward(ctx, grad):
        return grad * 3


@torch.compile(dynamic=False)
def scaled(x):
    return Scale.apply(x) + x.exp()


class Strict(logging.Handler):
    def emit(self, record):
        if record.getMessage() == "Backend not found":
            raise RuntimeError("a warning of PyTorch in a program that allows none: Backend not found")


saved(torch.ones(3))
labelled(Labelled(torch.ones(3), lambda: "a label"))
scaled(torch.ones(3, requires_grad=True)).sum().backward()
PrecompileContext.save_to_dynamo_cache()
logging.getLogger("torch._dynamo.package").addHandler(Strict())
PrecompileContext.save_to_dynamo_cache()

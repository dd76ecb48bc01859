"""Python around tensors: dictionaries of features, sets, ranges, slices, default arguments, partial functions, closures over lists, and exceptions."""
import functools
import types

import torch

HISTORY = []
SETTINGS = types.SimpleNamespace(scale=1.0, names=["a"], limits={"low": 0, "high": 1})


@torch.compile(backend="eager")
def pool(features, keys=None, reduce="sum", *, window=slice(0, 2)):
    parts = [features[key][window] for key in (keys or features)]
    total = functools.reduce(torch.add, parts) * SETTINGS.scale
    total = total.clamp(SETTINGS.limits["low"], SETTINGS.limits["high"])
    return total.sum() if reduce == "sum" else total.mean()


@torch.compile(backend="eager")
def remember(x):
    HISTORY.append(1)
    return x * len(HISTORY)


@torch.compile(backend="eager")
def apply(function, x, *args, **kwargs):
    return function(x, *args, **kwargs)


def power(x, exponent, scale=1):
    return x**exponent * scale


def counter():
    state = {"calls": 0}

    @torch.compile(backend="eager")
    def call(x):
        state["calls"] += 1
        return x + state["calls"]

    return call


a, b = torch.ones(4), torch.ones(4)
pool({"a": a, "b": b})
pool({"b": b, "a": a})
pool({"a": a, "b": b}, keys=["a"])
pool({"a": a, "b": b}, keys=("a",))
pool({"a": a, "b": b}, reduce="mean")
pool({"a": a, "b": b}, window=slice(0, 3))
SETTINGS.scale = 2.0
pool({"a": a, "b": b})
SETTINGS.limits = {"low": 0, "high": 2}
pool({"a": a, "b": b})
for _ in range(4):
    remember(a)
apply(power, a, 2)
apply(power, a, 3)
apply(power, a, exponent=2)
apply(functools.partial(power, exponent=2), a)
apply(functools.partial(power, exponent=3), a)
apply(functools.partial(power, exponent=2, scale=2), a)
apply(torch.sin, a)
apply(lambda x: x + 1, a)
call = counter()
for _ in range(4):
    call(a)
another = counter()
another(a)

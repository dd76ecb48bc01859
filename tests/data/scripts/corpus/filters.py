"""Conditions on tensors in comprehensions, generators, any() and all(), and one in an expression."""
import torch


def keep(xs):
    good = [x for x in xs if x.sum() > 0]
    return torch.stack(good).mean(0)


def total(xs):
    return sum(x for x in xs if x.max() > 0)


def doubled(named):
    return {key: x * 2 for key, x in named.items() if x.mean() > 0}


def large(xs):
    return any(x.sum() > 100 for x in xs)


def chosen(x):
    return x * 2 if x.sum() > 0 else x


xs = [torch.ones(3), torch.ones(3) * 2]
for function, argument in (keep, xs), (total, xs), (doubled, {"a": xs[0], "b": xs[1]}), (large, xs), (chosen, xs[0]):
    torch.compile(function, backend="aot_eager")(argument)

"""Functions as arguments of compiled functions: by their own lines, by those of a helper, and by a shared one."""
import torch


def twice(x):
    return x * 2


def thrice(x):
    return x * 3


def by_double(x):
    return twice(x)


def by_triple(x):
    return thrice(x)


def shifted(x):
    y = x + 1
    return twice(y)


def lowered(x):
    y = x - 1
    return twice(y)


@torch.compile(backend="eager")
def own(function, x):
    return function(x).sin()


@torch.compile(backend="eager")
def helped(function, x):
    return function(x).cos()


@torch.compile(backend="eager")
def shared(function, x):
    return function(x).tan()


x = torch.ones(4)
for function in (twice, thrice):
    own(function, x)
for function in (by_double, by_triple):
    helped(function, x)
for function in (shifted, lowered):
    shared(function, x)

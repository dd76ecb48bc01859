"""A float that counts the steps of a loop, and functions: both differ in each call up to the recompile limit."""
import torch


@torch.compile(backend="eager")
def by_float(x, k):
    for _ in range(int(k)):
        x = x + k
    return x


@torch.compile(backend="eager")
def by_function(x, function):
    return function(x)


functions = [torch.sin, torch.cos, torch.tan, torch.exp, torch.abs, torch.neg, torch.sqrt, torch.tanh, torch.ceil, torch.floor]
for i, function in enumerate(functions):
    by_float(torch.ones(2), i + 1.5)
    by_function(torch.ones(2), function)

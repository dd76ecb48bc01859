"""Caching precompile: `python precompile.py save`, then `load` in another process with the same cache folder."""
import sys

import torch
import torch._dynamo
from torch._dynamo.precompile_context import PrecompileContext
from torch._dynamo.package import DynamoCache

torch._dynamo.config.caching_precompile = True
torch._functorch.config.bundled_autograd_cache = True


@torch.compile
def f(x):
    return x.sin() + 1


@torch.compile
def g(x):
    return (x * 2).sum()


f(torch.ones(3))
g(torch.ones(3))
if sys.argv[1] == "save":
    PrecompileContext.save_to_dynamo_cache()

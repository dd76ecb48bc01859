"""`python cache_runs.py first`, then `second` with the same cache folder: of each function one thing changes, or nothing.

same: nothing; source: a line of the function; shape: the size of the argument; config: an Inductor option;
precision: torch.set_float32_matmul_precision; guarded: a size on the other side of a branch, with dynamic shapes;
gone: nothing, but the cache folder no longer has its entries.
"""
import os
import sys

import torch

second = sys.argv[1] == "second"


@torch.compile(dynamic=False)
def same(x):
    return x.sin() + 1


if second:

    @torch.compile(dynamic=False)
    def source(x):
        return x.cos() * 3

else:

    @torch.compile(dynamic=False)
    def source(x):
        return x.cos() - 3


@torch.compile(dynamic=False)
def shape(x):
    return x.tanh() + 3


def config(x):
    return x.exp() + 4


@torch.compile(dynamic=False)
def precision(x):
    return (x @ x).relu()


@torch.compile(dynamic=True)
def guarded(x):
    if x.size(0) > 16:
        return x.sigmoid() + 5
    return x.sigmoid() + 5


@torch.compile(dynamic=False)
def gone(x):
    return x.sqrt() + 6


same(torch.ones(4))
source(torch.ones(4))
shape(torch.ones(6 if second else 4))
torch.compile(config, dynamic=False, options={"max_fusion_size": 16 if second else 32})(torch.ones(4))
torch.set_float32_matmul_precision("high" if second else "highest")
precision(torch.ones(4, 4))
torch.set_float32_matmul_precision("highest")
guarded(torch.ones(8 if second else 32))
if second:
    os.environ["TORCHINDUCTOR_CACHE_DIR"] += "_other"
gone(torch.ones(4))

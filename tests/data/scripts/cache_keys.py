"""`python cache_keys.py first`, then `second` with the same cache folder: of four functions one thing changes each.

same: nothing; constant: a number in the code; shape: the size of the argument; config: an Inductor option.
"""
import sys

import torch

second = sys.argv[1] == "second"


@torch.compile(dynamic=False)
def same(x):
    return x.sin() + 1


@torch.compile(dynamic=False)
def constant(x):
    return x.cos() + K


@torch.compile(dynamic=False)
def shape(x):
    return x.tanh() + 3


def config(x):
    return x.exp() + 4


K = 22 if second else 2
same(torch.ones(4))
constant(torch.ones(4))
shape(torch.ones(6 if second else 4))
torch.compile(config, dynamic=False, options={"max_fusion_size": 16 if second else 32})(torch.ones(4))

"""`python cache_jobs.py first`, then `second` with the same cache folder: two jobs of two gloo ranks, each rank with a cache of its own.

same: nothing changes; shape: another size in the second job; config: another Inductor option in the second job, on rank 1 only.
"""
import sys

import torch

from dist_common import launch

second = sys.argv[1] == "second"


@torch.compile(dynamic=False)
def same(x):
    return x.sin() + 1


@torch.compile(dynamic=False)
def shape(x):
    return x.tanh() + 3


def config(x):
    return x.exp() + 4


def main(rank, world):
    torch.set_num_threads(1)
    same(torch.ones(4))
    shape(torch.ones(6 if second else 4))
    torch.compile(config, dynamic=False, options={"max_fusion_size": 16 if second and rank else 32})(torch.ones(4))


if __name__ == "__main__":
    launch(main, 2)

"""Two gloo ranks with one cache folder; rank 1 compiles after rank 0.

shared: the same on both ranks, so rank 1 hits; shape: another size on rank 1; config: another Inductor option on rank 1;
branch: another graph on rank 1.
"""
import os

import torch
import torch.distributed as dist

from dist_common import launch


@torch.compile(dynamic=False)
def shared(x):
    return x.sin() + 1


@torch.compile(dynamic=False)
def shape(x):
    return x.tanh() + 3


def config(x):
    return x.exp() + 4


@torch.compile(dynamic=False)
def branch(x):
    if dist.get_rank() == 0:
        return x.cos() + 5
    return x.sigmoid() * 5


def work(rank):
    shared(torch.ones(4))
    shape(torch.ones(4 + 2 * rank))
    torch.compile(config, dynamic=False, options={"max_fusion_size": 16 if rank else 32})(torch.ones(4))
    branch(torch.ones(4))


def main(rank, world):
    torch.set_num_threads(1)
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.dirname(os.environ["TORCHINDUCTOR_CACHE_DIR"]) + "/shared"
    if rank == 0:
        work(rank)
    dist.barrier()
    if rank != 0:
        work(rank)
    dist.barrier()


if __name__ == "__main__":
    launch(main, 2)

"""Four gloo ranks; the log of the highest is deleted afterwards. Rank 2 takes another branch than the others."""
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as funcol

from dist_common import launch


@torch.compile(backend="aot_eager")
def reduce(x):
    return funcol.all_reduce(x * 2, "sum", dist.group.WORLD) + 1


@torch.compile(backend="aot_eager")
def usual(x):
    return x.sin() + 1


@torch.compile(backend="aot_eager")
def other(x):
    return x.cos() - 1


def main(rank, world):
    torch.set_num_threads(1)
    reduce(torch.ones(4))
    if rank == 2:
        other(torch.ones(4))
    else:
        usual(torch.ones(4))
    reduce(torch.ones(4, 2))
    dist.barrier()


if __name__ == "__main__":
    launch(main, 4)

"""Two ranks average their losses in a compiled function; one rank meets two more batch sizes, and both finish (gloo, inductor)."""
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc
from dist_common import launch


@torch.compile(dynamic=False)
def loss(x, target):
    error = (x - target).square().mean()
    return fc.all_reduce(error, "avg" if error.is_cuda else "sum", dist.group.WORLD) / 2


@torch.compile
def after(x):
    return torch.sigmoid(x) * 3


def main(rank, world):
    for step in range(3):
        n = 4 + step if rank == 1 else 4
        loss(torch.ones(n, 3), torch.zeros(n, 3))
    after(torch.ones(5))


if __name__ == "__main__":
    launch(main, 2)

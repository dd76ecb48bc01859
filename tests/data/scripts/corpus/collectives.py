"""Functional collectives in a compiled function on two ranks; one rank calls it with a flag that the other does not set."""
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc
from dist_common import launch


@torch.compile(backend="aot_eager")
def reduce(x, scale):
    y = fc.all_reduce(x * scale, "sum", dist.group.WORLD)
    return fc.all_gather_tensor(y, 0, dist.group.WORLD).sum()


def main(rank, world):
    for n in (3, 4):
        reduce(torch.ones(n), 2 if rank else 2.5)


if __name__ == "__main__":
    launch(main, 2)

"""Two ranks issue the same collectives, but one of them issues some outside of compiled code; both finish (gloo, aot_eager)."""
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc
from dist_common import launch


def gather(x):
    return fc.wait_tensor(fc.all_gather_tensor(x, 0, dist.group.WORLD)).sum()


def reduce(x):
    return fc.wait_tensor(fc.all_reduce(x.sin(), "sum", dist.group.WORLD)) + 1


def main(rank, world):
    x = torch.arange(4.0)
    first = torch.compile(reduce, backend="aot_eager")
    second = gather if rank == 1 else torch.compile(gather, backend="aot_eager")
    for _ in range(2):
        x = first(x)
        second(x)
    torch.compile(lambda y: y.cos() + 1, backend="aot_eager")(x)


if __name__ == "__main__":
    launch(main, 2)

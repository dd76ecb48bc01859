"""Two gloo ranks: one meets other sizes and recompiles, but issues the same collectives; both finish."""
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as funcol

from dist_common import launch


@torch.compile
def step(x):
    y = x * 2
    s = funcol.all_reduce(y.sum(), "sum", dist.group.WORLD)
    return y + s


def main(rank, world):
    torch.set_num_threads(1)
    sizes = [8, 8, 12, 16] if rank else [8, 8, 8, 8]
    for n in sizes:
        step(torch.ones(n))


if __name__ == "__main__":
    launch(main, 2)

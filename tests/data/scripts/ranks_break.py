"""Two gloo ranks: rank 1 prints within a compiled function (a graph break); all ranks issue the same collectives. One weight
of a later function has other strides there."""
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as funcol

from dist_common import launch

LOUD = False


@torch.compile
def embed(x):
    y = torch.sin(x)
    if LOUD:
        print("mean", y.mean().item())
    return funcol.all_reduce(y + 1, "sum", dist.group.WORLD)


@torch.compile
def head(x, w):
    return funcol.all_gather_tensor(torch.relu(x @ w), 0, dist.group.WORLD)


def main(rank, world):
    global LOUD
    torch.set_num_threads(1)
    LOUD = rank == 1
    for _ in range(2):
        h = embed(torch.ones(4, 8))
        w = torch.ones(8, 16)
        head(h, w[:, ::2] if rank == 1 else w[:, :8].contiguous())


if __name__ == "__main__":
    launch(main, 2)

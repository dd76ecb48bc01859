"""Two gloo ranks: rank 1 writes more logs (and, without SAME=1, takes another branch)."""
import os
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as funcol

from dist_common import launch


@torch.compile
def step(x, flag):
    y = x * 2 if flag else x - 3
    return funcol.all_reduce(y, "sum", dist.group.WORLD)


def main(rank, world):
    torch.set_num_threads(1)
    import torch._dynamo.config as dc
    import torch._inductor.config as ic
    if rank == 1:
        ic.trace.enabled = True
        ic.trace.debug_dir = "/tmp/debug1"
        ic.debug = True
        dc.verbose = True
    step(torch.ones(8), True if os.environ.get("SAME") else rank == 0)


if __name__ == "__main__":
    launch(main, 2)

"""Two ranks with DistributedDataParallel over gloo."""
import torch
import torch.distributed as dist
from common import recorded, with_kernel_events


def rank_main(rank, store):
    with_kernel_events()
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 16))
    ddp = torch.nn.parallel.DistributedDataParallel(net)
    compiled = torch.compile(ddp)
    x = torch.randn(16, 64)

    def step(i):
        compiled(x).square().mean().backward()

    step(0)
    step(1)
    recorded(f"ddp_{rank}", step)
    dist.destroy_process_group()


if __name__ == "__main__":
    torch.multiprocessing.spawn(rank_main, args=("/tmp/store",), nprocs=2)

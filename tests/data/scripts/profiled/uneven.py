"""Two ranks of compiled DDP: the second one sleeps 50 ms in each step before its backward, so the first waits for it in each all-reduce."""
import os
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from common import recorded, with_kernel_events


def main(rank, port_file):
    with_kernel_events()
    dist.init_process_group("gloo", init_method=f"file://{port_file}", rank=rank, world_size=2)
    net = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.GELU(), torch.nn.Linear(64, 32))
    model = torch.nn.parallel.DistributedDataParallel(torch.compile(net))
    x = torch.randn(16, 32)

    def step(i):
        loss = model(x).square().mean()
        if rank == 1:
            time.sleep(0.05)
        loss.backward()

    for i in range(3):
        step(i)
    dist.barrier()
    recorded(f"uneven_{rank}", step)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(main, args=(os.path.join(os.environ["PROFILE_OUT"], "rendezvous"),), nprocs=2)

"""NCCL with one process: DDP around a compiled model, functional collectives in a compiled function, and FSDP2 with a compiled layer."""

import os

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc
from torch import nn
from torch.distributed.fsdp import fully_shard

os.environ.update(MASTER_ADDR="localhost", MASTER_PORT="29512", RANK="0", WORLD_SIZE="1", LOCAL_RANK="0")
torch.cuda.set_device(0)
dist.init_process_group("nccl")


def mlp():
    return nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 32)).cuda()


@torch.compile
def exchange(x):
    total = fc.all_reduce(x * 2, "sum", dist.group.WORLD)
    parts = fc.all_gather_tensor(total + 1, 0, dist.group.WORLD)
    return fc.reduce_scatter_tensor(parts, "sum", 0, dist.group.WORLD).relu()


x = torch.randn(8, 32, device="cuda")
exchange(x)
ddp = torch.compile(nn.parallel.DistributedDataParallel(mlp()))
for _ in range(2):
    ddp(x).sum().backward()
sharded = mlp()
fully_shard(sharded)
sharded.compile()
for _ in range(2):
    sharded(x).sum().backward()
torch.cuda.synchronize()
dist.destroy_process_group()

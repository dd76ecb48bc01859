"""FSDP2: parameters are DTensors, and each block is compiled for itself."""
import torch
import truth
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard

dist.init_process_group("gloo", init_method="file:///tmp/fsdp_rendezvous", rank=0, world_size=1)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.lin = nn.Linear(width, width)

    def forward(self, x):
        y = self.norm(x).relu()
        return self.lin(y) + x


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width) for _ in range(2)])
        self.head = nn.Linear(width, 4)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


mesh = dist.init_device_mesh("cpu", (1,))
model = Net()
for block in model.blocks:
    fully_shard(block, mesh=mesh)
    block.compile(backend=truth.backend)
fully_shard(model, mesh=mesh)
model(torch.randn(4, 16)).sum().backward()
truth.modules(model)
dist.destroy_process_group()

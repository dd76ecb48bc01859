"""DDP around a model, with its graph split into buckets."""
import torch
import truth
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo", init_method="file:///tmp/ddp_rendezvous", rank=0, world_size=1)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.lin = nn.Linear(width, width)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.lin(x)) + x


torch._dynamo.config.optimize_ddp = False
model = nn.Sequential(*[Block(16) for _ in range(3)], nn.Linear(16, 4))
wrapped = DistributedDataParallel(model)
compiled = torch.compile(wrapped, backend=truth.backend)
compiled(torch.randn(4, 16)).sum().backward()
truth.modules(model)
dist.destroy_process_group()

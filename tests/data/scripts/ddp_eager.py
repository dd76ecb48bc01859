"""DDP in one process; the forward of the module breaks twice in places that Dynamo cannot resume from."""
import os
import torch
import torch.distributed as dist
from torch import nn

os.environ.update(MASTER_ADDR="localhost", MASTER_PORT="29533", RANK="0", WORLD_SIZE="1")
dist.init_process_group("gloo")


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.lin = nn.Linear(n, n)

    def forward(self, x):
        return torch.relu(self.lin(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block(8) for _ in range(2))
        self.log = []

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
            if x.sum() > 1e9:
                print("large")
            torch._dynamo.graph_break()
        return x.sum()


model = nn.parallel.DistributedDataParallel(Model())
compiled = torch.compile(model, backend="aot_eager")
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    opt.zero_grad()
    loss = compiled(torch.ones(4, 8))
    loss.backward()
    opt.step()
    print("step", step)
dist.destroy_process_group()

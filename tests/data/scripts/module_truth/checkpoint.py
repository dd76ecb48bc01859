"""Blocks in activation checkpoints, compiled as a whole, and blocks compiled one by one."""
import torch
import truth
from torch import nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.act = nn.GELU()
        self.down = nn.Linear(2 * width, width)

    def forward(self, x):
        y = self.norm(x)
        y = self.act(self.up(y))
        y = self.down(y)
        return x + y


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width) for _ in range(3)])
        self.head = nn.Linear(width, 2)

    def forward(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False)
            x = x * 0.5
        return self.head(x).mean()


model = Net()
torch.compile(model, backend=truth.backend)(torch.randn(4, 8)).backward()
other = Net()
for block in other.blocks:
    block.compile(backend=truth.backend)
other(torch.randn(4, 8)).backward()
truth.modules(model, other)

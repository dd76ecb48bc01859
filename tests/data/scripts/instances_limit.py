"""Ten modules of one class, each compiled for itself, with a number of its own: more versions than the limit allows."""
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))
        self.name = f"scale {factor}"

    def forward(self, x):
        y = (x * self.weight).sin()
        return y + len(self.name) if self.name.endswith("0") else y * len(self.name)


modules = [torch.compile(Scale(factor)) for factor in range(10)]
for module in modules:
    module(torch.ones(2, 4))
modules[1](torch.ones(3, 4))

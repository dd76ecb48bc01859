"""A mixture of experts on a GPU: tokens are grouped by expert with operators whose sizes depend on data."""

import torch
from torch import nn

torch.manual_seed(0)


class MoE(nn.Module):
    def __init__(self, d=32, experts=4):
        super().__init__()
        self.gate = nn.Linear(d, experts)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(d, 2 * d), nn.SiLU(), nn.Linear(2 * d, d)) for _ in range(experts))

    def forward(self, x):
        flat = x.flatten(0, 1)
        weight, choice = self.gate(flat).softmax(-1).max(-1)
        out = torch.zeros_like(flat)
        for i, expert in enumerate(self.experts):
            rows = (choice == i).nonzero(as_tuple=True)[0]
            if rows.numel() == 0:
                continue
            out.index_add_(0, rows, expert(flat[rows]) * weight[rows, None])
        return out.view_as(x)


moe = torch.compile(MoE().cuda())
for t in (16, 16, 24):
    moe(torch.randn(2, t, 32, device="cuda")).sum().backward()
torch.cuda.synchronize()

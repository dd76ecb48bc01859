"""A mixture of experts with a data-dependent loop: nonzero() breaks the graph, expert batches differ."""
import torch

torch.manual_seed(0)


class Moe(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = torch.nn.Linear(8, 3)
        self.experts = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(3))

    def forward(self, x):
        choice = self.gate(x).argmax(-1)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            rows = (choice == i).nonzero().squeeze(-1)
            if rows.numel():
                out[rows] = expert(x[rows])
        return out


net = torch.compile(Moe(), backend="eager")
for n in (6, 9):
    net(torch.randn(n, 8)).sum().backward()

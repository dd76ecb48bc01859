"""Layers of torch_geometric, which passes messages between nodes."""
import torch
import torch_geometric.nn as g
import truth


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = g.GCNConv(8, 16)
        self.second = g.GATConv(16, 4, heads=2)
        self.third = g.SAGEConv(8, 4)
        self.norm = g.BatchNorm(16)

    def forward(self, x, edges):
        x = self.norm(self.first(x, edges)).relu()
        x = torch.nn.functional.dropout(x, 0.5, self.training)
        return self.third(self.second(x, edges), edges).log_softmax(-1)


model = Net()
compiled = torch.compile(model, backend=truth.backend)
compiled(torch.randn(10, 8), torch.randint(0, 10, (2, 30))).sum().backward()
truth.modules(model)

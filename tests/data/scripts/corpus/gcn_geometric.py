"""Graph convolutions of torch_geometric on graphs of several sizes, with and without edge weights."""
import torch
from torch_geometric.nn import GCNConv, global_mean_pool

torch.manual_seed(0)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = GCNConv(4, 8), GCNConv(8, 2)

    def forward(self, x, edges, weight=None):
        x = self.first(x, edges, weight).relu()
        return global_mean_pool(self.second(x, edges, weight), None)


net = torch.compile(Net(), backend="eager")
for nodes, edges in ((5, 8), (7, 12), (9, 12)):
    pairs = torch.randint(0, nodes, (2, edges))
    net(torch.randn(nodes, 4), pairs).sum().backward()
net(torch.randn(9, 4), pairs, torch.rand(12)).sum().backward()

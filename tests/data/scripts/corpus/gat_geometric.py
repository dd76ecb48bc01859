"""Attention over the edges of a graph (torch_geometric GAT), in training with dropout and in evaluation."""
import torch
from torch_geometric.nn import GATConv, SAGEConv

torch.manual_seed(0)
gat = torch.compile(GATConv(4, 4, heads=2, dropout=0.5), backend="eager")
sage = torch.compile(SAGEConv(4, 4, aggr="max"), backend="eager")
for nodes in (4, 6, 6):
    x, edges = torch.randn(nodes, 4), torch.randint(0, nodes, (2, 10))
    gat(x, edges).sum().backward()
    sage(x, edges)
gat.eval()
gat(x, edges)

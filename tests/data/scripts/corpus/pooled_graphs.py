"""A library's function that reads the number of graphs from a tensor, called for batches of different sizes and numbers."""
import torch
from torch_geometric.nn import global_max_pool

torch._dynamo.config.recompile_limit = 3


@torch.compile(backend="eager")
def pooled(x, batch):
    return global_max_pool(x, batch) + 1


for nodes, graphs, dtype in ((6, 3, torch.float32), (8, 3, torch.float32), (9, 2, torch.float32), (9, 1, torch.float64), (7, 2, torch.float64)):
    pooled(torch.randn(nodes, 4, dtype=dtype), torch.arange(nodes) * graphs // nodes)

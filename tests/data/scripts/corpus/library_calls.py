"""Calls into libraries that Dynamo cannot trace: a metric of torchmetrics that is updated in a compiled step, and degree() of torch_geometric with a property of a batch as the number of nodes."""

import torch
import torchmetrics
from torch_geometric.data import Batch, Data
from torch_geometric.utils import degree

torch.manual_seed(0)
metric = torchmetrics.MeanAbsoluteError()
net = torch.nn.Linear(4, 1)


@torch.compile(backend="eager")
def step(x, y):
    out = net(x).squeeze(1)
    metric.update(out, y)
    return (out - y).square().mean()


@torch.compile(backend="eager")
def weights(batch):
    return degree(batch.edge_index[0], batch.num_nodes).clamp(min=1).pow(-0.5)


def main():
    for rows in (4, 4):
        step(torch.randn(rows, 4), torch.randn(rows)).backward()
    print(metric.compute().item())
    edges = torch.tensor([[0, 1, 2], [1, 2, 0]])
    print(weights(Batch.from_data_list([Data(x=torch.ones(3, 2), edge_index=edges) for _ in range(2)])))


main()

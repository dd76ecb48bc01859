"""Batches of one row: the last one of an epoch in training and in evaluation, the first one of a run, and sequences of length 1."""

import torch

torch.manual_seed(0)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)

    def forward(self, x):
        return self.linear(x).relu()


@torch.compile(backend="aot_eager")
def train_step(net, x):
    return net(x).square().mean()


@torch.compile(backend="aot_eager")
def of_any_size(net, x):
    return net(x).square().sum()


@torch.compile(backend="aot_eager")
def evaluate(net, x):
    return net(x).argmax(1)


@torch.compile(backend="aot_eager")
def warmed_up(net, x):
    return net(x).mean()


@torch.compile(backend="aot_eager")
def sequence(net, x):
    return net(x).sum()


net = Net()
data = torch.utils.data.TensorDataset(torch.randn(5, 4))
for epoch in range(2):
    for (x,) in torch.utils.data.DataLoader(data, batch_size=2):
        train_step(net, x).backward()
for rows in (3, 4, 1):
    of_any_size(net, torch.randn(rows, 4)).backward()
with torch.no_grad():
    for (x,) in torch.utils.data.DataLoader(data, batch_size=2):
        evaluate(net, x)
for rows in (1, 4):
    warmed_up(net, torch.randn(rows, 4)).backward()
for length in (3, 1):
    sequence(net, torch.randn(2, length, 4)).backward()

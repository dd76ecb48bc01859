"""torch._dynamo.export, which makes sizes dynamic by itself, beside torch.compile(dynamic=True), which says so."""
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.relu() + x.shape[0]


def function(x):
    return x.cos() * 2


def wrapped():
    return torch._dynamo.export(function)(torch.ones(5, 3))


torch._dynamo.export(Model())(torch.ones(4, 3))
wrapped()
torch._dynamo.reset()
torch.compile(Model(), backend="eager", dynamic=True)(torch.ones(6, 3))
torch.compile(function, backend="eager", dynamic=True)(torch.ones(7, 3))

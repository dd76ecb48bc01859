"""Two exports with torch.cond, which PyTorch compiles by itself in each of them, and a function with two backends of one name."""

import torch


class Gate(torch.nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda a: a.sin() * 2, lambda a: a.cos(), (x,)) * self.scale


def make_backend():
    def backend(graph, inputs):
        return graph.forward

    return backend


def double(x):
    return x * 2


x = torch.ones(4)
for scale in (2, 3):
    program = torch.export.export(Gate(scale), (x,), strict=False)
for _ in range(2):
    torch.compile(double, backend=make_backend())(x)
torch.compile(double, backend="eager")(x)

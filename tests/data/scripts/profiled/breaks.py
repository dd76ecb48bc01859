"""A graph break with much eager work in its gap, and one with little."""
import torch
from common import recorded


@torch.compiler.disable
def outside(x):
    for _ in range(30):
        x = x @ x.T @ x * 1e-4
    return x


@torch.compile
def run(x):
    y = torch.relu(x) + 1
    y = outside(y)
    y = torch.tanh(y) * 2
    torch._dynamo.graph_break()
    return y.sum() + 3


x = torch.randn(96, 96)
run(x)
recorded("breaks", lambda i: run(x))

"""A model with a graph break that splits it, and a later one inside a `with`, which cannot be split: fixed in the wrong order, less is compiled."""
import contextlib
import os

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(16, 16)
        self.second = torch.nn.Linear(16, 4)

    def forward(self, x):
        x = torch.relu(self.first(x))
        if os.environ.get("FIXED") is None:
            print("hidden", tuple(x.shape))
        x = x * 2
        with scope():
            x = self.second(x)
            torch._dynamo.graph_break()
        return x + 1


@contextlib.contextmanager
def scope():
    try:
        yield
    finally:
        os.getpid()


def main():
    torch.manual_seed(0)
    net = Net()
    compiled = torch.compile(net)
    for _ in range(2):
        compiled(torch.randn(8, 16))


main()

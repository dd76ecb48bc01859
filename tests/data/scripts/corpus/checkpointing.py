"""Activation checkpointing in a compiled model with a flag that turns it off, and a custom autograd function."""
import torch
from torch.utils.checkpoint import checkpoint


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.keep = torch.nn.Linear(4, 4), False

    def forward(self, x):
        y = self.a(x) if self.keep else checkpoint(self.a, x, use_reentrant=False)
        return Twice.apply(y)


net = Net()
fast = torch.compile(net, backend="aot_eager")
for net.keep, batch in ((False, 2), (True, 2), (True, 5)):
    fast(torch.ones(batch, 4)).sum().backward()

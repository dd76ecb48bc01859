"""Compiled Autograd says why it captures a backward: needs TORCH_LOGS=compiled_autograd_verbose. Three shapes of one
backward (the second makes sizes dynamic), then a backward with other nodes."""
import torch
from torch._dynamo import compiled_autograd


def backward(loss):
    with compiled_autograd._enable(torch.compile(backend="eager", dynamic=True)):
        loss.backward()


w = torch.ones(2, 2, requires_grad=True)
for size in (3, 4, 5):
    backward((torch.ones(size, 2, requires_grad=True) @ w).sin().sum())
backward((torch.ones(3, 2, requires_grad=True) @ w).cos().exp().sum())

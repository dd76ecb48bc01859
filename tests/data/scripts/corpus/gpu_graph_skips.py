"""CUDA graphs on a GPU (`mode="reduce-overhead"`) and what makes Inductor skip them: an input that is changed, a tensor of the CPU, an operator that a CUDA graph cannot hold."""

import torch

mode = {"mode": "reduce-overhead"}


@torch.compile(**mode)
def good(x, w):
    return torch.relu(x @ w).softmax(-1)


@torch.compile(**mode)
def mutates(x, cache):
    cache.add_(x)
    return cache.sum() + x


@torch.compile(**mode)
def two_devices(x, table):
    return x * table.sum().cuda() + 1


@torch.compile(**mode)
def to_cpu(x):
    return (x * 2).sum(0).cpu() + 1


@torch.compile(**mode)
def nonzero(x):
    with_size = torch.nonzero(x > 0)
    return with_size.sum() * x.mean()


@torch.compile(**mode)
def cpu_only(x):
    return x.sin() + x.cos()


x = torch.randn(64, 64, device="cuda")
w = torch.randn(64, 64, device="cuda")
torch._dynamo.config.capture_dynamic_output_shape_ops = True
for _ in range(4):
    torch.compiler.cudagraph_mark_step_begin()
    good(x, w)
    mutates(x, torch.zeros(64, 64, device="cuda"))
    two_devices(x, torch.ones(4))
    to_cpu(x)
    nonzero(x)
    cpu_only(torch.randn(8))
torch.cuda.synchronize()

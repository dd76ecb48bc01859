"""A nested compile region (invoke_subgraph) used three times, with a backward; activation checkpointing next to it."""
import torch
import torch.utils.checkpoint


@torch.compiler.nested_compile_region
def layer(x, w):
    return torch.sin(x @ w)


@torch.compile(backend="aot_eager", fullgraph=True)
def thrice(x, w):
    for _ in range(3):
        x = layer(x, w)
    return x.sum()


@torch.compile(backend="aot_eager", fullgraph=True)
def inference(x, w):
    return layer(layer(x, w), w)


@torch.compile(backend="aot_eager_decomp_partition", fullgraph=True)
def checkpointed(x, w):
    y = torch.utils.checkpoint.checkpoint(lambda t: torch.relu(t @ w), x, use_reentrant=False)
    return y.cos().sum()


w = torch.eye(4, requires_grad=True)
thrice(torch.ones(4, 4, requires_grad=True), w).backward()
with torch.no_grad():
    inference(torch.ones(4, 4), w)
checkpointed(torch.ones(4, 4, requires_grad=True), w).backward()

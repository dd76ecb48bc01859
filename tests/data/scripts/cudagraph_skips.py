"""CUDA graphs that are requested and skipped: the backend `cudagraphs` on inputs that a CUDA graph cannot take.

`step` computes on the CPU alone, so its graph is skipped when it is first compiled; it is compiled twice, and skipped
both times for the same line. `train` has a backward: PyTorch gives up on CUDA graphs with the forward, and logs nothing
for the backward. `update` changes its input, which stays in its graph. `plain` asks for no CUDA graph.
`asked` does, of Inductor, which skips it on the CPU without a word in the log.
"""

import torch


@torch.compile(backend="cudagraphs")
def step(x):
    return torch.relu(x) + 1


@torch.compile(backend="cudagraphs")
def train(x, w):
    return (x @ w).relu().sum()


@torch.compile(backend="cudagraphs")
def update(x):
    y = x * 2
    x.add_(y)
    return y


@torch.compile
def plain(x):
    return x * 2 - 1


@torch.compile(mode="reduce-overhead")
def asked(x):
    return x.cos() + 3


step(torch.randn(8))
step(torch.randn(6))
w = torch.randn(8, 8, requires_grad=True)
train(torch.randn(8, 8), w).backward()
with torch._dynamo.config.patch(cudagraph_backend_keep_input_mutation=True):
    update(torch.randn(8))
plain(torch.randn(8))
asked(torch.randn(8))

"""C++ kernels of one graph, between matrix products: two threads compile them at the same time while the compile waits."""
import torch
import torch._inductor.config

torch._inductor.config.compile_threads = 2


@torch.compile
def four(x, w):
    y = torch.softmax(x.sin(), -1) @ w
    z = torch.nn.functional.layer_norm(y, (32,)) @ w
    return torch.logsumexp(torch.tanh(z), -1) @ w


four(torch.randn(32, 32), torch.randn(32, 32))

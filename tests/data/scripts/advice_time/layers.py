"""Six layers with kernels of their own: matrix products separate them."""
import torch

torch.manual_seed(0)
OPS = [torch.relu, torch.tanh, torch.sigmoid, torch.exp, torch.sin, torch.cos]

@torch.compile
def layers(x, weights):
    for n, weight in enumerate(weights):
        x = OPS[n](x @ weight + n) * (n + 2)
        x = x / (x.abs().sum(-1, keepdim=True) + 1)
    return x

with torch.no_grad():
    layers(torch.rand(4, 16), [torch.rand(16, 16) for _ in OPS])

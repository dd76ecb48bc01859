"""Kernels compiled by processes of their own, as on a GPU: PyTorch then measures how long a compile waits for them. Needs
TORCHINDUCTOR_COMPILE_THREADS=2."""
import torch


@torch.compile
def f(x, y):
    return torch.softmax(x @ y, dim=-1).sum(), (x.sin() + 1).cumsum(0)


if __name__ == "__main__":
    f(torch.randn(16, 8), torch.randn(8, 16))
    f(torch.randn(24, 8), torch.randn(8, 24))

"""One function, compiled for one size and then for any: the profile has calls of both."""
import torch
from common import recorded, with_kernel_events

with_kernel_events()


@torch.compile
def scale(x, w):
    y = torch.relu(x @ w)
    return y / y.sum(dim=-1, keepdim=True).clamp(min=1.0)


w = torch.randn(64, 64)
scale(torch.randn(8, 64), w)
scale(torch.randn(12, 64), w)
recorded("dynamic", lambda i: scale(torch.randn((8, 12, 16, 8)[i], 64), w))

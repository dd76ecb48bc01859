"""`mode="max-autotune"` on a GPU: matrix products, a batched one, a convolution, and what is fused into them; the second call has another size."""

import torch
from torch import nn


@torch.compile(mode="max-autotune-no-cudagraphs")
def mlp(x, w1, b1, w2):
    return torch.relu(torch.addmm(b1, x, w1)) @ w2


@torch.compile(mode="max-autotune-no-cudagraphs")
def scores(q, k):
    return torch.bmm(q, k.transpose(1, 2)) * 0.125


conv = nn.Conv2d(16, 32, 3, padding=1).cuda().half()


@torch.compile(mode="max-autotune-no-cudagraphs")
def image(x):
    return torch.relu(conv(x))


def h(*size):
    return torch.randn(*size, device="cuda", dtype=torch.float16)


with torch.no_grad():
    mlp(h(256, 128), h(128, 256), h(256), h(256, 64))
    mlp(h(512, 128), h(128, 256), h(256), h(256, 64))
    scores(h(8, 64, 64), h(8, 64, 64))
    image(h(4, 16, 32, 32))
torch.cuda.synchronize()

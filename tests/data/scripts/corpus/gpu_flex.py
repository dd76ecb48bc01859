"""Flex attention on a GPU: a causal block mask, a sliding window, a score_mod with a tensor; training, and a second length."""

import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

flex = torch.compile(flex_attention)
bias = torch.randn(4, device="cuda")


def causal(b, h, q, k):
    return q >= k


def window(b, h, q, k):
    return (q >= k) & (q - k < 64)


def slope(score, b, h, q, k):
    return score + bias[h] * (k - q)


def inputs(n):
    return [torch.randn(2, 4, n, 32, device="cuda", requires_grad=True) for _ in range(3)]


for n, mask in ((256, causal), (256, window), (512, causal)):
    block = create_block_mask(mask, None, None, n, n)
    q, k, v = inputs(n)
    flex(q, k, v, block_mask=block).sum().backward()
q, k, v = inputs(256)
flex(q, k, v, score_mod=slope).sum().backward()
torch.cuda.synchronize()

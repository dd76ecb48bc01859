"""flex_attention with causal, sliding and document masks on the CPU, at two lengths."""
import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

torch.manual_seed(0)
window = 4


def causal(b, h, q, k):
    return q >= k


def sliding(b, h, q, k):
    return (q >= k) & (q - k <= window)


attend = torch.compile(flex_attention, backend="eager")
for length in (128, 256):
    q, k, v = (torch.randn(1, 2, length, 16) for _ in range(3))
    for mask in (causal, sliding):
        attend(q, k, v, block_mask=create_block_mask(mask, None, None, length, length, device="cpu"))
attend(q, k, v, score_mod=lambda s, b, h, i, j: s + (i - j))

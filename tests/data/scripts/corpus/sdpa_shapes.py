"""Scaled dot product attention with masks that come and go, and a decoder loop over growing keys."""
import torch
import torch.nn.functional as F

torch.manual_seed(0)


@torch.compile(backend="aot_eager")
def attend(q, k, v, mask=None, is_causal=False):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=is_causal)


q = torch.randn(1, 2, 1, 4)
for length in range(1, 6):
    k = torch.randn(1, 2, length, 4)
    attend(q, k, k)
attend(k, k, k, is_causal=True)
attend(k, k, k, mask=torch.ones(5, 5, dtype=torch.bool))

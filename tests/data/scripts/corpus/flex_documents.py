"""Flex attention on the CPU with a mask of packed documents: for dynamic sizes, Inductor writes C++ code that does not compile."""
import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

torch.manual_seed(0)


@torch.compile
def attend(x, mask):
    q = k = v = x.view(1, x.shape[0], 2, 16).transpose(1, 2)
    return flex_attention(q, k, v, block_mask=mask)


with torch.no_grad():
    for n in (128, 256):
        docs = torch.arange(n) // 50
        mask = create_block_mask(lambda b, h, q, k: docs[q] == docs[k], None, None, n, n, device="cpu")
        print(attend(torch.randn(n, 32), mask).shape)

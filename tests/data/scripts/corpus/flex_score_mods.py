"""flex_attention with score functions that close over a soft cap, a bias and document ids, all of which change between calls."""
import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

torch.manual_seed(0)
attend = torch.compile(flex_attention, backend="eager")


def capped(limit):
    def score(s, b, h, q, k):
        return limit * torch.tanh(s / limit)
    return score


def biased(bias):
    def score(s, b, h, q, k):
        return s + bias[h, q - k + 127]
    return score


def within(documents):
    def mask(b, h, q, k):
        return documents[q] == documents[k]
    return create_block_mask(mask, None, None, len(documents), len(documents), device="cpu")


q, k, v = (torch.randn(1, 2, 128, 16) for _ in range(3))
for limit in (20.0, 30.0):  # the second one does not compile: a float that changes becomes a symbol
    try:
        attend(q, k, v, score_mod=capped(limit))
    except Exception as error:
        print(type(error).__name__)
for heads in (2, 4):
    attend(q, k, v, score_mod=biased(torch.randn(heads, 255)))
for parts in (2, 4):
    ids = torch.arange(128) * parts // 128
    attend(q, k, v, block_mask=within(ids))

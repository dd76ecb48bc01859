"""Pieces like those of vLLM: block tables, slot mapping, prefill and decode in one compiled function with marked dimensions."""
import torch

torch.manual_seed(0)
cache = torch.zeros(8, 4, 2, 4)


@torch.compile(backend="aot_eager")
def attend(q, k, v, slots, tables, lens):
    cache.view(-1, 2, 4)[slots] = k
    out = []
    for i in range(tables.shape[0]):
        keys = cache[tables[i]].reshape(-1, 2, 4)
        out.append(torch.einsum("hd,shd->hs", q[i], keys).softmax(-1).sum())
    return torch.stack(out)


for tokens in (2, 5, 3):
    q, k, v = (torch.randn(tokens, 2, 4) for _ in range(3))
    torch._dynamo.mark_dynamic(k, 0)
    attend(q, k, v, torch.arange(tokens), torch.randint(0, 8, (min(tokens, 3), 2)), torch.ones(tokens))

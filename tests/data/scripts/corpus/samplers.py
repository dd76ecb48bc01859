"""Top-k, top-p and greedy sampling of tokens in one compiled function with keyword arguments."""
import torch

torch.manual_seed(0)


@torch.compile(backend="eager")
def sample(logits, temperature=1.0, top_k=None, top_p=None, greedy=False):
    if greedy:
        return logits.argmax(-1)
    logits = logits / temperature
    if top_k is not None:
        limit = logits.topk(top_k).values[..., -1:]
        logits = logits.masked_fill(logits < limit, float("-inf"))
    if top_p is not None:
        order, index = logits.sort(descending=True)
        cut = order.softmax(-1).cumsum(-1) > top_p
        logits = logits.masked_fill(cut.scatter(1, index, cut), float("-inf"))
    return torch.multinomial(logits.softmax(-1).nan_to_num(0.1), 1)


for batch in (1, 3):
    logits = torch.randn(batch, 20)
    sample(logits, greedy=True)
    sample(logits, temperature=0.7)
    sample(logits, temperature=0.8, top_k=5)
    sample(logits, top_k=8, top_p=0.9)

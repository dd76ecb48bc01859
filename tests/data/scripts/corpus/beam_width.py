"""A beam of width 1, then of others: the code takes another path for one candidate, in PyTorch 2.15, where the number 1 can be a symbol."""
import torch


@torch.compile(backend="aot_eager")
def search(scores, beam):
    score, token = scores.log_softmax(-1)[:, -1].topk(beam)
    return score, token


for beam in (1, 4, 8):
    print(search(torch.randn(3, 5, 20), beam)[0].shape)

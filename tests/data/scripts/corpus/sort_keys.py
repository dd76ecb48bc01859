# Sequences in the order of their lengths: once the lengths are dynamic, they are no keys to sort by.
import torch


@torch.compile(backend="aot_eager")
def pad(xs):
    lengths = [len(x) for x in xs]
    order = sorted(range(len(xs)), key=lambda i: lengths[i])
    return torch.nn.utils.rnn.pad_sequence([xs[i] for i in order]).sum(0)


for i in range(3):
    pad([torch.randn(3 + (i * j) % 4) for j in range(3)])

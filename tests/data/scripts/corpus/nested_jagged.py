"""Nested (jagged) tensors with several lengths, and a function that gets a list of tensors."""
import torch


@torch.compile(backend="aot_eager")
def f(x):
    return x.sin() * 2


@torch.compile(backend="eager")
def pad(xs):
    return torch.nn.utils.rnn.pad_sequence(xs, batch_first=True)


for lengths in ((2, 3), (4, 1), (1, 2, 3)):
    xs = [torch.ones(n, 4) for n in lengths]
    f(torch.nested.nested_tensor(xs, layout=torch.jagged))
    pad(xs)

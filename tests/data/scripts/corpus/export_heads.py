"""Exports of an encoder with positions and heads: one of two equal sizes is left static, and sizes that their `Dim` declares."""
import torch
from torch.export import Dim


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(32, 16)
        self.places = torch.nn.Parameter(torch.zeros(64, 16))
        self.qkv = torch.nn.Linear(16, 48)

    def forward(self, ids, mask):
        rows, length = ids.shape
        x = self.embed(ids) + self.places[:length]
        q, k, v = self.qkv(x).view(rows, length, 3, 2, 8).permute(2, 0, 3, 1, 4).unbind(0)
        bias = (1 - mask)[:, None, None, :] * -1e9
        weights = (q @ k.transpose(-1, -2) + bias).softmax(-1)
        return (weights @ v).transpose(1, 2).reshape(rows, length, 16)


def attempt(name, shapes, strict):
    args = torch.randint(0, 32, (2, 8)), torch.ones(2, 8)
    try:
        torch.export.export(Encoder(), args, dynamic_shapes=shapes, strict=strict)
        print(name, "exported")
    except Exception as error:
        print(name, type(error).__name__, "\n".join(str(error).splitlines()[:12]))


batch, length = Dim("batch", min=1, max=16), Dim("length", min=2, max=64)
for strict in False, True:
    attempt("one static", {"ids": {0: batch, 1: length}, "mask": {0: batch}}, strict)
    attempt("both", {"ids": {0: batch, 1: length}, "mask": {0: batch, 1: length}}, strict)
    attempt("unbounded", {"ids": {0: Dim("n"), 1: Dim("t")}, "mask": {0: Dim("n"), 1: Dim("t")}}, strict)
    attempt("auto", {"ids": {0: Dim.AUTO, 1: Dim.AUTO}, "mask": {0: Dim.AUTO}}, strict)

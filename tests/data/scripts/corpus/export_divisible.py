"""Exports whose code needs sizes that are multiples of a number: declared as any, as a multiple, and left to PyTorch."""
import torch
from torch.export import Dim


class Chunks(torch.nn.Module):
    def forward(self, x):
        return x.view(x.shape[0], -1, 4).sum(-1)


class Pairs(torch.nn.Module):
    def forward(self, x):
        return x * 2 if x.shape[1] % 2 == 0 else x


batch = Dim("batch", min=2, max=32)
for model in Chunks(), Pairs():
    for size in Dim("size", min=4, max=64), 4 * Dim("quarter", min=1, max=16), Dim.AUTO:
        try:
            torch.export.export(model, (torch.ones(2, 8),), dynamic_shapes={"x": {0: batch, 1: size}}, strict=False)
            print(type(model).__name__, size, "exported")
        except Exception as error:
            print(type(model).__name__, size, type(error).__name__)

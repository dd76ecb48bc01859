"""Layers of a list, each compiled in place with Module.compile(): they share the versions of forward() and reach its limit together.

`i` gives layers 0 and 1 other versions than 2 and 3, and the sizes of the weights those of an odd number. The second size of the batch recompiles
each layer once; the third is refused, though each layer alone has two versions.
"""
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, i):
        super().__init__()
        width = 12 + 2 * (i % 2)
        self.w1 = nn.Linear(6, width)
        self.w2 = nn.Linear(width, 6)
        self.i = i // 2

    def forward(self, x):
        return x + self.w2(torch.sigmoid(self.w1(x))) * (self.i + 1.5)


layers = nn.ModuleList(Layer(i) for i in range(4))
for layer in layers:
    layer.compile(backend="eager")
for batch in 2, 3, 1:
    x = torch.ones(batch, 6)
    for layer in layers:
        x = layer(x)

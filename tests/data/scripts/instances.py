"""Three modules of one class, each compiled for itself: they share the versions of its forward().

`first` and `second` fit one version until `second` gets another size; `third` has a number of its own, so it gets another version. In the
second part, the versions of one module have the same parameters.
"""
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))
        self.factor = factor

    def forward(self, x):
        return (x * self.weight).sin() * self.factor


class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = nn.Parameter(torch.ones(4))

    def forward(self, x):
        return (x + self.bias).cos()


first, second, third = (torch.compile(Scale(factor)) for factor in (2, 2, 3))
first(torch.ones(2, 4))
second(torch.ones(2, 4))
second(torch.ones(3, 4))
third(torch.ones(2, 4))
only = torch.compile(Shift())
only(torch.ones(2, 4))
only(torch.ones(3, 4))

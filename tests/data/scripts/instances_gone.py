"""Modules that are created, compiled, called and dropped one after the other: the addresses of their parameters are used again.

The last line of the output says which ones had an address that an earlier one had. `Kept` has the versions of one module whose attribute changes.
"""
import gc

import torch
from torch import nn


class Gone(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.name = f"size {size}"

    def forward(self, x):
        return (x * self.weight).sum() + len(self.name)


class Kept(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))
        self.name = "first"

    def forward(self, x):
        return (x * self.weight).sum() + len(self.name)


def call(size):
    module = Gone(size)
    torch.compile(module, backend="eager")(torch.ones(2, size))
    return id(module.weight)


addresses = []
for size in range(3, 11):
    addresses.append(call(size))
    gc.collect()
kept = Kept()
compiled = torch.compile(kept, backend="eager")
compiled(torch.ones(2, 4))
kept.name = "second"
compiled(torch.ones(2, 4))
print([addresses.index(address) for address in addresses])

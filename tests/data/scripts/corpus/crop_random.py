"""Augmentation that crops at a random place, and an integer of a module that indexes a list."""
import random

import torch


@torch.compile(backend="aot_eager")
def crop(x, size):
    i = random.randint(0, 3)
    return x[:, i : i + size] * 2


class Ring(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.at = 0
        self.scales = [0.5, 1.0, 2.0, 4.0]

    def forward(self, x):
        y = x * self.scales[self.at]
        self.at = (self.at + 1) % 4
        return y


random.seed(0)
ring = torch.compile(Ring(), backend="aot_eager")
for _ in range(4):
    crop(torch.randn(2, 12), 8)
    ring(torch.randn(3))

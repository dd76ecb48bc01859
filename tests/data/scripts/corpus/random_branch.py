"""Stochastic depth: modules that branch on Python's random numbers and on an attribute, which has two values."""
import random

import torch


class Block(torch.nn.Module):
    def __init__(self, drop):
        super().__init__()
        self.drop = drop

    def forward(self, x):
        if self.training and random.random() < self.drop:
            return x
        return x.sin() * (1 - self.drop)


def chosen(x):
    x = x * 2
    if random.randint(0, 3) > 1:
        return x + 1
    return x


def tested(x):
    x = x * 2
    if x.sum() > 4:
        return x + 1
    return x


for drop in (0.25, 0.5):
    block = Block(drop)
    block.compile(backend="aot_eager")
    for _ in range(3):
        block(torch.ones(3))
torch.compile(chosen, backend="aot_eager")(torch.ones(3))
torch.compile(tested, backend="aot_eager")(torch.ones(3))

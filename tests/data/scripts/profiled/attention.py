"""A transformer's encoder layer of torch.nn, training."""
import torch
from common import recorded, with_kernel_events

with_kernel_events()
layer = torch.nn.TransformerEncoderLayer(64, 4, 128, dropout=0.1, batch_first=True)
compiled = torch.compile(layer)
x = torch.randn(2, 24, 64)


def step(i):
    compiled(x).sum().backward()


step(0)
recorded("attention", step)

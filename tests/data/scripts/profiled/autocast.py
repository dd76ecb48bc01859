"""Autocast to bfloat16, training."""
import torch
from common import recorded, with_kernel_events

with_kernel_events()
net = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.ReLU(), torch.nn.Linear(128, 32))
x, y = torch.randn(32, 64), torch.randn(32, 32)


@torch.compile
def loss_of(x, y):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return torch.nn.functional.mse_loss(net(x).float(), y)


def step(i):
    loss_of(x, y).backward()


step(0)
recorded("autocast", step)

"""A CUDA graph for each size of a dynamic input (`mode="reduce-overhead"`, `dynamic=True`): one recording per size."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(32, 64)
        self.fc2 = nn.Linear(64, 8)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


net = torch.compile(Net().cuda(), mode="reduce-overhead", dynamic=True)
with torch.no_grad():
    for n in range(2, 14):
        for _ in range(2):
            net(torch.randn(n, 32, device="cuda"))
torch.cuda.synchronize()

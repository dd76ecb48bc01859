"""Inference of a small network, without events of kernels."""
import torch
from common import recorded


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(256, 512)
        self.second = torch.nn.Linear(512, 256)

    def forward(self, x):
        h = torch.nn.functional.gelu(self.first(x))
        return torch.softmax(x + self.second(h), dim=-1)


net = Net().eval()
compiled = torch.compile(net)
x = torch.randn(128, 256)
with torch.no_grad():
    compiled(x)
    recorded("inference", lambda i: compiled(x))

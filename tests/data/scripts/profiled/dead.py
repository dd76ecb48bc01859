"""A version that the profiled calls never use, and an expensive guard."""
import torch
from common import recorded, with_kernel_events

with_kernel_events()
SETTINGS = {f"key_{i}": i for i in range(400)}


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(32, 32)
        self.names = [f"n{i}" for i in range(200)]

    def forward(self, x, flag):
        total = 0
        for name in self.names:
            total += len(name)
        for i in range(400):
            total += SETTINGS[f"key_{i}"]
        return self.layer(x) * (total if flag else 1)


net = Net()
compiled = torch.compile(net)
x = torch.randn(16, 32)
with torch.no_grad():
    compiled(x, False)
    compiled(x, True)
    recorded("dead", lambda i: compiled(x, True))

"""Training with events of kernels: forward, backward, and an optimizer that runs eagerly."""
import torch
from common import recorded, with_kernel_events

with_kernel_events()


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.up = torch.nn.Linear(width, 4 * width)
        self.down = torch.nn.Linear(4 * width, width)

    def forward(self, x):
        h = self.norm(x)
        h = torch.nn.functional.gelu(self.up(h))
        return x + self.down(h)


net = torch.nn.Sequential(Block(64), Block(64))
compiled = torch.compile(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
x, y = torch.randn(64, 64), torch.randn(64, 64)


def step(i):
    optimizer.zero_grad()
    loss = torch.nn.functional.mse_loss(compiled(x), y)
    loss.backward()
    optimizer.step()


step(0)
recorded("training", step)

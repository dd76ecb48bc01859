"""The optimizer's step is compiled too."""
import torch
from common import recorded, with_kernel_events

with_kernel_events()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = torch.nn.Linear(32, 32), torch.nn.Linear(32, 8)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=torch.tensor(0.01))
forward = torch.compile(net)
x = torch.randn(16, 32)


@torch.compile
def update():
    optimizer.step()


def step(i):
    optimizer.zero_grad()
    forward(x).square().sum().backward()
    update()


step(0)
step(1)
recorded("optimizer", step)

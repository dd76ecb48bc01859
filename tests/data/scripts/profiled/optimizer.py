"""The optimizer's step is compiled too."""
import torch
from common import recorded, with_kernel_events

with_kernel_events()
net = torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.Tanh(), torch.nn.Linear(32, 8))
optimizer = torch.optim.Adam(net.parameters(), lr=torch.tensor(0.01))
update = torch.compile(optimizer.step)
forward = torch.compile(net)
x = torch.randn(16, 32)


def step(i):
    optimizer.zero_grad()
    forward(x).square().sum().backward()
    update()


step(0)
step(1)
recorded("optimizer", step)

"""Two optimizers, each with parameters of its own sizes, and a function whose size must equal that of a weight."""
import torch

one, two = torch.nn.Linear(2, 8), torch.nn.Linear(8, 2)
first, second = torch.optim.Adam(one.parameters()), torch.optim.Adam(two.parameters())


@torch.compile(backend="aot_eager")
def step(optimizer):
    optimizer.step()


@torch.compile(backend="eager")
def apply(x, weight):
    return x @ weight


for _ in range(3):
    for net, optimizer in ((one, first), (two, second)):
        optimizer.zero_grad()
        net(torch.ones(3, net.in_features)).sum().backward()
        step(optimizer)
for size in (4, 8):
    apply(torch.ones(3, size), torch.nn.Parameter(torch.ones(size, 2)))

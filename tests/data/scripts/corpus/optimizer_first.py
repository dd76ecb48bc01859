"""A compiled step of SGD with momentum, whose state is empty before the first step."""
import torch

w = torch.nn.Parameter(torch.ones(3))
optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)
step = torch.compile(optimizer.step, backend="eager")
for _ in range(3):
    w.grad = torch.ones(3)
    step()

"""Gradient accumulation with `trace_autograd_ops`: the gradients are inputs, `None` in the first call after `zero_grad()`."""
import torch

torch._dynamo.config.trace_autograd_ops = True
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


@torch.compile(backend="aot_eager")
def step(x):
    loss = net(x).sum()
    loss.backward()
    return loss.detach()


for i in range(6):
    step(torch.ones(3, 4))
    if i % 3 == 2:
        optimizer.step()
        optimizer.zero_grad()

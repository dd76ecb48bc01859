"""Functions that call backward() in the compiled code: before a graph break that needs the loss, and at their end."""

import torch

torch.manual_seed(0)


@torch.compile(backend="aot_eager")
def then_breaks(net, x):
    loss = net(x).square().mean()
    loss.backward()
    torch._dynamo.graph_break()
    return loss.detach() * 2


@torch.compile(backend="aot_eager")
def at_end(net, x):
    loss = net(x).square().sum()
    loss.backward()
    return loss.detach()


net, x = torch.nn.Linear(4, 3), torch.randn(2, 4)
then_breaks(net, x)
at_end(net, x)

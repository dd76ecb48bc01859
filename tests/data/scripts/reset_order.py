"""After torch._dynamo.reset() frames are compiled in another order, so the ids of the same functions change."""
import torch
import torch._dynamo

compiled = torch.compile(backend="eager")


@compiled
def f(x):
    return x.sin()


@compiled
def g(x):
    return x.cos()


@compiled
def late(x):
    return x.tan()


x = torch.ones(3)
f(x)
torch._dynamo.reset()
g(x)
f(x)
torch._dynamo.reset()
f(x)
g(x)
late(x)

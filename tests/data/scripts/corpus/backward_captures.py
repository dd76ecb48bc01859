"""Compiled Autograd: backward passes that are captured once, again for a hook of each call, and again for each size."""
import torch

torch._dynamo.config.compiled_autograd = True


@torch.compile(backend="aot_eager")
def step(net, x):
    net(x).sum().backward()


net = torch.nn.Linear(4, 4)
for _ in range(3):
    step(net, torch.ones(2, 4))
for size in (3, 5, 6):
    step(net, torch.ones(size, 4))


def scaled(factor):
    return lambda grad: grad * factor


hooked = torch.nn.Linear(2, 2)
for factor in (2.0, 3.0, 4.0):
    handle = hooked.weight.register_hook(scaled(factor))
    step(hooked, torch.ones(2, 2))
    handle.remove()

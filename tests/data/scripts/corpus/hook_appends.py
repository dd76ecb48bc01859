"""A step that calls backward() with Compiled Autograd, and a hook of a tensor that adds a number to a list."""
import torch

norms = []


def scaled(grad):
    norms.append(float(grad.norm()))
    return grad * 0.5


@torch.compile(backend="aot_eager")
def step(x):
    hidden = x * 2
    hidden.register_hook(scaled)
    loss = hidden.pow(2).mean()
    loss.backward()
    return loss.detach()


torch._dynamo.config.compiled_autograd = True
for _ in range(2):
    step(torch.ones(3, requires_grad=True))

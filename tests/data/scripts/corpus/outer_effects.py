"""Functions that an operator, a hook or a backward runs, and that change a list of the program: each once, and a hook that does not."""
import torch
from torch.utils.checkpoint import checkpoint

torch._dynamo.config.capture_scalar_outputs = True
norms = []


def noted(grad):
    norms.append(grad.norm().item())
    return grad * 0.5


def halved(grad):
    return grad * 0.5


class Counted(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.exp()

    @staticmethod
    def backward(ctx, grad):
        norms.append(1.0)
        return grad * 2


def listed(x):
    norms.append(0.0)
    return x.sin()


@torch.compile(backend="aot_eager")
def hooked(x, hook):
    hidden = x * 2
    hidden.register_hook(hook)
    return hidden.pow(2)


@torch.compile(backend="aot_eager")
def counted(x):
    return Counted.apply(x * 3) + 1


@torch.compile(backend="aot_eager")
def kept(x):
    return checkpoint(listed, x + 1, use_reentrant=False) * 3


@torch.compile(backend="aot_eager")
def chosen(x):
    return torch.cond(x.sum() > 0, listed, torch.cos, (x + 2,))


x = torch.ones(3, requires_grad=True)
for hook in (halved, noted):
    hooked(x, hook).sum().backward()
counted(x).sum().backward()
kept(x).sum().backward()
try:
    chosen(x)
except Exception as error:
    print(type(error).__name__)

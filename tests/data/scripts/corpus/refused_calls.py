"""Calls that error_on_recompile refuses: with gradients, without, in evaluation mode, with another dtype, and another object."""
import torch


@torch.compile(backend="aot_eager")
def inferred(x):
    return x.tan()


@torch.compile(backend="aot_eager")
def trained(x):
    return x.sin()


@torch.compile(backend="aot_eager")
def typed(x):
    return x.cos()


@torch.compile(backend="aot_eager")
def sized(x):
    return x.exp()


@torch.compile(backend="aot_eager")
def scaled(x, n):
    return x * n


def attempt(function, *args):
    try:
        function(*args)
    except Exception as error:
        print(type(error).__name__)


drop = torch.nn.Dropout()
dropped = torch.compile(drop, backend="aot_eager")
x = torch.ones(3)
with torch.no_grad():
    inferred(x)
trained(x)
typed(x)
sized(x)
scaled(x, 2)
dropped(x)
drop.eval()
with torch._dynamo.config.patch(error_on_recompile=True):
    attempt(inferred, x)
    with torch.no_grad():
        attempt(trained, x)
    attempt(typed, x.double())
    attempt(sized, torch.ones(4))
    attempt(scaled, x, 3)
    attempt(dropped, x)
inferred(x)

"""An error inside of Dynamo: a method that it calls is taken away."""
import torch
import torch._dynamo as dynamo
from torch._dynamo.variables.tensor import TensorVariable

TensorVariable.call_method = None


def inner(x):
    return x.tanh() * 2


@torch.compile(backend="eager")
def outer(x):
    return inner(x)


@torch.compile(backend="eager")
def fallback(x):
    return x.tanh()


try:
    outer(torch.ones(3))
except Exception as e:
    print(type(e).__name__, str(e).split("\n")[0])
with dynamo.config.patch(suppress_errors=True):
    fallback(torch.ones(3))

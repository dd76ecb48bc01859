"""mark_dynamic, maybe_mark_dynamic, mark_static and dynamic=True on one function each; one mark contradicts the code."""
import torch


@torch.compile(backend="eager")
def good(x):
    return x.sum(0)


@torch.compile(backend="eager")
def bad(x):
    return x.view(2, 2) + 1


@torch.compile(backend="eager", dynamic=True)
def always(x, k):
    return x * k if x.shape[0] > 4 else x + k


for n in (3, 4, 5):
    x = torch.ones(n, 2)
    torch._dynamo.mark_dynamic(x, 0)
    good(x)
    always(torch.ones(n, 2), n)
x = torch.ones(4)
torch._dynamo.mark_dynamic(x, 0)
try:
    bad(x)
except Exception as error:
    print(type(error).__name__)
good(torch.ones(1, 2))

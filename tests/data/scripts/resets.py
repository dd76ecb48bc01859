"""The same two functions in three generations, between torch._dynamo.reset(): every id comes back."""
import torch
import torch._dynamo


@torch.compile(backend="eager", dynamic=False)
def f(x):
    return x.sin() + 1


@torch.compile(backend="aot_eager")
def g(x, loud):
    y = x * 2
    if loud:
        print("loud")
    return y.cos().sum()


# generation 1: f twice (a recompile for the size), g without a break
f(torch.ones(2))
f(torch.ones(3))
g(torch.ones(4), False)

torch._dynamo.reset()

# generation 2: g first, with a graph break; then f once
g(torch.ones(5), True)
f(torch.ones(6))

torch._dynamo.reset()

# generation 3: f once, g with a backward
f(torch.ones(7))
g(torch.ones(8, requires_grad=True), False).backward()

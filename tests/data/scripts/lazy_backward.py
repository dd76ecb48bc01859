"""Backwards compiled outside any frame: lazily at .backward(), in another thread, and by compiled autograd."""
import threading

import torch
import torch._dynamo


@torch.compile(backend="aot_eager")
def f(x):
    return (x.sin() * x).sum()


@torch.compile(backend="inductor")
def g(x):
    return x.exp().sum()


a = torch.ones(3, requires_grad=True)
b = torch.ones(4, requires_grad=True)
la, lb = f(a), g(b)
torch._dynamo.reset()
la.backward()
t = threading.Thread(target=lb.backward)
t.start()
t.join()

# compiled autograd: three times, with another size and another graph
def step(x, twice):
    y = (x * 2).sum()
    if twice:
        y = y + x.cos().sum()
    with torch._dynamo.compiled_autograd._enable(torch.compile(backend="eager")):
        y.backward()


step(torch.ones(3, requires_grad=True), False)
step(torch.ones(5, requires_grad=True), False)
step(torch.ones(3, requires_grad=True), True)

# direct use of AOTAutograd and Inductor without Dynamo
from functorch.compile import aot_function, nop  # noqa: E402

aot_function(lambda x: x.tanh().sum(), fw_compiler=nop, bw_compiler=nop)(torch.ones(3, requires_grad=True)).backward()
gm = torch.fx.symbolic_trace(lambda x: x.relu() + 1)
torch._inductor.compile(gm, [torch.ones(3)])(torch.ones(3))

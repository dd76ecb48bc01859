"""Functions that are never compiled, and what is compiled below them."""
import torch


@torch._dynamo.disable
def disabled(x):
    return work(x) + 1


def work(x):
    return x.cos() * 2


@torch.compile(backend="eager")
def calls_disabled(x):
    y = x + 1
    return disabled(y) - 1


@torch.compile(backend="eager")
def empty(x):
    print("nothing")
    return None


@torch.compile(backend="eager")
def no_ops(x):
    return x


@torch.compile(backend="eager")
def with_loop(x):
    for i in range(3):
        print("loop", i)
        x = work(x) + i
    return x


@torch.compile(backend="eager")
def recompiles(x, n):
    return x * n


@torch.compile(backend="eager")
def disabled_wholly(x):
    return torch._dynamo.disable(work)(x)


@torch.compile(backend="eager")
def nested_tries(x):
    try:
        torch._dynamo.graph_break()
        x = work(x)
    finally:
        x = x + 1
    return x


x = torch.ones(4)
calls_disabled(x)
empty(x)
no_ops(x)
with_loop(x)
for n in range(4):
    recompiles(x, n)
disabled_wholly(x)
nested_tries(x)
with torch._dynamo.config.patch(disable=True):
    torch.compile(work, backend="eager")(x)
torch.compile(lambda x: work(x), backend="eager")(x)


class M(torch.nn.Module):
    def forward(self, x):
        y = x.relu()
        torch._dynamo.graph_break()
        return y + 1


torch.compile(M(), backend="aot_eager")(x.requires_grad_()).sum().backward()
with torch._dynamo.compiled_autograd._enable(torch.compile(backend="aot_eager")):
    torch.compile(M(), backend="aot_eager")(x).sum().backward()
print("done")

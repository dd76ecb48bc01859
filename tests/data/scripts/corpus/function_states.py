"""Functions that Dynamo compiles, compiles in part, gives up, or finds nothing to compile in."""
import torch


class FirstLine(torch.nn.Module):
    def forward(self, x):
        torch._dynamo.graph_break()
        return torch.relu(x) * 2


@torch.compile(backend="eager")
def whole(x):
    return torch.relu(x) + 1


@torch.compile(backend="eager")
def in_loop(x):
    for i in range(2):
        x = x.sin()
        torch._dynamo.graph_break()
    return x


@torch.compile(backend="eager")
def in_context(x):
    x = x.cos()
    try:
        torch._dynamo.graph_break()
    finally:
        x = x + 1
    return x


@torch.compile(backend="eager")
def many_ints(x, n):
    return x * n.value


@torch.compile(backend="eager")
def only_python(x, names):
    return sorted(name.upper() for name in names)


@torch.compile(backend="eager")
def only_prints(x):
    print("printed")
    return None


@torch.compile(backend="eager")
def only_dynamic(x):
    return x.nonzero()


@torch.compile(backend="eager")
def generates(x):
    for i in range(2):
        yield x.tan() + i


@torch.compile(backend="eager", fullgraph=True)
def refused(x):
    x = x.exp()
    print("a graph break")
    return x


class Value:
    def __init__(self, value):
        self.value = value


x = torch.ones(4)
with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=False):
    whole(x)
    first = torch.compile(FirstLine(), backend="eager")
    first(x), first(x)
    in_loop(x)
    in_context(x)
    with torch._dynamo.config.patch(recompile_limit=2):
        for n in range(5):
            many_ints(x, Value(bool(n) if n < 2 else n))
    only_python(x, ["a", "b"])
    only_prints(x)
    only_dynamic(x)
    print([y.sum().item() for y in generates(x)])
    try:
        refused(x)
    except torch._dynamo.exc.Unsupported as error:
        print(type(error).__name__)
torch._dynamo.reset()
whole(x)

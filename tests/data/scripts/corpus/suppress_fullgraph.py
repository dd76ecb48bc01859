"""suppress_errors with and without fullgraph=True: what raises, and what runs eagerly."""
import torch

torch._dynamo.config.suppress_errors = True


def failing_backend(graph, inputs):
    raise KeyError("kernel")


def inner(x):
    return x.sin()


@torch.compile(backend=failing_backend)
def eager_after(x):
    x = x + 1
    return inner(x)


def deepest(x):
    return x.cos()


def middle(x):
    torch._dynamo.graph_break()
    x = x * 2
    return deepest(x)


@torch.compile(backend=failing_backend)
def nested(x):
    torch._dynamo.graph_break()
    return middle(x)


@torch.compile(backend=failing_backend)
def eager_last(x):
    return x + 2


@torch.compile(backend=failing_backend, fullgraph=True)
def whole_backend(x):
    return x + 3


@torch.compile(backend="eager", fullgraph=True)
def whole_shapes(x):
    return x + torch.ones(3)


@torch.compile(backend="eager", fullgraph=True)
def whole_break(x):
    torch._dynamo.graph_break()
    return x + 4


@torch.compile(backend="eager")
def part_break(x):
    try:
        torch._dynamo.graph_break()
        x = x + 5
    finally:
        x = x + 6
    return x


@torch.compile(backend=failing_backend)
def marked(x):
    with torch._dynamo.error_on_graph_break(True):
        return x + 7


x = torch.ones(4)
for call in (nested, eager_after, whole_backend, whole_shapes, whole_break, part_break, marked, eager_last):
    try:
        call(x)
        print(call.__name__, "returned")
    except Exception as error:
        print(call.__name__, "raised", type(error).__name__)

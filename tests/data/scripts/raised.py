"""What ends a compile with an error: chained exceptions of the program, a backend, Dynamo itself, fullgraph, generators, skipped frames."""
import torch
import torch._dynamo as dynamo

compiled = torch.compile(backend="eager")
whole = torch.compile(backend="eager", fullgraph=True)


def lookup(table, key):
    try:
        return table[key]
    except KeyError as error:
        raise ValueError("no such layer: " + key) from error


@compiled
def chained(x):
    return x * lookup({"a": 1}, "b")


@whole
def chained_whole(x):
    try:
        raise KeyError("first")
    except KeyError:
        raise RuntimeError("second")


def check(n):
    if n > 2:
        raise ValueError("too many rows: " + str(n))


@whole
def raised_deep(x):
    check(x.shape[0])
    return x + 1


def failing_backend(graph, inputs):
    table = {}
    return table["kernel"]


@torch.compile(backend=failing_backend)
def in_backend(x):
    return x + 1


def chained_backend(graph, inputs):
    try:
        {}["kernel"]
    except KeyError as error:
        raise NotImplementedError("no kernel for this graph") from error


@torch.compile(backend=chained_backend)
def in_chained_backend(x):
    return x + 1


@whole
def printed(x):
    print("graph break")
    return x + 1


@whole
def sizes(x, y):
    return x @ y


@compiled
def generates(x):
    yield x + 1
    yield x + 2


@compiled
def over_generator(x):
    return sum(t for t in (x, x + 1))


@compiled
def marked_error(x):
    x = x + 1
    with dynamo.error_on_graph_break(True):
        y = x.sin()
        print("in the region")
    return y


@dynamo.disable
def disabled(x):
    return x * 2


@compiled
def calls_disabled(x):
    return disabled(x) + 1


@whole
def calls_disabled_whole(x):
    return disabled(x) + 1


@torch.compiler.assume_constant_result
def constant():
    return 7


@compiled
def uses_constant(x):
    return x + constant()


@compiled
def catches_op(x, y):
    try:
        return x @ y
    except RuntimeError:
        return x


linear = torch.nn.Linear(4, 2)


@whole
def in_library(x):
    return linear(x)


def attempt(f, *args):
    try:
        r = f(*args)
        if hasattr(r, "__next__"):
            r = list(r)
        print(f.__name__, "no error")
    except Exception as e:
        print(f.__name__, type(e).__name__, str(e).split("\n")[0])


x = torch.ones(3)
attempt(chained, x)
attempt(chained_whole, x)
attempt(raised_deep, x)
attempt(in_backend, x)
attempt(in_chained_backend, x)
attempt(printed, x)
attempt(sizes, torch.ones(3, 4), torch.ones(3, 4))
attempt(generates, x)
attempt(over_generator, x)
attempt(marked_error, x)
attempt(calls_disabled, x)
attempt(calls_disabled_whole, x)
attempt(uses_constant, x)
attempt(catches_op, torch.ones(3, 4), torch.ones(3, 4))
attempt(in_library, torch.ones(2, 3))

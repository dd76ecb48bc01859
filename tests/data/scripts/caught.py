"""Exceptions of the user's code in many places; all are caught by the caller."""
import contextlib
import torch


def check(x, n):
    if n > 3:
        raise ValueError(f"n is {n}")
    return x + n


@torch.compile(backend="eager")
def in_loop(x):
    for n in range(6):
        x = check(x, n)
    return x


@contextlib.contextmanager
def plain():
    yield


@torch.compile(backend="eager")
def in_with(x):
    with plain(), torch.no_grad():
        x = check(x.sin(), 4)
    return x


@torch.compile(backend="eager")
def after_break(x):
    x = x.sin()
    torch._dynamo.graph_break()
    return check(x, 5)


@torch.compile(backend="eager")
def finally_(x):
    try:
        x = check(x.sin(), 5)
    finally:
        x = x + 1
    return x


@torch.compile(backend="eager")
def reraises(x):
    try:
        x = check(x.sin(), 5)
    except ValueError as e:
        raise RuntimeError("no result") from e
    return x


@torch.compile(backend="eager")
def in_generator(x):
    return sum(check(x, n) for n in range(5))


@torch.compile(backend="eager")
def asserts(x, n):
    assert n > 3, "n too small"
    return x + n


@torch.compile(backend="eager")
def tensor_assert(x):
    assert x.sum() > 100, "sum too small"
    return x + 1


@torch.compile(backend="eager")
def key(x, d):
    x = x + 1
    return x * d["scale"]


@torch.compile(backend="eager")
def attribute(x):
    y = x + 1
    return y.no_such_attribute


@torch.compile(backend="eager")
def wrong_args(x):
    return check(x)


@torch.compile(backend="eager")
def index(x):
    l = [1, 2]
    return x + l[5]


@torch.compile(backend="eager")
def shape(x):
    return x.view(3, 5)


@torch.compile(backend="eager")
def zero(x):
    return x + 1 // 0


@torch.compile(backend="eager")
def op_in_try(x):
    try:
        return x.view(3, 5)
    except RuntimeError:
        return x


@torch.compile(backend="eager")
def unpack(x):
    a, b = [1, 2, 3]
    return x + a


@torch.compile(backend="eager")
def int_parse(x):
    return x + int("abc")


def run(fn, *args):
    try:
        fn(*args)
        print("RESULT", fn.__name__, "ok")
    except Exception as e:
        print("RESULT", fn.__name__, "raised", type(e).__name__, str(e).splitlines()[:1])


x = torch.ones(4)
for fn in (in_loop, in_with, after_break, finally_, reraises, in_generator):
    run(fn, x)
run(asserts, x, 1)
run(tensor_assert, x)
run(key, x, {})
for fn in (attribute, wrong_args, index, shape, zero, op_in_try, unpack, int_parse):
    run(fn, x)

"""The user's own exceptions inside compiled functions; each is caught, the program goes on."""
import torch


@torch.compile(backend="eager")
def asserts(x):
    assert x.shape[0] == 4, "expected four rows"
    return x + 1


@torch.compile(backend="eager")
def asserts_data(x):
    assert x.sum() > 100, "the sum is too small"
    return x + 1


@torch.compile(backend="eager")
def raises(x):
    x = x.sin()
    raise ValueError("no such mode: 'fast'")


@torch.compile(backend="eager")
def raises_below(x):
    def check(n):
        if n != 4:
            raise KeyError("below")

    check(x.shape[0])
    return x + 1


@torch.compile(backend="eager")
def wrong_shapes(x, y):
    return x @ y


@torch.compile(backend="eager")
def wrong_index(x, xs):
    return x + xs[3]


@torch.compile(backend="eager")
def wrong_type(x):
    return x + None


@torch.compile(backend="eager")
def catches(x):
    try:
        raise ValueError("caught inside")
    except ValueError:
        return x + 1


@torch.compile(backend="eager")
def fine(x):
    return x * 2


def attempt(f, *args):
    try:
        f(*args)
        print(f.__name__, "no error")
    except Exception as e:
        print(f.__name__, type(e).__name__, str(e).split("\n")[0])


attempt(asserts, torch.ones(3))
attempt(asserts_data, torch.ones(3))
attempt(raises, torch.ones(3))
attempt(raises_below, torch.ones(3))
attempt(wrong_shapes, torch.ones(3, 4), torch.ones(3, 4))
attempt(wrong_index, torch.ones(3), [1, 2, 3])
attempt(wrong_type, torch.ones(3))
attempt(catches, torch.ones(3))
attempt(fine, torch.ones(3))

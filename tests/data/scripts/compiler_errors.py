"""Errors that only the compiler has: branches of torch.cond that differ, a data-dependent condition, a fake kernel."""
import torch

torch._dynamo.config.capture_scalar_outputs = True


@torch.library.custom_op("fails::no_fake", mutates_args=())
def no_fake(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


@torch.library.custom_op("fails::wrong_fake", mutates_args=())
def wrong_fake(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


@wrong_fake.register_fake
def _(x):
    raise TypeError("the fake kernel is broken")


@torch.compile(backend="aot_eager")
def branches(x):
    return torch.cond(x.sum() > 0, lambda x: x[:2].clone(), lambda x: x[:3].sin(), (x,))


@torch.compile(backend="aot_eager")
def dtypes(x):
    return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.sin().double(), (x,))


@torch.compile(backend="aot_eager")
def numbers(x):
    return torch.cond(x.sum() > 0, lambda x: (x.sin(), x.cos()), lambda x: (x.sin(),), (x,))


@torch.compile(backend="aot_eager")
def data(x):
    n = x.sum().item()
    if n > 3:
        return x + 1
    return x


@torch.compile(backend="aot_eager")
def sized(x):
    n = int(x.sum().item())
    return torch.zeros(n) + x[:n].sum()


@torch.compile(backend="aot_eager", fullgraph=True)
def nonzero(x):
    i = x.nonzero()
    return i.view(2, 2) + 1


@torch.compile(backend="aot_eager")
def calls_no_fake(x):
    return no_fake(x) + 1


@torch.compile(backend="aot_eager")
def calls_wrong_fake(x):
    return wrong_fake(x) + 1


@torch.compile(backend="aot_eager")
def mismatch(x):
    return x @ torch.ones(7)


def run(fn, *args):
    try:
        fn(*args)
        print("RESULT", fn.__name__, "ok")
    except Exception as e:
        print("RESULT", fn.__name__, "raised", type(e).__name__, str(e).splitlines()[:3])


for fn in (branches, dtypes, numbers, data, sized, nonzero, calls_no_fake, calls_wrong_fake, mismatch):
    run(fn, torch.ones(4))

"""Custom operators whose fake kernels are broken in several ways, and torch.cond whose branches do not fit, called plainly,
in a try block of the program, inside a compiled function that catches the error, and with fullgraph=True."""
import torch


@torch.library.custom_op("broken::shape", mutates_args=())
def shape(x: torch.Tensor) -> torch.Tensor:
    return x[:2].clone()


@shape.register_fake
def _(x):
    return torch.empty_like(x)


@torch.library.custom_op("broken::raises", mutates_args=())
def raises(x: torch.Tensor, n: int) -> torch.Tensor:
    return x * n


@raises.register_fake
def _(x, n):
    if n > 2:
        raise ValueError(f"no rule for {n}")
    return torch.empty_like(x)


@torch.library.custom_op("broken::reads", mutates_args=())
def reads(x: torch.Tensor) -> torch.Tensor:
    return x[: int(x.sum().item()) % 3 + 1].clone()


@reads.register_fake
def _(x):
    return x.new_empty(int(x.sum().item()) % 3 + 1)


@torch.library.custom_op("broken::missing", mutates_args=())
def missing(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


@torch.compile(backend="aot_eager")
def wrong_shape(x):
    return shape(x) + 1


@torch.compile(backend="aot_eager")
def raised(x, n):
    return raises(x, n) * 2


@torch.compile(backend="aot_eager")
def catches(x, n):
    try:
        return raises(x, n)
    except ValueError:
        return x - 1


@torch.compile(backend="aot_eager")
def reads_data(x):
    return reads(x).cos()


@torch.compile(backend="aot_eager", fullgraph=True)
def unknown(x):
    return missing(x).sin()


@torch.compile(backend="aot_eager")
def shapes_differ(x):
    return torch.cond(x.sum() > 0, lambda a: a.sin(), lambda a: a.sum(), (x,))


@torch.compile(backend="aot_eager")
def types_differ(x):
    return torch.cond(x.sum() > 0, lambda a: (a, a), lambda a: a, (x,))


@torch.compile(backend="aot_eager")
def good(x):
    return torch.cond(x.sum() > 0, lambda a: a.sin(), lambda a: a.cos(), (x,))


x = torch.ones(4)
for call, args in ((wrong_shape, (x,)), (raised, (x, 1)), (raised, (x, 5)), (catches, (x, 5)), (reads_data, (x,)), (unknown, (x,)),
                   (shapes_differ, (x,)), (types_differ, (x,)), (good, (x,)), (raised, (x, 1))):
    try:
        call(*args)
        print(call.__name__, "returned")
    except Exception as error:
        print(call.__name__, "raised", type(error).__name__, str(error).splitlines()[0][:150])

"""A custom operator without a fake kernel, one with it, and one that mutates its input."""
import torch


@torch.library.custom_op("demo::scale", mutates_args=())
def scale(x: torch.Tensor, k: float) -> torch.Tensor:
    return x * k


@scale.register_fake
def _(x, k):
    return torch.empty_like(x)


@torch.library.custom_op("demo::bump", mutates_args={"x"})
def bump(x: torch.Tensor) -> None:
    x.add_(1)


@torch.library.custom_op("demo::opaque", mutates_args=())
def opaque(x: torch.Tensor) -> torch.Tensor:
    return x[x > 0].clone()


@torch.compile(backend="aot_eager")
def f(x, k):
    bump(x)
    return scale(x, k) + 1


@torch.compile(backend="aot_eager")
def g(x):
    return opaque(x) + 1


for n, k in ((2, 1.0), (3, 1.0), (3, 2.0), (3, 3.0)):
    f(torch.ones(n), k)
try:
    g(torch.ones(3))
except Exception as error:
    print(type(error).__name__)

"""Custom operators on a GPU: one without a fake implementation, one whose fake implementation is wrong about the device, one that is right, and one that tells Inductor to stay out of CUDA graphs."""

import torch


@torch.library.custom_op("mine::nofake", mutates_args=())
def nofake(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@torch.library.custom_op("mine::right", mutates_args=())
def right(x: torch.Tensor) -> torch.Tensor:
    return x + 1


@right.register_fake
def _(x):
    return torch.empty_like(x)


@torch.library.custom_op("mine::unsafe", mutates_args=(), tags=(torch._C.Tag.cudagraph_unsafe,))
def unsafe(x: torch.Tensor) -> torch.Tensor:
    torch.cuda.synchronize()
    return x - 1


@unsafe.register_fake
def _(x):
    return torch.empty_like(x)


@torch.compile
def first(x):
    return nofake(x.sin()).cos()


@torch.compile
def second(x):
    return right(x.sin()).cos()


@torch.compile(mode="reduce-overhead")
def third(x):
    y = unsafe(x.sin() * 2)
    return y.cos() + y


x = torch.randn(64, device="cuda")
for call in (first, second, third):
    for _ in range(3):
        try:
            call(x)
        except Exception as e:
            print(type(e).__name__, str(e)[:200])
torch.cuda.synchronize()

"""Triton kernels of the user's own in a compiled function: one with @triton.autotune, one that changes its input, one as torch.library.triton_op."""

import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 128}, num_warps=2), triton.Config({"BLOCK": 512}, num_warps=4)], key=["n"])
@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask) + tl.load(y_ptr + at, mask), mask)


@triton.jit
def scale_kernel(x_ptr, n, factor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(x_ptr + at, tl.load(x_ptr + at, mask) * factor, mask)


def add(x, y):
    out = torch.empty_like(x)
    add_kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, out, x.numel())
    return out


@torch.library.triton_op("mine::scaled", mutates_args={})
def scaled(x: torch.Tensor, factor: float) -> torch.Tensor:
    out = x.clone()
    torch.library.wrap_triton(scale_kernel)[(triton.cdiv(out.numel(), 256),)](out, out.numel(), factor, BLOCK=256)
    return out


@torch.compile
def step(x, y):
    z = add(x.sin(), y)
    scale_kernel[(triton.cdiv(z.numel(), 256),)](z, z.numel(), 0.5, BLOCK=256)
    return torch.relu(scaled(z, 3.0)) + 1


for n in (1000, 1000, 2000, 3000):
    step(torch.randn(n, device="cuda"), torch.randn(n, device="cuda"))
torch.cuda.synchronize()

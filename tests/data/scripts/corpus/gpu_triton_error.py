"""A Triton kernel of the user's own that does not compile, in a compiled function; the program catches the error."""

import torch
import triton
import triton.language as tl


@triton.jit
def broken_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, at < n)
    tl.store(out_ptr + at, tl.softplus_of(x), at < n)


@torch.compile
def step(x):
    out = torch.empty_like(x)
    broken_kernel[(triton.cdiv(x.numel(), 128),)](x * 2, out, x.numel(), BLOCK=128)
    return out + 1


try:
    step(torch.randn(1000, device="cuda"))
    torch.cuda.synchronize()
except Exception as e:
    print(type(e).__name__, str(e)[:300])

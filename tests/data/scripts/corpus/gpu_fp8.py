"""8-bit floating point matrix products with row-wise scales on a GPU, compiled with max-autotune."""

import torch


def quantize(x):
    scale = (448.0 / x.abs().amax(dim=1, keepdim=True).clamp(min=1e-6)).float()
    return (x * scale).clamp(-448, 448).to(torch.float8_e4m3fn), scale.reciprocal()


@torch.compile(mode="max-autotune-no-cudagraphs")
def linear(x, w):
    xq, xs = quantize(x)
    wq, ws = quantize(w)
    return torch._scaled_mm(xq, wq.t(), scale_a=xs, scale_b=ws.t(), out_dtype=torch.bfloat16)


with torch.no_grad():
    for n in (64, 64, 128):
        linear(torch.randn(n, 128, device="cuda", dtype=torch.bfloat16), torch.randn(256, 128, device="cuda", dtype=torch.bfloat16))
torch.cuda.synchronize()

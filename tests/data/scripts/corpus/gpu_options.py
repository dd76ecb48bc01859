"""Settings that people try on a GPU, in `options`: combo kernels, coordinate descent, no fusion of reductions; each for the same function."""

import torch


def work(x, y):
    return x.softmax(-1) + y.sum(-1, keepdim=True), torch.layer_norm(x, (x.shape[-1],)), y.exp()


x, y = torch.randn(64, 512, device="cuda"), torch.randn(64, 512, device="cuda")
for options in ({}, {"combo_kernels": True}, {"coordinate_descent_tuning": True}, {"triton.persistent_reductions": False}, {"triton.multi_kernel": 1}):
    torch.compiler.reset()
    torch.compile(work, options=options)(x, y)
torch.cuda.synchronize()

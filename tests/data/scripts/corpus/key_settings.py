"""One graph, compiled again with what is a part of its cache keys: an option of `torch.compile`, a setting of the whole program, a setting
within `config.patch`, another grad mode."""

import torch
import torch._inductor.config as config


def work(x):
    return (x.sin() + 1).sum()


def again(options=None, x=torch.ones(8)):
    torch.compiler.reset()
    torch.compile(work, options=options)(x)


again()
again({"max_fusion_size": 8})
config.max_fusion_size = 16
again()
with config.patch(epilogue_fusion=False):
    again()
with torch.no_grad():
    again()

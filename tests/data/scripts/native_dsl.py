"""Compiles of native DSL kernels, as PyTorch's own instrumentation reports them around a cached compile function.
Needs TORCH_LOGS=+native_dsl_compile."""
import functools

import torch
from torch._native.instrumentation import instrument_cutedsl_compile


@instrument_cutedsl_compile("aten::topk")
@functools.lru_cache
def compile_topk(n, k):
    return sum(range(n * k))


@instrument_cutedsl_compile("aten::sort")
@functools.lru_cache
def compile_sort(n):
    return sum(range(n))


for n in (1000, 1000, 2000, 1000):
    compile_topk(n, 4)
compile_sort(10)


def backend(gm, inputs):
    compile_topk(3000, 4)
    return gm.forward


@torch.compile(backend=backend)
def f(x):
    return x.sin()


f(torch.ones(3))

"""Bypasses of the two caches, in two processes with one cache folder (`first`, then `second`).

scaled: an autograd.Function, which the AOTAutograd cache does not take and the FX graph cache does;
passed: a custom pass without a uuid, which neither takes; alone: the same pass with the AOTAutograd cache off.
"""
import torch
import torch._functorch.config
import torch._inductor.config


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 3

    @staticmethod
    def backward(ctx, grad):
        return grad * 3


@torch.compile(dynamic=False)
def scaled(x):
    return Scale.apply(x) + x.exp()


@torch.compile(dynamic=False)
def passed(x):
    return x.tanh() + 3


@torch.compile(dynamic=False)
def alone(x):
    return x.sigmoid() + 4


@torch.compile(dynamic=False)
def cached(x):
    return x.sqrt() + 5


def nothing(graph):
    pass


scaled(torch.ones(3, requires_grad=True)).sum().backward()
with torch._inductor.config.patch(post_grad_custom_post_pass=nothing):
    passed(torch.ones(3))
    with torch._functorch.config.patch(enable_autograd_cache=False):
        alone(torch.ones(3))
cached(torch.ones(3))

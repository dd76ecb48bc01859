"""Attributes of autograd.Functions that forward or backward read or set, and a method of a tensor that is not called."""
import torch


class Counted(torch.autograd.Function):
    calls = 0

    @staticmethod
    def forward(ctx, x):
        Counted.calls += 1
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Scaled(torch.autograd.Function):
    scale = 2.0

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * Scaled.scale


class Noted(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        Noted.width = 3
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


@torch.compile(backend="aot_eager")
def counted(x):
    return Counted.apply(x * 1) + 1


@torch.compile(backend="aot_eager")
def scaled(x):
    return Scaled.apply(x * 1) + 1


@torch.compile(backend="aot_eager")
def noted(x):
    return Noted.apply(x * 1) + 1


@torch.compile(backend="aot_eager")
def converted(x):
    x = x + 1
    return x if x.is_floating_point else x.float()


x = torch.ones(3, requires_grad=True)
for function in (counted, scaled, noted, converted):
    function(x).sum().backward()

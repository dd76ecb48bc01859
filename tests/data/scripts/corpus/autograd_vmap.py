"""A custom autograd.Function (a straight-through estimator) in a trained layer, per-sample gradients with torch.func.vmap of grad, and a directional derivative with jvp, for growing batches."""

import torch
from torch.func import functional_call, grad, jvp, vmap
from torch import nn


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, step):
        ctx.save_for_backward(x)
        return torch.round(x / step) * step

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * (x.abs() < 1), None


net = nn.Linear(3, 1)


@torch.compile(backend="aot_eager")
def quantized(x, step):
    return (net(Round.apply(x, step)) ** 2).mean()


def sample_loss(parameters, x, y):
    return (functional_call(net, parameters, (x[None],)) - y).pow(2).sum()


@torch.compile(backend="aot_eager")
def sample_grads(parameters, xs, ys):
    return vmap(grad(sample_loss), in_dims=(None, 0, 0))(parameters, xs, ys)


@torch.compile(backend="aot_eager")
def directional(x, v):
    return jvp(lambda t: net(t).sin().sum(), (x,), (v,))


def main():
    torch.manual_seed(0)
    for rows, step in ((4, 0.25), (8, 0.25)):
        quantized(torch.randn(rows, 3, requires_grad=True), step).backward()
    print("gradient", net.weight.grad.shape)
    parameters = {name: p.detach() for name, p in net.named_parameters()}
    for rows in (2, 5, 7):
        print("samples", sample_grads(parameters, torch.randn(rows, 3), torch.randn(rows, 1))["weight"].shape)
    for rows in (2, 3):
        x = torch.randn(rows, 3)
        print("jvp", directional(x, torch.ones_like(x))[1].shape)


main()

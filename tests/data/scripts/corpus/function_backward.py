"""A module that applies an autograd.Function whose backward tests a tensor: both have a method forward in this file."""
import torch


class Clamped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        return x.clamp(max=limit).exp()

    @staticmethod
    def backward(ctx, grad):
        if grad.isnan().any():
            grad = torch.zeros_like(grad)
        return grad * 2, None


class Net(torch.nn.Module):
    def forward(self, x, limit):
        hidden = x * 2
        return Clamped.apply(hidden, limit) + 1


net = torch.compile(Net(), backend="aot_eager")
for rows, limit in ((4, 1.0), (5, 1.0), (6, 2.0), (7, 3.0)):
    net(torch.ones(rows, 3, requires_grad=True), limit).sum().backward()

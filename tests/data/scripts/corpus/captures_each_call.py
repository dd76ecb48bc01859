"""Compiled Autograd around a forward pass that is not compiled: a new autograd function in each call, and a model that needs one capture."""
import torch


def gradient_of(factor):
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(context, x):
            return x * factor

        @staticmethod
        def backward(context, grad):
            return grad * factor

    return Scale


weight = torch.nn.Parameter(torch.ones(4))
model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh())
compiled = torch.compile(backend="eager")
for step in range(4):
    weight.grad = None
    loss = gradient_of(step + 2).apply(weight).sum()
    with torch._dynamo.compiled_autograd._enable(compiled):
        loss.backward()
for step in range(3):
    model.zero_grad()
    loss = model(torch.ones(2, 4)).sum()
    with torch._dynamo.compiled_autograd._enable(compiled):
        loss.backward()

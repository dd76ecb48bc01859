"""The ways to hold and call modules: shared, in dictionaries and lists, nested, without parameters, with hooks, from a lambda, functional."""
import torch
import torch.nn.functional as F
import truth
from torch import nn


class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width))

    def forward(self, x):
        y = x * self.scale
        return y + 1


class Halve(nn.Module):
    def forward(self, x):
        x = x / 2
        return torch.sin(x)


class Gate(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.lin = nn.Linear(width, width)
        self.act = nn.SiLU()
        self.halve = Halve()

    def forward(self, x):
        g = self.act(self.lin(x))
        g = g.clamp(0, 1)
        return self.halve(x * g) + x


class Shared(nn.Module):
    """One layer, called twice with operations in between."""

    def __init__(self, width):
        super().__init__()
        self.layer = Scale(width)
        self.gate = Gate(width)

    def forward(self, x):
        x = self.layer(x)
        x = torch.tanh(x)
        x = self.layer(x)
        x = torch.cos(x)
        for _ in range(3):
            x = self.gate(x)
            x = x.sigmoid()
        return x


class Bag(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.parts = nn.ModuleDict({"one": nn.Linear(width, width), "two": Scale(width)})
        self.many = nn.ModuleList([nn.Linear(width, width) for _ in range(3)])
        self.plain = [Scale(width), nn.LayerNorm(width)]
        self.weights = nn.ParameterList([nn.Parameter(torch.randn(width)) for _ in range(2)])
        self.register_buffer("steps", torch.arange(width).float())
        self.seq = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Sequential(nn.LayerNorm(width), nn.Tanh()), Halve())

    def forward(self, x):
        for key in self.parts:
            x = self.parts[key](x)
            x = x.relu()
        for layer in self.many:
            x = layer(x)
        for weight in self.weights:
            x = x * weight
        x = self.plain[1](self.plain[0](x))
        x = self.seq(x) + self.steps
        return x


class Functional(nn.Module):
    """Uses the parameters of its children without calling them."""

    def __init__(self, width):
        super().__init__()
        self.lin = nn.Linear(width, width)
        self.scale = Scale(width)
        self.register_parameter("extra", nn.Parameter(torch.randn(width, width)))

    def project(self, x, weight):
        return F.linear(x, weight)

    def forward(self, x):
        x = F.linear(x, self.lin.weight, self.lin.bias)
        x = x * self.scale.scale
        w = self.lin.weight
        x = F.linear(x, w).abs()
        x = self.project(x, self.lin.weight)
        normalize = lambda y: y / (y.norm() + self.extra.mean())  # noqa: E731
        return normalize(self.project(x, self.extra))


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.shared = Shared(width)
        self.bag = Bag(width)
        self.functional = Functional(width)
        self.again = self.shared.gate
        self.drop = nn.Dropout(0.1)
        self.attention = nn.MultiheadAttention(width, 2, batch_first=True)
        self.norm = nn.BatchNorm1d(width)

    def forward(self, x):
        x = self.shared(x)
        x = self.bag(x)
        x = self.functional(x)
        x = self.drop(x).exp()
        x = self.again(x)
        y = self.attention(x[None], x[None], x[None])[0]
        return self.norm(y[0]) * 2


model = Net()
model.functional.register_forward_hook(lambda module, args, result: result * 3)
compiled = torch.compile(model, backend=truth.backend)
compiled(torch.randn(4, 8)).sum().backward()


# A function with two models of its globals and closure.
other = Gate(8)


def of_closure():
    inner = Gate(8)

    def call(x):
        x = inner(x) + 1
        return other(x).relu()

    return torch.compile(call, backend=truth.backend), inner


call, inner = of_closure()
call(torch.randn(4, 8))


# A break in the middle: the rest is a resumed function.
class Broken(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Gate(8)
        self.second = Gate(8)

    def forward(self, x):
        x = self.first(x)
        torch._dynamo.graph_break()
        x = x.neg()
        return self.second(x).square()


broken = Broken()
torch.compile(broken, backend=truth.backend)(torch.randn(4, 8))
truth.modules(model, other, inner, broken)

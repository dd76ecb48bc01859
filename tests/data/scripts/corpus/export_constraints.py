"""Exports whose constraints fail, each in its own way, beside one that succeeds: first strict ones, then others."""
import torch
from torch.export import Dim, export


class Halves(torch.nn.Module):
    def forward(self, x):
        a, b = x.reshape(2, -1, x.shape[1]).unbind(0) if x.shape[0] % 2 == 0 else (x, x)
        return a + b


class Fixed(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] == 4:
            return x * 2
        return x.relu()


class Ranged(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] <= 16:
            return x * 2
        return x.relu()


class Equal(torch.nn.Module):
    def forward(self, x, y):
        return x + y


class Plain(torch.nn.Module):
    def forward(self, x):
        return x.relu()


def attempt(name, model, args, shapes, strict):
    try:
        export(model, args, dynamic_shapes=shapes, strict=strict)
        print(name, strict, "exported")
    except Exception as error:
        print(name, strict, type(error).__name__)


batch = Dim("batch")
x = torch.randn(4, 3)
for strict in (True, False):
    attempt("halves", Halves(), (x,), {"x": {0: batch}}, strict)
    attempt("fixed", Fixed(), (x,), {"x": {0: batch}}, strict)
    attempt("fixed dynamic", Fixed(), (x,), {"x": {0: Dim.DYNAMIC}}, strict)
    attempt("ranged", Ranged(), (x,), {"x": {0: batch}}, strict)
    attempt("equal", Equal(), (x, x.clone()), {"x": {0: batch}, "y": {0: Dim("other")}}, strict)
    attempt("plain", Plain(), (x,), {"x": {0: batch}}, strict)

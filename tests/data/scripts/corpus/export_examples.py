"""Exports whose example inputs do not have the sizes that dynamic_shapes declares, beside one whose sizes fit."""
import torch
from torch.export import Dim, export


class Pair(torch.nn.Module):
    def forward(self, x, y):
        return x.sum(0) + y.sum(0)


class Product(torch.nn.Module):
    def forward(self, x, y):
        return x @ y


n, k = Dim("n", min=2), Dim("k", min=2)


def attempt(name, module, inputs, shapes, strict):
    try:
        export(module, inputs, dynamic_shapes=shapes, strict=strict)
        print(name, "exported")
    except Exception as error:
        print(name, type(error).__name__)


for strict in (False, True):
    attempt("derived", Pair(), (torch.randn(5, 3), torch.randn(11, 3)), {"x": {0: n}, "y": {0: 2 * n - 1}}, strict)
    attempt("shared", Product(), (torch.randn(3, 4), torch.randn(4, 5)), {"x": {0: k}, "y": {0: k}}, strict)
    attempt("fixed", Pair(), (torch.randn(4, 3), torch.randn(4, 3)), {"x": {0: 5}, "y": None}, strict)
    attempt("fits", Pair(), (torch.randn(5, 3), torch.randn(9, 3)), {"x": {0: n}, "y": {0: 2 * n - 1}}, strict)

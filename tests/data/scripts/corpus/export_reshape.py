"""Exports without Dynamo whose code fixes a size: one that is declared with a range, and one that may be constant."""
import torch
from torch.export import Dim, export


class Fixes(torch.nn.Module):
    def forward(self, x):
        return x.reshape(4, 8) + 1


class Keeps(torch.nn.Module):
    def forward(self, x):
        return x.reshape(-1, 8) + 1


x = torch.ones(4, 8)
for module, rows in ((Fixes, Dim("rows", min=2, max=64)), (Fixes, Dim.AUTO), (Keeps, Dim("rows", min=2, max=64)), (Fixes, Dim.STATIC)):
    try:
        export(module(), (x,), dynamic_shapes={"x": {0: rows}})
        print(module.__name__, rows, "exported")
    except Exception as error:
        print(module.__name__, rows, type(error).__name__)

"""Exports without Dynamo whose guards narrow a declared range, or relate two; then a branch on an unbacked size."""
import torch
from torch.export import Dim, export


class Narrows(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] > 2:
            x = x + 1
        return x.relu()


class Checks(torch.nn.Module):
    def forward(self, x):
        torch._check(x.shape[0] < 10)
        return x.relu()


class Adds(torch.nn.Module):
    def forward(self, x, y):
        return x + y


class Picks(torch.nn.Module):
    def forward(self, x, n):
        y = x[: n.item()]
        if y.shape[0] > 2:
            y = y * 2
        return y.sum(0)


class Refuses(torch.nn.Module):
    def forward(self, x, n):
        y = x[: n.item()]
        if y.shape[0] != 3: raise ValueError("rows")
        return y.sum(0)


def attempt(name, model, args, shapes):
    try:
        export(model, args, dynamic_shapes=shapes)
        print(name, "exported")
    except Exception as error:
        print(name, type(error).__name__, str(error).splitlines()[0][:60])


x, y = torch.randn(4, 3), torch.randn(4, 3)
rows, others, few = Dim("rows", min=1, max=64), Dim("others", min=1, max=64), Dim("few", max=16)
attempt("narrows", Narrows(), (x,), {"x": {0: rows}})
attempt("narrows, stated", Narrows(), (x,), {"x": {0: Dim("rows", min=3, max=64)}})
attempt("narrows, auto", Narrows(), (x,), {"x": {0: Dim.AUTO(min=2, max=64)}})
attempt("checks", Checks(), (x,), {"x": {0: rows}})
attempt("two", Adds(), (x, y), {"x": {0: rows}, "y": {0: others}})
attempt("two ranges", Adds(), (x, y), {"x": {0: rows}, "y": {0: few}})
attempt("one", Adds(), (x, y), {"x": {0: rows}, "y": {0: rows}})
attempt("named and auto", Adds(), (x, y), {"x": {0: few}, "y": {0: Dim.AUTO}})
attempt("picks", Picks(), (torch.randn(5, 3), torch.tensor(3)), None)
attempt("refuses", Refuses(), (torch.randn(5, 3), torch.tensor(3)), None)

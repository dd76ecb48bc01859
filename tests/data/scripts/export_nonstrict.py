"""Exports without Dynamo (strict=False): one branches on data, one is given an example outside of the range that it declares."""
import torch
from torch.export import Dim, export


class Branches(torch.nn.Module):
    def forward(self, x):
        y = x * 2
        if y.sum() > 0:
            return y + 1
        return y - 1


class Plain(torch.nn.Module):
    def forward(self, x):
        return x.relu()


x = torch.randn(3, 4)
for module, shapes, strict in ((Branches(), None, False), (Plain(), {"x": {0: Dim("rows", min=5)}}, True)):
    try:
        export(module, (x,), dynamic_shapes=shapes, strict=strict)
    except Exception as error:
        print(type(error).__name__)

"""Three exports without Dynamo: one branches on data and fails, one keeps both ways with torch.cond, one needs neither."""
import torch
from torch.export import Dim, export


class Branches(torch.nn.Module):
    def forward(self, x):
        y = x * 2
        if y.mean() > 0:
            return y.sigmoid()
        return y


class Keeps(torch.nn.Module):
    def forward(self, x):
        y = x * 2
        return torch.cond(y.mean() > 0, lambda t: t.sigmoid(), lambda t: t.clone(), (y,))


class Plain(torch.nn.Module):
    def forward(self, x):
        return x.relu()


args = (torch.randn(3, 4),)
shapes = {"x": {0: Dim("rows", min=2, max=64)}}
try:
    export(Branches(), args, dynamic_shapes=shapes)
except Exception as error:
    print(type(error).__name__)
print(export(Keeps(), args, dynamic_shapes=shapes))
print(export(Plain(), args, dynamic_shapes=shapes))

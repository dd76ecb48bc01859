"""Three exports: with Dim, with Dim.AUTO, and one whose constraint fails; then the exported module is compiled."""
import torch
from torch.export import Dim, export


class Net(torch.nn.Module):
    def forward(self, x, y):
        return x.relu() @ y


x, y = torch.randn(4, 3), torch.randn(3, 5)
batch = Dim("batch", min=2, max=64)
program = export(Net(), (x, y), dynamic_shapes={"x": {0: batch}, "y": None})
export(Net(), (x, y), dynamic_shapes={"x": {0: Dim.AUTO, 1: Dim.AUTO}, "y": {0: Dim.AUTO}}, strict=True)
try:
    export(Net(), (x, y), dynamic_shapes={"x": {1: Dim("k")}, "y": None}, strict=True)
except Exception as error:
    print(type(error).__name__)
fast = torch.compile(program.module(), backend="eager")
fast(x, y)
fast(torch.randn(6, 3), y)

"""An export that fails because only one of two added tensors has a dynamic size, then one with both: STRICT=0 or 1."""
import os

import torch
from torch.export import Dim, export

STRICT = os.environ["STRICT"] == "1"


class Add(torch.nn.Module):
    def forward(self, x, y):
        return x + y


xy = (torch.randn(5, 3), torch.randn(5, 3))
try:
    export(Add(), xy, dynamic_shapes={"x": {0: Dim("n")}, "y": None}, strict=STRICT)
except Exception as e:
    print(type(e).__name__, str(e))
n = Dim("n")
print(export(Add(), xy, dynamic_shapes={"x": {0: n}, "y": {0: n}}, strict=STRICT).range_constraints)

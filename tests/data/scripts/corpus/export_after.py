"""A compiled function, then a strict export: its trace has the id of the function, which ended before."""
import torch
from torch.export import Dim, export


class Plain(torch.nn.Module):
    def forward(self, x):
        return x.relu()


torch.compile(lambda x: x + 1, backend="eager")(torch.randn(3, 4))
print(export(Plain(), (torch.randn(3, 4),), dynamic_shapes={"x": {0: Dim("rows", min=2, max=64)}}, strict=True))

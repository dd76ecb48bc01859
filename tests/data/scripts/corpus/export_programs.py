"""Exports whose programs are logged, as with TORCH_DTRACE: strict and not, and of each one whose constraint fails."""
import os

os.environ["TORCH_DTRACE"] = os.environ["TORCH_TRACE"]
import torch
from torch.export import Dim, export


class Fixed(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] == 4:
            return x * 2
        return x.relu()


class Plain(torch.nn.Module):
    def forward(self, x):
        return x.relu()


for strict in (True, False):
    for model in (Fixed(), Plain()):
        try:
            export(model, (torch.randn(4, 3),), dynamic_shapes={"x": {0: Dim("batch")}}, strict=strict)
        except Exception as error:
            print(type(error).__name__)

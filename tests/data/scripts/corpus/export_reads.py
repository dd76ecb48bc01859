"""Exports without Dynamo that read a number, a flag, and test a tensor: each one fails without a record of the error."""
import torch


class Reads(torch.nn.Module):
    def forward(self, x):
        n = int(x.sum())
        return x + 1 if n > 3 else x


class Masks(torch.nn.Module):
    def forward(self, x):
        flag = (x > 0).all().item()
        return x + 1 if flag else x


class Asserts(torch.nn.Module):
    def forward(self, x):
        assert x.min() > -9
        return x * 2


for module in (Reads, Masks, Asserts):
    try:
        torch.export.export(module(), (torch.ones(4),))
    except Exception as error:
        print(module.__name__, type(error).__name__)

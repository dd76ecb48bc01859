"""Modules and keys that are added between calls, alone and with other changes, and code that uses only some of them."""

import torch

torch.manual_seed(0)
phase = "first"


class Grown(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4)])
        self.heads = torch.nn.ModuleDict({"a": torch.nn.Linear(4, 2)})

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        if phase == "first":
            x = x * 2
        return [head(x) for head in self.heads.values()]


class Left(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
            if phase == "second":
                break
        return x


@torch.compile(backend="eager")
def all_keys(batch):
    return sum(v.sum() for v in batch.values())


@torch.compile(backend="eager")
def one_key(batch):
    return batch["c" if len(batch) > 2 else "a"] * 2


class Table(dict):
    pass


@torch.compile(backend="eager")
def of_table(table):
    return table["c" if len(table) > 2 else "a"] * 2


x = torch.randn(3, 4)
grown, left = Grown(), Left()
compiled, compiled_left = torch.compile(grown, backend="eager"), torch.compile(left, backend="eager")
compiled(x)
compiled_left(x)
grown.layers.append(torch.nn.Linear(4, 4))
compiled(x)
phase = "second"
grown.layers.append(torch.nn.Linear(4, 4))
compiled(x)
compiled_left(x)
grown.heads["b"] = torch.nn.Linear(4, 3)
compiled(x)
all_keys({"a": x, "b": x})
all_keys({"a": x, "b": x, "mask": x})
all_keys({"b": x})
one_key({"a": x, "c": x})
one_key({"a": x, "b": x, "c": x})
of_table(Table(a=x, c=x))
of_table(Table(a=x, b=x, c=x))

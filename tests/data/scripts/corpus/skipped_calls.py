"""Functions of Python that Dynamo skips: modules of the program below one have frames of their own, those of PyTorch run eagerly. A
loop over checkpoint() instead, which Dynamo traces."""
import torch
from torch.utils.checkpoint import checkpoint, checkpoint_sequential
from torch.utils.data import Subset


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.linear(x).relu()


class Own(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.rest = torch.nn.Linear(4, 4), torch.nn.Sequential(Block(), Block())

    def forward(self, x):
        x = checkpoint_sequential(self.rest, 2, self.first(x), use_reentrant=False)
        return x * 2


class Library(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.rest = torch.nn.Linear(4, 4), torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())

    def forward(self, x):
        x = checkpoint_sequential(self.rest, 2, self.first(x), use_reentrant=False)
        return x * 3


class Looped(Library):
    def forward(self, x):
        x = self.first(x)
        for module in self.rest:
            x = checkpoint(module, x, use_reentrant=False)
        return x * 4


class Squares(torch.utils.data.Dataset):
    def __getitem__(self, index):
        return torch.arange(3.0) * index

    def __len__(self):
        return 3


@torch.compile(backend="eager")
def total(x, data):
    return x.sin() + data[0].sum()


torch.compile(Own(), backend="eager")(torch.randn(3, 4)).sum().backward()
torch.compile(Library(), backend="eager")(torch.randn(3, 4)).sum().backward()
torch.compile(Looped(), backend="eager")(torch.randn(3, 4)).sum().backward()
total(torch.ones(3), Subset(Squares(), [2, 1]))

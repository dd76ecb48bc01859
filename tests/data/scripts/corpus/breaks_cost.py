"""What graph breaks cost: a loop over the numbers of tolist() in which range() needs them, one that only multiplies with them, two breaks of one setting in different functions, a method with breaks that two compiled functions call, an error that the program catches after which a model runs eagerly, and an object that is no argument of an operator."""

import torch
from torch import nn

torch.manual_seed(0)


class Search(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 4)

    def encode(self, x):
        torch._dynamo.graph_break()
        return self.out(x)

    def forward(self, x):
        return self.encode(x).sum()

    def decode(self, x, lengths):
        e = self.encode(x)
        paths = []
        for row, n in zip(e, lengths.tolist()):
            best = row
            for t in range(1, n):
                best = best + row * t
            paths.append(int(best.argmax()))
        return paths


def scaled(x, lengths):
    y = x
    for n in lengths.tolist():
        y = y * n
    return y.sum()


def top(x):
    return x[: int(x.max())].sin()


def both(x):
    k = int(x.min()) + 1
    return top(x * k).cos()


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)

    def forward(self, x):
        return self.inner(x).relu()


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Layer()

    def forward(self, x):
        if x.shape[0] % 2:
            raise ValueError("rows must be even")
        y = self.layer(x)
        return y.sum()


class Batch:
    def __init__(self, rows):
        self.rows = rows

    def __getattr__(self, name):
        if name == "count":
            return self.rows.shape[0]
        raise AttributeError(name)


def zeros(count, dtype=None):
    return torch.zeros((count,), dtype=dtype)


def histogram(batch):
    return zeros(batch.count) + batch.rows.sum()


def main():
    search = Search()
    forward = torch.compile(search, backend="eager")
    for rows in (4, 4):
        forward(torch.randn(rows, 4))
    decode = torch.compile(search.decode, backend="eager")
    print(decode(torch.randn(2, 4), torch.tensor([3, 2])))
    print(torch.compile(scaled, backend="eager")(torch.ones(3), torch.tensor([3, 2])))
    compiled = torch.compile(both, backend="eager")
    for rows in (4, 5):
        print(compiled(torch.arange(1.0, rows)).shape)
    model = torch.compile(Model(), backend="eager")
    for rows in (4, 3, 4):
        try:
            print(model(torch.randn(rows, 4)).item())
        except ValueError as error:
            print(error)
    print(torch.compile(histogram, backend="eager")(Batch(torch.ones(3, 2))))


main()

"""Lines where PyTorch's hint is not enough: loops over as many rows as the data has, a number of a condition, a test in an expression, a
branch that raises, a library's branch by data; and calls that the limit refused, of which the log has one guard for each version."""
import colorsys

import torch


@torch.compile(backend="eager")
def paired(rows, done):
    out = rows * 2
    total = rows.sum()
    for row, other in zip(rows[done], out[done]):
        total = total + row * other
    return total


@torch.compile(backend="eager")
def counted(rows, done):
    total = rows.sum()
    for i in range(len(rows[done])):
        total = total + i
    return total


@torch.compile(backend="eager")
def of_tuple(rows, done):
    total = rows.sum()
    for index in done.nonzero(as_tuple=True):
        total = total + index.sum()
    return total


@torch.compile(backend="eager")
def converted(rows, done):
    count = int(rows.sum().item() > 0) + 1
    return rows * count


@torch.compile(backend="eager")
def plain(rows, done):
    count = int(rows.sum().item()) + 1
    return rows * count


@torch.compile(backend="eager")
def chosen(rows, done):
    count = 2 if rows.sum().item() > 0 else 3
    return rows * count


@torch.compile(backend="eager")
def checked(rows, done):
    if rows.max() > 99: raise ValueError
    return rows * 2


@torch.compile(backend="eager")
def colored(rows, done):
    red, green, blue = colorsys.hsv_to_rgb(rows[0], rows[1], rows[2])
    return red + green + blue


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(3)
        self.steps = 0

    def forward(self, x, y=None):
        self.steps += 1
        out = self.norm(x)
        return out if y is None else out - y


def main():
    rows = torch.arange(1.0, 7.0)
    for call in (paired, counted, of_tuple, converted, plain, chosen, checked, colored):
        call(rows, rows > 2)
    net = Net()
    compiled = torch.compile(net, backend="eager")
    x = torch.randn(4, 3)
    for _ in range(5):
        compiled(x, x)
    net.eval()
    with torch.no_grad():
        for _ in range(4):
            compiled(x)


main()

"""Modules as ordinary arguments of a compiled function: another instance, another class, another attribute."""
import torch


class Scale(torch.nn.Module):
    def __init__(self, k, n=4):
        super().__init__()
        self.k = k
        self.weight = torch.nn.Parameter(torch.ones(n))

    def forward(self, x):
        return x * self.weight * self.k


class Shift(torch.nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k
        self.weight = torch.nn.Parameter(torch.ones(4))

    def forward(self, x):
        return x + self.weight + self.k


class Deep(torch.nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x).relu()


def compiled(function):
    return torch.compile(function, backend="eager")


@compiled
def same(m, x):
    return m(x) + 1


@compiled
def attribute(m, x):
    return m(x) + 1


@compiled
def other_class(m, x):
    return m(x) + 1


@compiled
def nearest(m, x):
    return m(x) + 1


@compiled
def second(a, b, x):
    return a(x) + b(x)


@compiled
def inner_class(m, x):
    return m(x) + 1


@compiled
def in_list(ms, x):
    for m in ms:
        x = m(x)
    return x


@compiled
def size(m, x):
    return m(x) + 1


@compiled
def class_and_size(m, x):
    return m(x) + 1


@compiled
def mode(m, x):
    return m(x) + 1


x = torch.ones(4)
for m in (Scale(2), Scale(2)):  # no recompile
    same(m, x)
for m in (Scale(2), Scale(3)):  # m.k
    attribute(m, x)
for m in (Scale(2), Shift(5)):  # type(m): its k follows
    other_class(m, x)
for m, n in ((Scale(2), 4), (Shift(5), 4), (Scale(3, 6), 6)):  # type(m); then m.k, m.weight and x of the first
    nearest(m, torch.ones(n))
for b in (Scale(2), Shift(5)):  # type(b)
    second(Scale(2), b, x)
for m in (Deep(Scale(2)), Deep(Shift(5))):  # type(m.inner)
    inner_class(m, x)
for ms in ([Scale(2), Scale(2)], [Scale(2), Shift(5)]):  # type(ms[1])
    in_list(ms, x)
for n in (4, 5):  # m.weight
    size(torch.nn.Linear(4, n), x)
for m, n in ((Scale(2), 4), (torch.nn.Sequential(torch.nn.Linear(6, 6), torch.nn.ReLU()), 6)):  # type(m), and x
    class_and_size(m, torch.ones(n))
m = torch.nn.Dropout(0.5)
mode(m, x)
mode(m.eval(), x)

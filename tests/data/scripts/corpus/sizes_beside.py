"""Sizes and numbers that change together with floats, strides, layouts or the module, that a loop needs, or that a condition bounds."""

import torch
import torch.nn as nn


def compiled(**settings):
    return torch.compile(backend="eager", **settings)


scale = {"std": 1.5}


@compiled(dynamic=False)
def repeated(x, count):
    for _ in range(count):
        x = x + 1
    return x


@compiled(dynamic=False)
def halved(x, half):
    for _ in range(half // 2):
        x = x + 1
    return x


@compiled()
def rows(x):
    for i in range(x.shape[0]):
        x = x + i
    return x


@compiled()
def loss(series, target):
    return (series.mean() - target).abs().sum()


@compiled()
def scaled(values):
    return values / scale["std"]


@compiled()
def attend(cache, ids):
    return cache.sum() + ids


@compiled(dynamic=True)
def encode(x):
    return x * 2


@compiled()
def merge(static, encoded, k: int):
    return (static + encoded).topk(k).values


@compiled()
def bounded(many):
    return many * 2 if many.shape[0] > 8 else many * 3


class Refine(nn.Module):
    steps = 2

    def forward(self, x):
        for _ in range(self.steps):
            x = x.sin()
        return x


class Branch(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.layers = nn.ModuleList(nn.Sequential(nn.Linear(4, 4), norm()) for _ in range(2))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@compiled()
def split(batch):
    torch._dynamo.graph_break()
    if batch.shape[0] == 5:
        raise ValueError("five")
    return batch + 1


@torch.compiler.disable
def eager():
    return 1


@compiled()
def resumed(grid):
    base = grid * 2 + eager()
    for i in range(base.shape[1]):
        base = base + i
    return base


ones = torch.ones(4)
for n in (2, 4):
    repeated(ones, n)
for n in (2, 5):
    halved(ones, n)
for n in (3, 4):
    rows(torch.ones(n, 2))
for n, width in ((9, 17), (6, 25)):
    window = torch.ones(n, width)
    loss(window[:, :-1], window[:, -1])
for n in (3, 4):
    scale["std"] = n / 2
    scaled(torch.ones(n))
attend(torch.ones(2, 5, 12)[:, :, :4].transpose(0, 1), torch.ones(6, 8)[:, :3])
attend(torch.ones(7, 2, 4), torch.ones(6, 3))
for n, k in ((6, 2), (9, 3)):
    merge(torch.ones(n), encode(torch.ones(n)), k)
for n in (8, 9):
    bounded(torch.ones(n))
for size, norm in ((2, nn.Identity), (1, nn.ReLU)):
    torch.compile(Branch(norm), backend="eager")(torch.ones(size, 4))
split(torch.ones(4))
try:
    split(torch.ones(5))
except ValueError as error:
    print(error)
for n in (4, 5):
    resumed(torch.ones(2, n))
refine, normed = Refine(), nn.utils.parametrizations.spectral_norm(nn.Linear(4, 4), n_power_iterations=2)
refined, norms = (torch.compile(module, backend="eager") for module in (refine, normed))
for n in (2, 3):
    refine.steps = normed.parametrizations.weight[0].n_power_iterations = n
    refined(ones)
    norms(ones)

"""Less usual ways: parametrizations, recurrent layers, hooks before forward, slices of Sequential, functional_call, a method of another
module, lazy modules, modules in tuples, a subclass of a torch.nn layer, a module that calls itself, transformer layers of torch.nn."""
import torch
import truth
from torch import nn
from torch.nn import functional as F


class Norm(nn.LayerNorm):
    def forward(self, x):
        return super().forward(x.float()).type_as(x)


class Tower(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.seq = nn.Sequential(nn.Linear(d, d), nn.GELU(), nn.Linear(d, d), Norm(d))
        self.pair = (nn.Linear(d, d), nn.Linear(d, d))
        self.first, self.second = self.pair

    def forward(self, x):
        x = self.seq[:2](x)
        x = x * 0.5
        x = self.seq[2:](x)
        return self.pair[0](x).relu() + self.pair[1](x)

    def half(self, x):
        return self.first(x) * 0.5


class Tree(nn.Module):
    def __init__(self, d, depth):
        super().__init__()
        self.lin = nn.Linear(d, d)
        self.child = Tree(d, depth - 1) if depth else None

    def forward(self, x):
        y = self.lin(x).tanh()
        return y + self.child(y) if self.child is not None else y.neg()


class Custom(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, g):
        return g * (ctx.saved_tensors[0] > 0)


class Uses(nn.Module):
    def forward(self, x):
        x = Custom.apply(x)
        return x.view(-1).sin()


class Net(nn.Module):
    def __init__(self, d=8):
        super().__init__()
        self.tower = Tower(d)
        self.tree = Tree(d, 3)
        self.param = nn.utils.parametrizations.orthogonal(nn.Linear(d, d))
        self.spectral = nn.utils.parametrizations.spectral_norm(nn.Linear(d, d))
        self.lazy = nn.LazyLinear(d)
        self.uses = Uses()
        self.enc = nn.TransformerEncoderLayer(d, 2, 16, batch_first=True)
        self.bilinear = nn.Bilinear(d, d, d)
        self.mods = nn.ModuleDict({"a.b".replace(".", "_"): nn.Identity(), "relu": nn.ReLU()})
        self.up = nn.Upsample(scale_factor=2)
        self.conv = nn.ConvTranspose1d(d, d, 2)

    def forward(self, x):
        x = self.tower(x)
        x = self.tower.half(x)
        x = self.tree(x)
        x = self.param(x) + self.spectral(x)
        x = self.lazy(x)
        for m in self.mods.values():
            x = m(x)
        x = self.enc(x[None])[0]
        x = self.bilinear(x, x)
        x = torch.func.functional_call(self.tower.seq, dict(self.tower.seq.named_parameters()), (x,))
        y = self.up(self.conv(x.t()[None]))
        return self.uses(y) + F.dropout(x, 0.1).mean()


model = Net()
model.lazy(torch.randn(1, 8))
model.tree.register_forward_pre_hook(lambda module, args: (args[0] * 2,))
torch.compile(model, backend=truth.eager)(torch.randn(4, 8)).sum().backward()


class Rec(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(8, 8)
        self.cells = nn.ModuleList([nn.LSTMCell(8, 8), nn.RNNCell(8, 8)])

    def forward(self, x):
        h = x.new_zeros(4, 8)
        for _ in range(2):
            h = self.cell(x, h)
        c, _ = self.cells[0](h)
        return self.cells[1](c).exp()


rec = Rec()
torch.compile(rec, backend=truth.eager)(torch.randn(4, 8)).sum().backward()
twice = [Tower(8), Tower(8)]


def both(x):
    return twice[0](x) - twice[1].half(x)


torch.compile(both, backend=truth.eager)(torch.randn(4, 8))
bound = torch.compile(twice[0].half, backend=truth.eager)
bound(torch.randn(4, 8))
torch.compile(nn.Sequential(nn.Linear(8, 8), nn.ReLU(), *twice), backend=truth.eager)(torch.randn(4, 8))
truth.modules(model, rec, *twice)

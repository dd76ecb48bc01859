"""A model of one file, as people write them: attention with helpers, experts in a loop, a recurrent cell, a subclass, weight norm."""
import torch
import torch.nn.functional as F
import truth
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.qkv = nn.Linear(d, 3 * d, bias=False)
        self.out = nn.Linear(d, d)
        self.drop = nn.Dropout(0.0)

    def split(self, t):
        b, n, d = t.shape
        return t.view(b, n, self.h, d // self.h).transpose(1, 2)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = map(self.split, (q, k, v))
        w = (q @ k.transpose(-1, -2)) / q.shape[-1] ** 0.5
        w = self.drop(w.softmax(-1))
        y = (w @ v).transpose(1, 2).flatten(2)
        return self.out(y)


class RMS(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.g = nn.Parameter(torch.ones(d))

    def norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)

    def forward(self, x):
        return self.norm(x.float()).type_as(x) * self.g


class MoE(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.gate = nn.Linear(d, n, bias=False)
        self.experts = nn.ModuleList([nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d)) for _ in range(n)])

    def forward(self, x):
        p = self.gate(x).softmax(-1)
        y = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            y = y + expert(x) * p[..., i : i + 1]
        return y


class Layer(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.n1, self.n2 = RMS(d), RMS(d)
        self.attn = SelfAttention(d, 2)
        self.mlp = MoE(d, 3)

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        x = x + self.mlp(self.n2(x))
        return x


class LSTMish(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.ih = nn.Linear(d, 4 * d)
        self.hh = nn.Linear(d, 4 * d)

    def step(self, x, h, c):
        i, f, g, o = (self.ih(x) + self.hh(h)).chunk(4, -1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        return o.sigmoid() * c.tanh(), c

    def forward(self, xs):
        h = c = xs.new_zeros(xs.shape[0], xs.shape[-1])
        out = []
        for t in range(3):
            h, c = self.step(xs[:, t], h, c)
            out.append(h)
        return torch.stack(out, 1)


class Model(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.embed = nn.Embedding(50, d)
        self.layers = nn.ModuleList([Layer(d) for _ in range(2)])
        self.rnn = LSTMish(d)
        self.final = RMS(d)
        self.act = nn.ModuleDict({"a": nn.ReLU(), "b": nn.GELU()})
        self.alias = self.act["b"]

    def head(self, x):
        return F.linear(x, self.embed.weight)

    def forward(self, ids):
        x = self.embed(ids) * 4
        for layer in self.layers:
            x = layer(x)
        x = self.act["a"](x) - self.alias(x)
        x = self.rnn(x)
        return self.head(self.final(x)).log_softmax(-1)


m = Model()
torch.compile(m, backend=truth.backend)(torch.randint(0, 50, (2, 5))).sum().backward()


def call(ids, model):
    return model(ids).exp().sum()


torch.compile(call, backend=truth.backend)(torch.randint(0, 50, (2, 5)), m)
d = torch.compile(m, backend=truth.backend, dynamic=True)
d(torch.randint(0, 50, (2, 5)))
d(torch.randint(0, 50, (3, 7)))


class Child(SelfAttention):
    def __init__(self, d):
        super().__init__(d, 2)
        self.scale = nn.Parameter(torch.ones(d))

    def forward(self, x):
        return super().forward(x) * self.scale


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = Child(16), SelfAttention(16, 4)
        self.conv = nn.Conv1d(16, 16, 3, padding=1, padding_mode="circular")
        self.lstm = nn.utils.parametrizations.weight_norm(nn.Linear(16, 16))

    def forward(self, x):
        y = self.a(x)
        z = self.b(y)
        z = self.conv(z.transpose(1, 2)).transpose(1, 2)
        return self.lstm(z) + y

p = Pair()
torch.compile(p, backend=truth.backend)(torch.randn(2, 5, 16)).sum().backward()
truth.modules(m, p)

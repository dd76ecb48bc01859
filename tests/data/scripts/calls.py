"""Calls of several kinds: layouts, enums, dataclasses, named tuples, dicts, sets, dtypes, aliases."""

import collections
import dataclasses
import enum

import torch
torch.set_num_threads(1)
class E(enum.Enum):
    A = 1
    B = 2
@torch.compile(backend="eager")
def by_layout(x):
    return x * 2
by_layout(torch.ones(4))
by_layout(torch.ones(2, 3, 4, 5).to(memory_format=torch.channels_last))
by_layout(torch.ones(2, 3, 4, 5))
@torch.compile(backend="eager")
def by_enum(x, e):
    return x + 1 if e == "a" or e is E.A else x - 1
x = torch.ones(3)
by_enum(x, "a")
by_enum(x, E.A)
by_enum(x, E.B)
@torch.compile(backend="eager")
def by_image(x):
    return torch.nn.functional.avg_pool2d(x, 2)
by_image(torch.ones(2, 3, 8, 8))
by_image(torch.ones(4, 3, 16, 16))
@dataclasses.dataclass
class Args:
    n: int
    name: str
    t: torch.Tensor
@torch.compile(backend="eager")
def by_dataclass(a):
    return a.t * a.n if a.name == "x" else a.t + a.n
by_dataclass(Args(1, "x", x))
by_dataclass(Args(2, "x", x))
by_dataclass(Args(2, "y", x))
by_dataclass(Args(2, "y", torch.ones(5)))
@torch.compile(backend="eager")
def by_two(x, y):
    return x.sum() + y.sum()
by_two(torch.ones(2, 3), torch.ones(4))
by_two(torch.ones(5, 3), torch.ones(6))
by_two(torch.ones(5, 3), torch.ones(6, dtype=torch.float64))

x = torch.ones(4, 8)
P = collections.namedtuple("P", "a b")
@torch.compile(backend="eager")
def by_tuple(p, **kw):
    return p.a * p.b + sum(v for v in kw.values())
by_tuple(P(x, 2)); by_tuple(P(x, 2), y=x); by_tuple(P(x, 5), y=x); by_tuple(P(x, 5), y=x, z=x); by_tuple(P(x, None) if False else P(x, 2.5), y=x)
@torch.compile(backend="eager")
def by_kind(x, y=None):
    return x + 1 if y is None else x + y
by_kind(x); by_kind(x.half()); by_kind(x, x); by_kind(x.half(), x.half()); by_kind(x.clone().requires_grad_(), x); by_kind(x[0]); by_kind(torch.ones(9, 8))
@torch.compile(backend="eager")
def by_list(xs, names):
    out = 0
    for t in xs:
        out = out + t.sum()
    return out + (1 if "a" in names else 2)
by_list([x, x + 1], {"a"}); by_list([x, x + 1, x + 2], {"a"}); by_list([x, x + 1], {"b"}); by_list((x, x + 1), {"b"})
@torch.compile(backend="eager")
def by_dict(x, d):
    for v in d.values():
        x = x + v
    return x + 1
by_dict(x, {"a": x}); by_dict(x, {"a": x, "b": x}); by_dict(x, {}); by_dict(x, {"c": x})

"""Lists, dicts, dataclasses, enums and named tuples as arguments, each changed from call to call."""
import dataclasses
import enum
from collections import namedtuple
import torch

Pair = namedtuple("Pair", "a b")


class Mode(enum.Enum):
    FAST = 1
    SLOW = 2


@dataclasses.dataclass
class Options:
    scale: float = 1.0
    bias: bool = False


@torch.compile(backend="eager")
def f(xs, table, options, mode, pair):
    y = sum(xs) * options.scale + (table["b"] if "b" in table else 0)
    return y + pair.a if mode is Mode.FAST else y - pair.b


x = torch.ones(2)
f([x], {"a": 1}, Options(), Mode.FAST, Pair(1, 2))
f([x, x.clone()], {"a": 1}, Options(), Mode.FAST, Pair(1, 2))
f([x], {"a": 1, "b": 2}, Options(), Mode.FAST, Pair(1, 2))
f([x], {"a": 1}, Options(bias=True, scale=2.0), Mode.FAST, Pair(1, 2))
f([x], {"a": 1}, Options(), Mode.SLOW, Pair(1, 2))
f((x,), {"a": 1}, Options(), Mode.SLOW, Pair(3, 2))

"""One function with arguments of many kinds: NumPy scalars, numbers, layouts, dtypes, devices, containers, and none at all."""
import collections
import enum

import numpy
import torch

Point = collections.namedtuple("Point", "x y")


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@torch.compile(backend="eager")
def by_scalar(x, k):
    return x * k


@torch.compile(backend="eager")
def by_layout(x):
    return x.sum(-1)


@torch.compile(backend="eager")
def by_container(values, names=("a",), *, table=None):
    total = sum(values)
    if table:
        total = total + sum(table[name] for name in names if name in table)
    return total


@torch.compile(backend="eager")
def by_point(point, level=Level.LOW):
    return point.x * level + point.y


ones = torch.ones(2, 4)
for scalar in (numpy.float32(1.5), numpy.float32(2.5), numpy.int64(3), numpy.int64(4), numpy.bool_(True), 2, 3, 2.5, 3.5, True, 1j, torch.tensor(2.0), numpy.ones(4)):
    by_scalar(ones, scalar)
images = torch.ones(2, 3, 4, 4)
by_layout(images)
by_layout(images.to(memory_format=torch.channels_last))
by_layout(images.transpose(1, 2))
by_layout(images[:, :, ::2])
by_layout(images.expand(2, 3, 4, 4).half())
by_layout(torch.ones(2, 1, 1, 1).expand(2, 3, 4, 4))
by_layout(images.to("meta"))
by_layout(torch.ones(2, 3).to_sparse())
by_layout(torch.nn.Parameter(images))
by_layout(images[0])
with torch.device("cpu"):
    by_layout(images)
a, b = torch.ones(2), torch.ones(3)[:2]
by_container([a, b])
by_container((a, b))
by_container([a, b, a])
by_container([a, a])
by_container([a, b], table={"a": a})
by_container([a, b], table={"b": a, "a": b})
by_container([a, b], ("a", "b"), table={"b": a, "a": b})
by_container({0: a, 1: b}.values())
by_container(collections.deque([a, b]))
by_point(Point(a, b))
by_point(Point(a, 2))
by_point(Point(a, b), Level.HIGH)
by_point(Point(a, b), 3)

"""Functions that recompile for one cause each, as written first; advice_with.py follows what the report of this log advises."""
import enum

import numpy
import torch


def compiled(**settings):
    return torch.compile(backend="eager", **settings)


@compiled()
def by_size(x):
    return x * 2


@compiled()
def by_two_sizes(x, y):
    return x.sum() + y.sum()


@compiled()
def by_number(x, count):
    return x * count


@compiled(dynamic=False)
def by_static_size(x):
    return x + 1


@compiled(dynamic=False)
def by_small_number(x, power):
    return x**power


@compiled()
def by_many(many):
    return sum(x.sum() for x in many)


@compiled()
def by_first_number(x, first):
    return x * first


@compiled(dynamic=False)
def by_static_number(x, fixed):
    return x * fixed


@compiled(dynamic=False)
def to_the_limit(x):
    return x + 3


@compiled()
def by_closure(x, closure):
    return closure(x)


@compiled()
def by_array(array):
    return array + 1


def times(factor):
    def multiply(x):
        return x * factor

    return multiply


class Mode(enum.Enum):
    ADD = 1
    SUBTRACT = 2
    MULTIPLY = 3


@compiled()
def by_mode(x, mode):
    return x + 2 if mode is Mode.ADD else x - 2 if mode is Mode.SUBTRACT else x * 2


@compiled()
def by_function(x, function):
    return function(x)


class Steps(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0

    def forward(self, x):
        self.step += 1
        return x * self.step


class Scaled(torch.nn.Module):
    """Two attributes change: a buffer for one of them saves nothing."""

    def __init__(self):
        super().__init__()
        self.depth, self.name = 2, "a"

    def forward(self, x):
        return x**self.depth * len(self.name)


@compiled()
def by_optimizer(optimizer):
    optimizer.step()


class Key:
    pass


@compiled()
def by_object(x, key):
    return x + (id(key) > 0)


@compiled()
def by_rate(optimizer):
    optimizer.step()


@compiled()
def by_name(x, name):
    return x * len(name)


@compiled()
def by_one(x):
    return x - 1


@compiled()
def by_turns(x, flag):
    return x * 2 if flag else x + 1


@compiled()
def by_near_size(x, flag):
    return x * 3 if flag else x - 1


@compiled(dynamic=False)
def by_static_float(x, rate):
    return x * rate


@compiled()
def by_static_mark(x):
    return x / 2


@compiled()
def by_class(x, kind):
    return kind()(x)


@compiled()
def by_grad_mode(x):
    return x * 4


@compiled()
def by_bound(x):
    return x - 3


@compiled()
def to_the_limit_by_name(x, name):
    return x + len(name)


@compiled(dynamic=True)
def by_equal_sizes(x):
    return x * 5


class Pair(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.low, self.high = 1, 2

    def forward(self, x):
        return x * self.low + self.high


def marked(size):
    tensor = torch.ones(size)
    torch._dynamo.mark_dynamic(tensor, 0)
    return tensor


def main():
    ones = torch.ones(4)
    for size in (4, 5, 6):
        by_size(torch.ones(size))
        by_two_sizes(torch.ones(size), torch.ones(2 * size))
    for count in (3, 4, 5):
        by_number(ones, count)
    for size in (4, 5, 6, 7):
        by_static_size(torch.ones(size))
    sequence = torch.compile(torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()), backend="eager")
    for batch in (2, 3, 4):
        sequence(torch.ones(batch, 4))
    steps = torch.compile(Steps(), backend="eager")
    for _ in range(4):
        steps(ones)
    scaled = Scaled()
    forward = torch.compile(scaled, backend="eager")
    for depth in (2, 3, 4):
        scaled.depth, scaled.name = depth, "a" * depth
        forward(ones)
    weight = torch.nn.Parameter(torch.ones(3))
    weight.grad = torch.ones(3)
    for _ in range(4):
        optimizer = torch.optim.SGD([weight], lr=0.1)
        by_optimizer(optimizer)
    for key in [Key(), Key(), Key()]:
        by_object(ones, key)
    for name in ("a", "bb", "ccc"):
        by_name(ones, name)
    for power in range(5):
        by_small_number(ones, power)
    for size in (4, 5, 6):
        by_many([torch.ones(size + i) for i in range(5)])
    for first in (1, 4, 5):
        by_first_number(ones, first)
    for fixed in (3, 4):
        by_static_number(ones, fixed)
    for size in range(2, 14):
        to_the_limit(torch.ones(size))
    for factor in (2, 3, 4):
        by_closure(ones, times(factor))
    for size in (4, 5, 6):
        by_array(numpy.ones(size))
    for mode in Mode:
        by_mode(ones, mode)
    for function in (lambda x: x + 1, lambda x: x + 2, torch.sin):
        by_function(ones, function)
    for size in (1, 4, 5):
        by_one(torch.ones(size))
    for size in (2, 3):
        for flag in (False, True):
            by_turns(torch.ones(size), flag)
    for size, flag in ((2, False), (3, True), (3, False)):
        by_near_size(torch.ones(size), flag)
    for rate in (1.5, 2.5, 3.5, 4.5):
        by_static_float(ones, rate)
    for size in (4, 5, 6, 7):
        x = torch.ones(size)
        torch._dynamo.mark_static(x, 0)
        by_static_mark(x)
    for kind in (torch.nn.ReLU, torch.nn.Tanh):
        by_class(ones, kind)
    by_grad_mode(ones)
    with torch.no_grad():
        by_grad_mode(ones)
    for size in (4, 1):
        by_bound(marked(size))
    for length in range(10):
        to_the_limit_by_name(ones, "n" * length)
    for width in (4, 5):
        by_equal_sizes(torch.ones(4, width))
    pair = Pair()
    twice = torch.compile(pair, backend="eager")
    for value in (1, 2, 3):
        pair.low, pair.high = value, 2 * value
        twice(ones)
    modes = torch.compile(Pair(), backend="eager")
    modes(ones)
    modes.eval()
    modes(ones)
    library()
    rates()


def library():
    """Functions of a library, called with arguments of the program."""
    for module, keyword in ((torch.nn.Linear(4, 4), False), (torch.nn.Sequential(torch.nn.Tanh()), True)):
        torch._dynamo.reset()
        compiled_module = torch.compile(module, backend="eager")
        for batch in (2, 3, 4):
            x = torch.ones(batch, 4)
            compiled_module(input=x) if keyword else compiled_module(x)
    torch._dynamo.reset()
    softplus = torch.nn.Softplus()
    smooth = torch.compile(softplus, backend="eager")
    for beta in (2, 3, 4, 5):
        softplus.beta = beta
        smooth(torch.ones(4))
    torch._dynamo.reset()
    for module in (torch.nn.Linear(4, 4), torch.nn.Softplus(), torch.nn.Bilinear(4, 4, 1)):
        inputs = [torch.ones(2, 4)] * (2 if isinstance(module, torch.nn.Bilinear) else 1)
        torch.compile(module, backend="eager")(*inputs)
    torch._dynamo.reset()


def rates():
    weight = torch.nn.Parameter(torch.ones(3))
    optimizer = torch.optim.AdamW([weight], lr=0.1)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
    for _ in range(4):
        weight.grad = torch.ones(3)
        by_rate(optimizer)
        schedule.step()


main()

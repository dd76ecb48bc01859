"""Recompiles, one reason per function: the values, types and properties of the arguments."""
import torch
import torch._dynamo as dynamo

compiled = torch.compile(backend="eager")
static = torch.compile(backend="eager", dynamic=False)


@static
def by_int(x, n):
    return x + n


@static
def by_float(x, f):
    return x * f


@compiled
def by_mode(x, mode):
    return x.sin() if mode == "sin" else x.cos()


@compiled
def by_flag(x, flag):
    return x + 1 if flag else x - 1


@compiled
def by_length(xs):
    for x in xs[1:]:
        xs[0] + x
    return xs[0] * 2


@compiled
def by_keys(x, d):
    for k in d:
        x = x + d[k]
    return x


@compiled
def by_function(x, fn):
    return fn(x)


class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2

    def forward(self, x):
        return x * self.scale


@compiled
def by_requires_grad(x):
    return x.exp()


@compiled
def by_dtype(x):
    return x + x


@static
def by_stride(x):
    return x.relu()


@compiled
def by_divisibility(x):
    if x.size(0) % 8 == 0:
        return x.view(8, -1).sum(0)
    return x.sum(0)


@compiled
def by_rank(x):
    return x.sum(-1)


@compiled
def by_none(x, bias):
    return x + 1 if bias is None else x + bias


@compiled
def by_type(x, y):
    return x + y


@compiled
def by_object(x, o):
    return x + o.n


class A:
    n = 1


class B:
    n = 1


x = torch.ones(3)
for n in (1, 2, 3):
    by_int(x, n)
for f in (1.5, 2.5):
    by_float(x, f)
for mode in ("sin", "cos"):
    by_mode(x, mode)
for flag in (True, False):
    by_flag(x, flag)
for n in (3, 1):
    by_length([x] * n)
for d in ({"a": x}, {"b": x}, {"a": x, "b": x}):
    by_keys(x, d)
for fn in (lambda t: t + 1, lambda t: t + 2):
    by_function(x, fn)
module = Scaled()
by_attribute = compiled(module)
by_attribute(x)
module.scale = 4
by_attribute(x)
for grad in (False, True):
    by_requires_grad(torch.ones(3, requires_grad=grad))
for dtype in (torch.float32, torch.float64):
    by_dtype(torch.ones(3, dtype=dtype))
by_stride(torch.ones(4, 4))
by_stride(torch.ones(4, 4).t())
for n in (16, 24, 17):
    t = torch.ones(n)
    dynamo.mark_dynamic(t, 0)
    by_divisibility(t)
for shape in ((3,), (3, 3)):
    by_rank(torch.ones(shape))
for bias in (None, x):
    by_none(x, bias)
for y in (torch.zeros(3), 1.0):
    by_type(x, y)
for o in (A(), B()):
    by_object(x, o)

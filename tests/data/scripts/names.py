"""Names of any script, markup in values, NaN, another backend, dynamic=True and False, functions and builtins, an operator without a fake."""
import torch


def compiled(function, **how):
    return torch.compile(function, **{"backend": "eager", **how})


def größe(x, naïve=1):
    return x * naïve


def keys(x, d, k):
    return x * d["emoji 🎉"] + len(k)


def scaled(x, s):
    return x * s


def calls(x, f):
    return f(x)


def fixed(x, n):
    return x if n == 0 else fixed(x * n, n - 1)


def sizes(x):
    return x + 1


def mine(graph, inputs):
    return graph.forward


@torch.library.custom_op("names::nofake", mutates_args=())
def nofake(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


def uses(x):
    return nofake(x)


ones = torch.ones(3)
each = compiled(größe)
each(ones), each(ones, 2)
each = compiled(keys)
each(ones, {"emoji 🎉": 2}, "</script>"), each(ones, {"emoji 🎉": 3}, "</script>"), each(ones, {"emoji 🎉": 3}, "<!-- ]]> -->")
each = compiled(scaled)
for s in (0.5, 0.25, float("nan"), 2):
    each(ones, s)
each = compiled(calls)
each(ones, lambda x: x + 1), each(ones, torch.sin)
each = compiled(fixed)
each(ones, 3), each(ones, 5)
compiled(sizes)(ones), compiled(sizes, backend=mine)(ones), compiled(sizes, backend=mine, dynamic=True)(torch.ones(4))
for n in (5, 6):
    compiled(sizes, dynamic=False)(torch.ones(n))
try:
    compiled(uses)(ones)
except Exception as error:
    print(type(error).__name__)

"""Graph breaks inside libraries (torch, the standard library, a package) and in the user's own code."""
import functools
import logging
import os
import sys
import warnings

import torch

SITE = "/tmp/venv/lib/python3.11/site-packages"
TINYLIB = '''"""A tiny library."""
import time

import torch


def scaled(x):
    x = x * 3
    time.sleep(0)
    return x - 1


def add(a, b):
    torch._dynamo.graph_break()
    return a + b


class Layer(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n

    def forward(self, x):
        y = x * self.n
        if y.sum() > 0:
            return y
        return -y
'''
os.makedirs(SITE + "/tinylib", exist_ok=True)
with open(SITE + "/tinylib/__init__.py", "w") as f:
    f.write(TINYLIB)
sys.path.insert(0, SITE)
import tinylib  # noqa: E402

log = logging.getLogger("app")
compiled = torch.compile(backend="eager")


@compiled
def own_print(x):
    x = x + 1
    print("mine")
    return x * 2


@compiled
def in_package(x):
    x = x + 1
    x = tinylib.scaled(x)
    return x * 2


@compiled
def in_package_class(x):
    return tinylib.Layer(2)(x) + 1


@compiled
def logs(x):
    x = x + 1
    log.warning("sum %s", 1)
    return x * 2


@compiled
def warns(x):
    x = x + 1
    warnings.warn("careful")
    return x * 2


@compiled
def reduces(x):
    return functools.reduce(tinylib.add, [x, x * 2])


@compiled
def opens(x):
    with open("/dev/null") as f:
        f.read()
    return x + 1


@compiled
def torch_side(x):
    x = x + 1
    torch.manual_seed(0)
    torch.seed()
    return x * 2


@compiled
def hooks(x):
    return layer(x) + 1


@compiled
def in_torch_rnn(x):
    packed = torch.nn.utils.rnn.pack_padded_sequence(x.reshape(3, 1, 1), lengths)
    return packed.data * 2


@compiled
def in_torch_transformer(x):
    return encoder(x.reshape(3, 1, 1).expand(3, 1, 4), mask=mask).sum()


lengths = torch.tensor([3])
mask = torch.nn.Transformer.generate_square_subsequent_mask(3)
encoder = torch.nn.TransformerEncoder(
    torch.nn.TransformerEncoderLayer(4, 1, 4, 0.0), 1, enable_nested_tensor=False
)
layer = torch.nn.Linear(3, 3)
layer.register_forward_hook(lambda m, a, out: print("hook"))

for f in (own_print, in_package, in_package_class, logs, warns, reduces, opens, torch_side, hooks,
          in_torch_rnn, in_torch_transformer):
    f(torch.ones(3))

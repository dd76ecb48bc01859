"""Versions of one function that are called in turn, so that guards of some fail before those of the one that fits.

<out>/versions.order.json has PyTorch's own order for each call: the cache entries as they are tried, and the one that was first afterwards, which
is the one that fitted."""
import json
import os

import torch
from common import recorded
from torch._dynamo.eval_frame import _debug_get_cache_entry_list

calls = []


@torch.compile(dynamic=False)
def scale(x):
    return torch.sin(x) * x.shape[0]


@torch.compile(dynamic=False)
def shift(x):
    return torch.cos(x) + x.shape[0]


def entries(function):
    code = function._torchdynamo_orig_callable.__code__
    return [str(entry.compile_id) for entry in _debug_get_cache_entry_list(code)]


def call(function, size):
    before = entries(function)
    function(torch.ones(size))
    calls.append([function.__name__, before, entries(function)[0]])


for size in (3, 5, 7, 9):
    scale(torch.ones(size))
    shift(torch.ones(size))
PATTERN = [(scale, 3), (scale, 5), (scale, 3), (scale, 3), (scale, 7), (shift, 9), (shift, 9), (scale, 5), (scale, 3), (shift, 3), (shift, 9)]
recorded("versions", lambda i: [call(*one) for one in PATTERN])
with open(os.environ["PROFILE_OUT"] + "/versions.order.json", "w") as file:
    json.dump(calls, file)

"""Lists of strings that a Counter reads, of another length and with other strings in each call."""
import collections

import torch


@torch.compile(backend="aot_eager")
def choose(x, names):
    counted = collections.Counter(names)
    return x + 1, max(counted.items(), key=lambda item: item[1])[0]


for names in (["a", "b", "a"], ["b"], ["c", "c"]):
    choose(torch.randn(5, 2), names)

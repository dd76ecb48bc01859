"""Tensors in a subclass of dict, whose guards name them with commas, and which are views of tensors with other dimensions."""
import collections

import torch


class Output(collections.OrderedDict):
    pass


@torch.compile(backend="aot_eager")
def attend(output):
    return output["hidden states"].softmax(-1) @ output["keys, values"].mT


for batch, length in ((2, 10), (3, 14), (5, 6)):
    hidden, keys = (torch.ones(batch, length, 8).repeat_interleave(2, 0) for _ in range(2))
    attend(Output({"hidden states": hidden, "keys, values": keys}))

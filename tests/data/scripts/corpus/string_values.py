"""A string that is another text in each call, and one that is one of four modes."""
import torch


def by_text(x, text):
    return x * len(text.split(" "))


def by_mode(x, mode):
    return x.sin() if mode == "sine" else x + len(mode)


texts = ["a good film", "a bad film indeed", "no", "not that bad", "what a good day it was"]
x = torch.ones(4)
for function, values in ((by_text, texts), (by_mode, ["sine", "ramp", "step", "none"])):
    compiled = torch.compile(function, backend="eager")
    for value in values:
        compiled(x, value)

"""Forty small functions, after each of which PyTorch collects garbage, in a program with many objects."""
import torch

keep = [[{"n": n}] for n in range(300000)]
for n in range(40):
    code = {}
    exec(f"def small_{n}(x):\n    return x.sin() + {n}\n", code)
    torch.compile(code[f"small_{n}"], backend="eager")(torch.rand(4))

"""Runs a program and writes the CPU time that it and its children took, without imports and the first compile of a process."""
import json
import os
import runpy
import sys

import torch
import torch._dynamo
import torch._inductor.compile_fx


def first(x):
    y = x.sin() + 1
    torch._dynamo.graph_break()
    return y.cos().sum(-1)


torch.compile(first, backend="aot_eager")(torch.rand(3, 3))
sys.argv = sys.argv[1:]
before = os.times()
runpy.run_path(sys.argv[0], run_name="__main__")
after = os.times()
with open("/home/user/trace/cpu.json", "w", encoding="utf-8") as out:
    json.dump(sum(after[:4]) - sum(before[:4]), out)

"""Steps of a profiler with a schedule. In the other version, lines are two further down, and one product has four times as many operations."""
import json
import os

import torch
from torch.profiler import ProfilerActivity, profile, schedule

torch._inductor.config.cpp.enable_kernel_profile = True
torch.set_num_threads(1)
# Two more lines than in the other version:
# one product has four times as many operations.
INNER = 2048


@torch.compile
def encode(x, wide, narrow):
    h = torch.relu(x @ wide)
    return h @ narrow


@torch.compile
def attend(h, p, q):
    scores = p @ q
    mixed = h @ h.T
    return (scores + mixed).sum()


x, wide, narrow = torch.randn(256, 256), torch.randn(256, 512), torch.randn(512, 256)
p, q = torch.randn(256, INNER), torch.randn(INNER, 256)


def step():
    return attend(encode(x, wide, narrow), p, q)


for _ in range(5):
    step()
with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=0, warmup=2, active=20, repeat=1)) as prof:
    for _ in range(22):
        step()
        prof.step()
out = f"{os.environ['PROFILE_OUT']}/{os.environ['PROFILE_NAME']}"
prof.export_chrome_trace(f"{out}.json")
with open(f"{out}.sums.json", "w") as file:
    json.dump({e.key: [e.count, e.cpu_time_total] for e in prof.key_averages()}, file, indent=0, sort_keys=True)

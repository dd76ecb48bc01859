"""Records a few steps of a program with torch.profiler, and beside the trace what PyTorch itself sums up by name.

<out>/<name>.json is the trace; <out>/<name>.sums.json has `key_averages()`: the calls and the total CPU time of each name, in microseconds."""
import json
import os

import torch
from torch.profiler import ProfilerActivity, profile


def recorded(name, step, steps=4):
    """Calls step(i) in a profile."""
    out = os.environ["PROFILE_OUT"]
    with profile(activities=[ProfilerActivity.CPU]) as prof:
        for i in range(steps):
            step(i)
            prof.step()
    prof.export_chrome_trace(f"{out}/{name}.json")
    sums = {e.key: [e.count, e.cpu_time_total] for e in prof.key_averages()}
    with open(f"{out}/{name}.sums.json", "w") as file:
        json.dump(sums, file, indent=0, sort_keys=True)


def with_kernel_events():
    torch._inductor.config.cpp.enable_kernel_profile = True

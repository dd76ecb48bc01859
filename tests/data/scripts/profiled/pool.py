"""Compiled code that runs in other threads than the one that marks the steps: two threads compile at once, then call it."""
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import torch
from torch.profiler import ProfilerActivity, profile, schedule

torch._inductor.config.cpp.enable_kernel_profile = True
torch.set_num_threads(1)


@torch.compile
def first(x):
    y = (x @ x).relu()
    torch._dynamo.graph_break()
    return y.sum()


@torch.compile
def second(x):
    y = x.sin()
    torch._dynamo.graph_break()
    return (y * 2).sum()


x = torch.randn(64, 64)
pool, both = ThreadPoolExecutor(2), threading.Barrier(2)


def work(function):
    both.wait()
    return float(function(x))


list(pool.map(lambda _: 0, range(2)))
threads = torch._C._profiler._ExperimentalConfig(profile_all_threads=True)
with profile(activities=[ProfilerActivity.CPU], experimental_config=threads, schedule=schedule(wait=0, warmup=0, active=5, repeat=1)) as prof:
    for _ in range(5):
        list(pool.map(work, (first, second)))  # the first step compiles both
        prof.step()
prof.export_chrome_trace(f"{os.environ['PROFILE_OUT']}/whole_pool.json")

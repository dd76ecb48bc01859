"""What changes while a profile runs: torch._dynamo.reset(), a compile in each step, one that fails, functions that call themselves, an AOTInductor
package beside compiled code. Prints how long each step takes."""
import os
import time

import torch
from torch.profiler import ProfilerActivity, profile, schedule

torch._inductor.config.cpp.enable_kernel_profile = True
torch.set_num_threads(1)
torch.manual_seed(0)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(64, 64)

    def forward(self, x):
        return torch.relu(self.layer(x))


class Packed(torch.nn.Module):
    def forward(self, x):
        return torch.digamma(x.abs() + 1).cumsum(0)


net = torch.compile(Net())
x, wide = torch.randn(32, 64), torch.rand(300, 300)
exported = torch.export.export(Packed(), (wide,))
package = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(exported, package_path="/tmp/packed.pt2"))


@torch.compile(dynamic=False)
def grows(x):
    return torch.tanh(x).sum()


@torch.compile(dynamic=False)
def again(x, n):
    y = torch.sin(x) * n
    torch._dynamo.graph_break()
    return y if n == 0 else again(y, n - 1)


@torch.compile
def fails(x):
    y = x + 1
    if y.sum() > 1e9:
        return y
    raise ValueError("planted")


def trains():
    net(x).sum().backward()


for _ in range(2):
    trains()
again(x, 3)
torch._dynamo.config.recompile_limit = 32
with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=0, warmup=0, active=6, repeat=1)) as prof:
    for step in range(6):
        if step == 3:
            torch._dynamo.reset()
        began = time.perf_counter()
        trains()
        with torch.no_grad():
            package(wide)
        grows(torch.randn(8 + step, 8))  # a compile in each step
        again(x, 3)
        if step == 4:
            try:
                fails(x)
            except ValueError:
                pass
        print("step", step, time.perf_counter() - began)
        prof.step()
prof.export_chrome_trace(f"{os.environ['PROFILE_OUT']}/whole_resets.json")

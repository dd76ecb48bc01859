"""Calls of libraries that break the graph: one call at several lines of the library, and a line that two functions lead to."""
import os
import sys

import torch
from diffusers import DDIMScheduler, EulerDiscreteScheduler

SITE = "/tmp/venv/lib/python3.11/site-packages"
os.makedirs(SITE + "/slowlib", exist_ok=True)
with open(SITE + "/slowlib/__init__.py", "w") as f:
    f.write("import time\n\n\ndef rest(x):\n    time.sleep(0)\n    return x - 1\n")
sys.path.insert(0, SITE)
import slowlib  # noqa: E402


@torch.compile(backend="eager")
def denoise(scheduler, x, t):
    y = torch.tanh(x) * 0.9
    return scheduler.step(y, t, x).prev_sample


@torch.compile(backend="eager")
def again(scheduler, x, t):
    return scheduler.step(x * 0.8, t, x).prev_sample


def long(x):
    for i in range(150):
        x = torch.sin(x) + i
    return x


@torch.compile(backend="eager")
def one(x):
    return slowlib.rest(long(x)) * 2


@torch.compile(backend="eager")
def other(x):
    return slowlib.rest(long(x) * 3) * 2


x = torch.randn(1, 1, 4, 4)
for scheduler in (DDIMScheduler(num_train_timesteps=20), EulerDiscreteScheduler(num_train_timesteps=20)):
    scheduler.set_timesteps(2)
    for t in scheduler.timesteps:
        scheduler.scale_model_input(x, t)
        denoise(scheduler, x, t)
scheduler = DDIMScheduler(num_train_timesteps=20)
scheduler.set_timesteps(2)
again(scheduler, x, scheduler.timesteps[0])
one(x)
other(x)

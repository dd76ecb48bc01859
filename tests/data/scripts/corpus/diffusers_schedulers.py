"""Steps of two diffusers schedulers, compiled: attributes that change in every step."""
import torch
from diffusers import DDIMScheduler, EulerDiscreteScheduler

for scheduler in (DDIMScheduler(num_train_timesteps=20), EulerDiscreteScheduler(num_train_timesteps=20)):
    scheduler.set_timesteps(4)
    step = torch.compile(scheduler.step, backend="eager")
    x = torch.randn(1, 1, 4, 4)
    for t in scheduler.timesteps:
        x = step(torch.zeros_like(x), t, x).prev_sample

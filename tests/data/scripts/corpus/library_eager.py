# A step of a library that breaks the graph, and that the backend cannot compile as a frame of its own, since an index is a
# tensor: one call in which several lines fail.
import torch
from diffusers import DDIMScheduler


@torch.compile(backend="aot_eager")
def denoise(scheduler, x, t):
    y = torch.tanh(x) * 0.9
    return scheduler.step(y, t, x).prev_sample


scheduler = DDIMScheduler(num_train_timesteps=20)
scheduler.set_timesteps(2)
x = torch.randn(1, 1, 4, 4)
for t in scheduler.timesteps:
    x = denoise(scheduler, x, t)

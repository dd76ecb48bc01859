"""A diffusers UNet in a denoising loop: the timestep is an int, then a tensor; two resolutions."""
import torch
from diffusers import DDPMScheduler, UNet2DModel

torch.manual_seed(0)
unet = UNet2DModel(sample_size=8, in_channels=1, out_channels=1, layers_per_block=1, block_out_channels=(8, 8), norm_num_groups=4,
                   down_block_types=("DownBlock2D", "DownBlock2D"), up_block_types=("UpBlock2D", "UpBlock2D")).eval()
fast = torch.compile(unet, backend="eager")
scheduler = DDPMScheduler(num_train_timesteps=10)
scheduler.set_timesteps(3)
with torch.no_grad():
    for size in (8, 16):
        x = torch.randn(1, 1, size, size)
        for t in scheduler.timesteps:
            x = scheduler.step(fast(x, t).sample, t, x).prev_sample
    for t in (7, 5, 3):
        fast(x, t)

"""A UNet of diffusers, with skips, group norms and cross attention."""
import diffusers
import torch
import truth

model = diffusers.UNet2DConditionModel(sample_size=8, block_out_channels=(8, 16), layers_per_block=1, cross_attention_dim=8,
                                       down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"), norm_num_groups=4, attention_head_dim=4,
                                       up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"))
compiled = torch.compile(model, backend=truth.backend)
with torch.no_grad():
    compiled(torch.randn(1, 4, 8, 8), torch.tensor(3), torch.randn(1, 5, 8))
truth.modules(model)

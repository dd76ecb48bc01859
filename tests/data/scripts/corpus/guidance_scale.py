"""Classifier-free guidance: both halves of a batch, for batches of 1 and 2, with other scales, then for larger images."""
import torch


@torch.compile(backend="aot_eager")
def guide(noise, scale):
    conditional, unconditional = noise.chunk(2)
    return unconditional + scale * (conditional - unconditional)


for batch, size, scale in ((2, 8, 4.0), (4, 8, 4.0), (4, 8, 5.5), (2, 12, 5.5)):
    guide(torch.ones(batch, 3, size, size), scale)

"""Images of several sizes that a detector resizes to one scale and copies into a padded batch: sizes become dynamic, and size expressions with floating point reach an operator."""

import math

import torch


def resized(image):
    height, width = image.shape[-2:]
    scale = min(64 / min(height, width), 96 / max(height, width))
    return torch.nn.functional.interpolate(
        image[None], size=(int(height * scale), int(width * scale)), mode="bilinear"
    )[0]


@torch.compile(backend="eager")
def batched(images):
    images = [resized(image) for image in images]
    height = max(image.shape[1] for image in images)
    width = max(image.shape[2] for image in images)
    shape = [len(images), 3, int(math.ceil(height / 32) * 32), int(math.ceil(width / 32) * 32)]
    out = images[0].new_full(shape, 0)
    for i, image in enumerate(images):
        out[i, :, : image.shape[1], : image.shape[2]].copy_(image)
    return out


def main():
    for height, width in ((48, 64), (64, 96), (40, 56)):
        try:
            print(height, width, batched([torch.rand(3, height, width)]).shape)
        except Exception as error:
            print(height, width, type(error).__name__, str(error).splitlines()[0])


main()

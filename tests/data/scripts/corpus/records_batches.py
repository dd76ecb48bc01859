"""Batches as users pass them: a dataclass, a NamedTuple, and a dict of tensors whose keys are missing in some batches; the compiled function raises KeyError for one, which the caller catches."""

from dataclasses import dataclass
from typing import NamedTuple

import torch


@dataclass
class Batch:
    image: torch.Tensor
    label: torch.Tensor | None = None
    weight: float = 1.0


class Pair(NamedTuple):
    left: torch.Tensor
    right: torch.Tensor


@torch.compile(backend="eager")
def of_dataclass(batch):
    out = batch.image.mean() * batch.weight
    if batch.label is not None:
        out = out - batch.label.float().mean()
    return out


@torch.compile(backend="eager")
def of_pair(pair):
    return (pair.left * pair.right).sum()


@torch.compile(backend="eager")
def of_dict(batch):
    out = batch["image"].mean()
    if "mask" in batch:
        out = out + batch["mask"].sum()
    return out + batch["label"].sum()


def main():
    image = torch.ones(2, 3)
    for batch in (Batch(image), Batch(image, torch.ones(2)), Batch(image, weight=0.5), Batch(image, weight=0.25)):
        print("dataclass", of_dataclass(batch).item())
    for pair in (Pair(image, image), Pair(image, torch.ones(3)), Pair(image.double(), image)):
        print("pair", of_pair(pair).item())
    for keys in (("image", "label"), ("image", "label", "mask"), ("label", "image"), ("image", "mask"), ("image", "label", "id")):
        try:
            print("dict", keys, of_dict({key: image for key in keys}).item())
        except KeyError as error:
            print("dict", keys, "KeyError", error)


main()

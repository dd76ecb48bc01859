"""Elements that are set at a tensor of no dimensions, from an element at one."""
import torch


@torch.compile(backend="aot_eager")
def sums(boxes, order):
    hist = torch.zeros(4)
    i = order[0]
    hist[i] = boxes[i].sum()
    return hist


@torch.compile(backend="aot_eager")
def read(boxes, order):
    i = order[0]
    return boxes[i] + 1


sums(torch.ones(4, 2), torch.tensor([2, 1]))
read(torch.ones(4, 2), torch.tensor([2, 1]))

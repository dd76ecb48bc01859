"""Rows at a tensor of no dimensions with PyTorch's hint followed: the index raises an error."""
import torch

torch._dynamo.config.capture_scalar_outputs = True


@torch.compile(backend="aot_eager")
def row(boxes, order):
    i = order[0]
    return boxes[i] * 2


@torch.compile(backend="aot_eager")
def between(boxes, order):
    i, j = order[0], order[1]
    return boxes[i] - boxes[j]


for function in row, between:
    try:
        print(function(torch.arange(8.0).view(4, 2), torch.tensor([2, 1, 3])))
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0][:80])

"""A threshold that torchvision passes on to a function of its own, and one that the program passes to its own; sizes change with both."""
import torch
import torchvision

torch.manual_seed(0)


@torch.compile(backend="eager")
def keep(boxes, scores, labels, threshold):
    return torchvision.ops.batched_nms(boxes, scores, labels, threshold)


@torch.compile(backend="eager")
def scaled(x, factor):
    return x * factor


def boxes(count):
    corners = torch.rand(count, 2)
    return torch.cat([corners, corners + 0.2], 1)


def main():
    for count, threshold in ((20, 0.75), (12, 0.5), (12, 0.25)):
        keep(boxes(count), torch.rand(count), torch.arange(count) % 3, threshold)
        scaled(torch.ones(count), threshold)


main()

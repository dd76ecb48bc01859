"""Detections: non-maximum suppression, whose result has as many rows as the data says, once where Python tests that."""
import torch
import torchvision


@torch.compile(backend="aot_eager")
def keep(boxes, scores):
    return boxes[torchvision.ops.nms(boxes, scores, 0.5)] * 2


@torch.compile(backend="aot_eager")
def best(boxes, scores):
    kept = torchvision.ops.nms(boxes, scores, 0.5)
    if len(kept) >= 2:
        kept = kept[:2]
    return boxes[kept] * 2


@torch.compile(backend="aot_eager")
def per_class(boxes, scores, labels):
    return boxes[torchvision.ops.batched_nms(boxes, scores, labels, 0.5)] * 2


torch.manual_seed(0)
corners = torch.rand(6, 2) * 10
boxes, scores, labels = torch.cat([corners, corners + 3], 1), torch.rand(6), torch.arange(6) % 2
keep(boxes, scores), best(boxes, scores), per_class(boxes, scores, labels)

"""Post-processing of detections: boxes of varying number, a branch on it after a graph break, and images of several sizes."""

import torch

torch.manual_seed(0)


def iou(box, boxes):
    low, high = torch.maximum(box[:2], boxes[:, :2]), torch.minimum(box[2:], boxes[:, 2:])
    inter = (high - low).clamp(min=0).prod(1)
    return inter / ((box[2:] - box[:2]).prod() + (boxes[:, 2:] - boxes[:, :2]).prod(1) - inter)


@torch.compile(backend="eager")
def post(boxes, scores, threshold):
    order = scores.argsort(descending=True)
    boxes, scores = boxes[order], scores[order]
    keep = torch.nonzero(scores > threshold)[:, 0]
    boxes, scores = boxes[keep], scores[keep]
    if boxes.shape[0] > 20:
        boxes, scores = boxes[:20], scores[:20] * 0.5
    kept = torch.ones(boxes.shape[0], dtype=torch.bool)
    for i in range(3):
        if i < boxes.shape[0]:
            kept = kept & ((iou(boxes[i], boxes) < 0.5) | (torch.arange(boxes.shape[0]) <= i))
    return boxes * kept[:, None], scores * kept


@torch.compile(backend="eager")
def prepare(images, sizes, mean):
    areas = [h * w for h, w in sizes]
    return (images - mean) / areas[0], sum(areas) / len(areas)


@torch.compile(backend="eager")
def batch(images):
    return torch.stack([torch.nn.functional.avg_pool2d(image, 2).mean(dim=(1, 2)) for image in images])


@torch.compile(backend="eager")
def normal(images):
    return images * 2 - 1


for h, w in ((32, 32), (48, 32), (48, 40), (64, 56)):
    normal(torch.randn(2, 3, h, w))
    prepare(torch.randn(2, 3, h, w), [(h, w), (h // 2, w)], 0.5)
    batch([torch.randn(3, h, w), torch.randn(3, h, w)])
for n in (40, 12, 60, 2, 90, 30, 1, 8, 50, 3):
    boxes = torch.rand(n, 4)
    boxes[:, 2:] += boxes[:, :2]
    post(boxes, torch.rand(n), 0.5)

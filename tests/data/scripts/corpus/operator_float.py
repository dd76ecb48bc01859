"""A threshold that changes alone: an operator of torchvision needs it as a number."""
import torch
import torchvision

torch.manual_seed(0)
corners = torch.rand(6, 2) * 10
boxes, scores = torch.cat([corners, corners + 3], 1), torch.rand(6)


@torch.compile(backend="eager")
def keep(boxes, scores, threshold):
    return torchvision.ops.nms(boxes, scores, threshold)


@torch.compile(backend="eager")
def per_class(boxes, scores, labels, threshold):
    return torchvision.ops.batched_nms(boxes, scores, labels, threshold)


keep(boxes, scores, 0.75), keep(boxes, scores, 0.5)
torch._dynamo.config.capture_dynamic_output_shape_ops = True
per_class(boxes, scores, torch.arange(6) % 2, 0.75), per_class(boxes, scores, torch.arange(6) % 2, 0.5)

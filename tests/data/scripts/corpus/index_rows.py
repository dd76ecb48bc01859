"""Rows of tensors at tensors of no dimensions: collected in a list, of a dict, two in one line, and set."""
import torch


@torch.compile(backend="aot_eager")
def collected(boxes, order):
    out = []
    for i in order[:2]:
        out.append(boxes[i][None])
    return torch.cat(out)


@torch.compile(backend="aot_eager")
def rolled(boxes, order):
    i = order[0]
    return torch.roll(boxes[i], 1)


@torch.compile(backend="aot_eager")
def of_dict(data, order):
    i = order[0]
    return data["boxes"][i] * 2


@torch.compile(backend="aot_eager")
def between(boxes, order):
    i, j = order[0], order[1]
    return boxes[i] - boxes[j]


@torch.compile(backend="aot_eager")
def filled(boxes, order):
    out = torch.zeros(4)
    out[order[0]] = boxes.sum()
    return out


def main():
    boxes, order = torch.arange(8.0).view(4, 2), torch.tensor([2, 1, 3])
    print(collected(boxes, order))
    print(rolled(boxes, order))
    print(of_dict({"boxes": boxes}, order))
    print(between(boxes, order))
    print(filled(boxes, order))


main()

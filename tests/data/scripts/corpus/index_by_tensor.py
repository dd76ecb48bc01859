"""Rows of a table, chosen by a tensor of no dimensions, by a number, and as a size."""
import torch


@torch.compile(backend="aot_eager")
def nearest(points, query):
    best = ((points - query) ** 2).sum(-1).argmin()
    return points[best] - query


@torch.compile(backend="aot_eager")
def bump(counts, scores):
    first, second = scores.topk(2).indices.unbind()
    counts = counts.clone()
    counts[first, second] += 1
    return counts


@torch.compile(backend="aot_eager")
def by_number(points, scores):
    return points[scores.argmax().item()] * 2


@torch.compile(backend="aot_eager")
def padded(points, lengths):
    count = lengths.max()
    return points.sum() + torch.zeros(count)


@torch.compile(backend="aot_eager")
def marked(points, scores):
    marks = torch.zeros_like(scores)
    best = scores.argmax()
    marks[best] = 1
    return points * marks[:, None]


def main():
    torch.manual_seed(0)
    points, scores = torch.randn(6, 2), torch.randn(6)
    print(nearest(points, torch.zeros(2)))
    print(bump(torch.zeros(6, 6), scores).sum())
    print(by_number(points, scores))
    print(padded(points, torch.tensor([2, 4, 3])))
    print(marked(points, scores).shape)


if __name__ == "__main__":
    main()

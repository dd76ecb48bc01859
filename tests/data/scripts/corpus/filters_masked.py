"""filters.py with the advice of its report: each function is one graph."""
import torch


def keep(xs):
    rows = torch.stack(xs)
    weight = (rows.sum(1) > 0).float()[:, None]
    return (rows * weight).sum(0) / weight.sum()


def total(xs):
    return sum(torch.where(x.max() > 0, x, 0) for x in xs)


def doubled(named):
    return {key: torch.where(x.mean() > 0, x * 2, 0) for key, x in named.items()}


def large(xs):
    return torch.stack([x.sum() > 100 for x in xs]).any()


xs = [torch.ones(3), torch.ones(3) * 2]
for function, argument in (keep, xs), (total, xs), (doubled, {"a": xs[0], "b": xs[1]}), (large, xs):
    torch.compile(function, backend="aot_eager", fullgraph=True)(argument)

"""vmap of compiled functions: called from eager code, or eager because of a graph break in what it maps."""
import torch


@torch.compile(backend="aot_eager")
def score(row):
    return (row * 2).sum()


x = torch.ones(3, 4)
torch.func.vmap(score)(x)
torch.func.grad(score)(x[0])


def one(x):
    y = x.sin()
    print("row")
    return y + 1


@torch.compile(backend="aot_eager")
def predict(x):
    return torch.func.vmap(one)(x * 2).sum()


predict(x)

"""Three ranks with independent differences: rank 1 takes other branches in the first function, twice, and another dtype in the fifth;
rank 2 in the last, and in one that branches on a size."""
import torch
from dist_common import launch


def embed(x, which):
    y = x * 2
    if which == 1:
        y = y.sin()
    else:
        y = y.cos()
    y = y + 1
    y = y.relu()
    if which == 1:
        y = y.exp()
    else:
        y = y.abs()
    return y - 3


def block(x):
    return torch.tanh(x) + x


def mix(x):
    return torch.softmax(x, -1) @ x


def norm(x):
    return x / x.norm()


def head(x):
    return x.relu().sum()


def trim(x):
    if x.shape[0] > 4:
        return x[:4] * 2
    return x + 1


def last(x, which):
    if which == 2:
        return x.mean()
    return x.amax()


def main(rank, world):
    x = torch.ones(4, 4)
    torch.compile(embed, backend="eager")(x, rank)
    for f in (block, mix, norm):
        torch.compile(f, backend="eager")(x)
    torch.compile(head, backend="eager")(x.double() if rank == 1 else x)
    torch.compile(trim, backend="eager")(torch.ones(6 if rank == 2 else 4, 3))
    torch.compile(last, backend="eager")(x, rank)


if __name__ == "__main__":
    launch(main, 3)

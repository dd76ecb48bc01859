# A dict of metrics with fixed keys, and a list of metrics that grows; a check of the user's that raises on one line.
import torch

hist, losses = {}, []


class TooMany(Exception):
    pass


@torch.compile(backend="aot_eager")
def keyed(x, scale):
    loss = x.mean()
    hist["loss"] = loss.detach()
    return loss * scale


@torch.compile(backend="aot_eager")
def listed(x):
    losses.append(x.mean().detach())
    return x * len(losses)


@torch.compile(backend="aot_eager")
def checked(x):
    if x.shape[0] > 4: raise TooMany(x.shape)
    return x + 1


for i in range(4):
    keyed(torch.randn(4), 1.0 + (i > 1)), listed(torch.randn(4))
for n in (3, 5):
    try:
        checked(torch.randn(n))
    except TooMany as e:
        print("too many", e)

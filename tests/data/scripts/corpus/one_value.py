"""Functions whose recompiles one value of TORCH_COMPILE_DYNAMIC_SOURCES prevents, and one that it does not help."""
import torch


def norm(x):
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-5)


def pool(x, mask):
    return (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)


def score(a, b):
    return a @ b.T


def attend(q, k, v):
    return (q @ k.transpose(-1, -2)).softmax(-1) @ v


def act(x, kind):
    return x.relu() if kind == "relu" else x.sigmoid()


norm, pool, score, attend, act = (torch.compile(f, backend="aot_eager") for f in (norm, pool, score, attend, act))
for n in 5, 7, 9:
    for batch in 2, 4:
        x = torch.ones(batch, n, 8)
        z = pool(norm(x), torch.ones(batch, n))
        attend(x, x, x)
        score(z, z)
        act(torch.ones(3), "relu" if n == 5 else "sigmoid")

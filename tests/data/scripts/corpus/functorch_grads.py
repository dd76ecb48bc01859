"""vmap, grad, jacrev and jvp inside compiled functions: per-sample gradients with two batch sizes, and in_dims that change."""
import torch
from torch.func import functional_call, grad, jacrev, jvp, vmap

net = torch.nn.Linear(3, 1)
params = dict(net.named_parameters())


def loss(params, x, y):
    return (functional_call(net, params, (x,)) - y).pow(2).sum()


@torch.compile(backend="aot_eager")
def per_sample(params, x, y):
    return vmap(grad(loss), in_dims=(None, 0, 0))(params, x, y)


@torch.compile(backend="aot_eager")
def along(x, dim):
    return vmap(torch.sin, in_dims=dim)(x), jacrev(torch.sin)(x).sum(), jvp(torch.cos, (x,), (x,))[1]


for n in (2, 4):
    per_sample(params, torch.randn(n, 3), torch.randn(n, 1))
along(torch.ones(2, 3), 0)
along(torch.ones(2, 3), 1)

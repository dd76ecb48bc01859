"""Compiled steps on lists of tensors: SGD with momentum, gradients scaled by the largest of their norms, AdamW, an average of
weights and a copy of them."""

import torch

torch.manual_seed(0)
sizes = (64, 96, 128)
weights = [torch.nn.Parameter(torch.randn(n)) for n in sizes]
for weight in weights:
    weight.grad = torch.randn_like(weight)
sgd = torch.optim.SGD(weights, lr=0.1, momentum=0.9, foreach=True)
adam = torch.optim.AdamW(weights, lr=1e-3, foreach=True)
average = [torch.zeros(n) for n in sizes]
backup = [torch.zeros(n) for n in sizes]


@torch.compile
def step_sgd():
    sgd.step()


@torch.compile
def step_adam():
    adam.step()


@torch.compile
def scale(grads):
    norms = torch._foreach_norm(grads)
    largest = torch.stack(norms).max()
    scaled = torch._foreach_div(grads, largest + 1e-6)
    return torch._foreach_tanh(scaled)


@torch.compile
def follow(average, weights):
    torch._foreach_lerp_(average, weights, 0.1)


@torch.compile
def keep(backup, weights):
    torch._foreach_copy_(backup, weights)
    return torch._foreach_sqrt(torch._foreach_abs(weights))


@torch.compile
def first(average, weights):
    total = torch._foreach_add(average, weights)
    low = total[0].softmax(0)
    return low, total[1].exp().sum(), total[2] * 2


with torch.no_grad():
    for _ in range(2):
        step_sgd()
        step_adam()
        scale([weight.grad for weight in weights])
        follow(average, weights)
        keep(backup, weights)
        first(average, weights)

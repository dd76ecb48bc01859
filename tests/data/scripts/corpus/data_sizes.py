"""Sizes that depend on data: item(), nonzero() and masked_select() with capture, torch._check, and the errors without one."""
import torch
import torch._dynamo

torch._dynamo.config.capture_scalar_outputs = True
torch._dynamo.config.capture_dynamic_output_shape_ops = True


@torch.compile(backend="aot_eager", fullgraph=True)
def take(x, n):
    count = n.item()
    torch._check(count >= 0)
    torch._check(count <= x.shape[0])
    return x.narrow(0, 0, count).sum()


@torch.compile(backend="aot_eager", fullgraph=True)
def unchecked(x, n):
    count = n.item()
    if count > 3:
        return x * 2
    return x


@torch.compile(backend="aot_eager", fullgraph=True)
def active(x):
    at = x.nonzero()
    return x[at[:, 0], at[:, 1]].exp().sum()


@torch.compile(backend="aot_eager")
def select(x, mask):
    kept = x.masked_select(mask)
    if kept.shape[0] == 0:
        return x.sum()
    return kept.mean()


x = torch.arange(12.0).view(4, 3)
for n in (2, 3):
    take(x, torch.tensor(n))
take(torch.ones(6, 3), torch.tensor(5))
try:
    unchecked(x, torch.tensor(2))
except Exception as error:
    print(type(error).__name__)
for rows in (4, 5):
    active(torch.eye(rows, 3))
select(x, x > 4)
select(x, x > 100)

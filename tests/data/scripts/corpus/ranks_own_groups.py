"""Two ranks issue different collectives in groups of their own, one rank each, and finish; then one of them alone evaluates (gloo, aot_eager)."""
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc
from dist_common import launch


def exchange(x, group, first):
    if first:
        y = fc.all_reduce(x.sin(), "sum", group)
        return fc.all_gather_tensor(y, 0, group)
    y = fc.all_gather_tensor(x.cos(), 0, group)
    return fc.all_reduce(y, "sum", group)


def step(x):
    return fc.all_reduce(x * 2, "sum", dist.group.WORLD).relu()


def evaluate(x):
    return torch.softmax(x, -1)


def report(x):
    return x.mean() + x.std()


def main(rank, world):
    groups = [dist.new_group([r]) for r in range(world)]
    x = torch.arange(6.0)
    torch.compile(exchange, backend="aot_eager")(x, groups[rank], rank == 0)
    train = torch.compile(step, backend="aot_eager")
    for _ in range(2):
        x = train(x)
    if rank == 0:
        torch.compile(evaluate, backend="aot_eager")(x)
        torch.compile(report, backend="aot_eager")(x)


if __name__ == "__main__":
    launch(main, 2)

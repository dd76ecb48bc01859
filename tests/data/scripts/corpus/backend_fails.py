"""Backends that fail: one raises for a graph with a matrix product, one returns a wrong result, one is a name that does not exist; with
and without suppress_errors."""
import torch
import torch._dynamo


def picky(graph, inputs):
    for node in graph.graph.nodes:
        if node.target is torch.matmul or "matmul" in str(node.target):
            raise ValueError(f"no kernel for {node.name}")
    return graph.forward


@torch.compile(backend=picky)
def plain(x):
    return x.sin() + 1


@torch.compile(backend=picky)
def product(x, w):
    return torch.matmul(x, w).relu()


def attempt(f, *args):
    try:
        f(*args)
    except Exception as error:
        print(type(error).__name__)


x = torch.ones(3, 3)
attempt(plain, x)
attempt(product, x, x)
attempt(product, x, x)
torch._dynamo.config.suppress_errors = True
attempt(product, x, x)
attempt(product, torch.ones(4, 4), torch.ones(4, 4))
torch._dynamo.config.suppress_errors = False
attempt(torch.compile(lambda x: x + 1, backend="inductor", options={"max_autotune": False}), x)
attempt(plain, torch.ones(5, 3))

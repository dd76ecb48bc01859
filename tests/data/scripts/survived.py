"""Trouble that a compile survives: each backend handles the error, and the compile succeeds.

`interprets` runs its graph on inputs that do not fit, `overlaps` adds a dependency that forms a cycle.
"""
import torch
from torch._inductor.augmented_graph_helper import AugmentedGraphHelper


def interprets(gm, inputs):
    try:
        torch.fx.Interpreter(gm).run(torch.ones(3, 5), torch.ones(3, 5))
    except RuntimeError:
        pass
    return gm.forward


def overlaps(gm, inputs):
    first, second = (node for node in gm.graph.nodes if node.op.startswith("call"))
    helper = AugmentedGraphHelper(gm.graph)
    helper.add_extra_dep(n=first, dep=second)
    helper.check_and_maybe_autofix_cyclic_extra_deps(autofix=True)
    return gm.forward


@torch.compile(backend=interprets)
def product(x, y):
    return x @ y


@torch.compile(backend=overlaps)
def two_steps(x):
    return x.sin().cos()


product(torch.ones(3, 3), torch.ones(3, 3))
two_steps(torch.ones(3))

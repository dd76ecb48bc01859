"""Five programs, each compiled without a filter and with each of PyTorch's filters of guards.

Writes guards.jsonl beside the log: for each guard manager that PyTorch made, in the order of the log, how many checks it holds, by kind. They are
counted in the managers themselves, before anything is printed.
"""
import json
import os

import torch
from torch import nn
from torch._dynamo import guards
from torch._guards import CompileContext

FILTERS = [
    None,
    torch.compiler.skip_guard_on_all_nn_modules_unsafe,
    torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe,
    torch.compiler.keep_tensor_guards_unsafe,
    torch.compiler.skip_guard_on_globals_unsafe,
    torch.compiler.keep_portable_guards_unsafe,
    torch.compiler.skip_all_guards_unsafe,
]
SCALE = 3.0
TABLE = {"a": 1, "b": [1, 2, 3]}
rows, now = [], {}


def count(root):
    kinds, managers, relations = {}, [root], []
    leaves = list(root.get_epilogue_lambda_guards())
    while managers:
        manager = managers.pop()
        leaves += manager.get_leaf_guards()
        managers += manager.get_child_managers()
        if isinstance(manager, guards.DictGuardManager):
            managers += [one for pair in manager.get_key_value_managers().values() for one in pair if one]
    for leaf in leaves:
        if isinstance(leaf, guards.RelationalGuard):
            if any(leaf is one for one in relations):
                continue
            relations.append(leaf)
        name = type(leaf).__name__
        kinds[name] = kinds.get(name, 0) + 1
    return kinds


made = guards.CheckFunctionManager.__init__


def noted(self, *args, **kwargs):
    made(self, *args, **kwargs)
    kinds = count(self.guard_manager.root)
    rows.append({**now, "id": str(CompileContext.current_compile_id()), "checks": sum(kinds.values()), "by_kind": dict(sorted(kinds.items()))})


guards.CheckFunctionManager.__init__ = noted


class Norm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.eps = 1e-5

    def forward(self, x):
        return x * self.weight / (x.pow(2).mean(-1, keepdim=True) + self.eps).sqrt()


class Block(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.norm = Norm(size)
        self.mlp = nn.Sequential(nn.Linear(size, size), nn.GELU(), nn.Linear(size, size))
        self.drop = nn.Dropout(0.1)
        self.scale = 2

    def forward(self, x):
        return x + self.drop(self.mlp(self.norm(x))) * self.scale * SCALE


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(8) for _ in range(2)])
        self.shared = self.blocks[0]
        self.norm = nn.BatchNorm1d(8)
        self.config = {"k": 2}

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.norm(self.shared(x)) * self.config["k"]


class Plain:
    """Is no module, though it looks like one."""

    def __init__(self):
        self.linear = nn.Linear(8, 8)
        self._modules = {"a": 3}

    def run(self, x):
        return self.linear(x) * self._modules["a"]


GLOBAL = Norm(8)


def objects(plain, x):
    return GLOBAL(plain.run(x)) + TABLE["a"]


def helper(x, function):
    return function(x) + TABLE["a"]


def versions(x, items, n, flag=True):
    def inner(y):
        return y * n + sum(items["l"])

    for key, value in items["t"].items():
        x = x + value if key else x
    return helper(x if flag else x + 1, inner) * SCALE


def sizes(x, y, n):
    if x.shape[0] > 3 and x.shape[0] % 2 == 0:
        x = x * n
    return x[: y.shape[0]].sum() + y if y.shape[0] + x.shape[0] < 500 else y


def net(build):
    build(Net())(torch.randn(4, 8))


def plain(build):
    build(objects)(Plain(), torch.randn(4, 8))


def functions(build):
    run, x = build(versions), torch.randn(4)
    run(x, {"l": [1, 2], "t": {"a": x, 2: torch.ones(4)}}, 2)
    if now["filter"]:  # might run the code of the first call
        return
    run(x, {"l": [1, 2], "t": {"a": x, 2: torch.ones(4)}}, 2, False)
    run(torch.randn(5), {"l": [1], "t": {}}, 3)


def dynamic(build):
    run = build(sizes, dynamic=True)
    run(torch.randn(8), torch.randn(4), 3)


def step(build):
    model = nn.Linear(4, 4)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    build(optimizer.step)()


for program in (net, plain, functions, dynamic, step):
    for chosen in FILTERS:
        torch._dynamo.reset()
        torch.manual_seed(0)
        now.update(program=program.__name__, filter=chosen.__name__ if chosen else None)
        options = {"options": {"guard_filter_fn": chosen}} if chosen else {}
        program(lambda function, **more: torch.compile(function, backend="aot_eager", **options, **more))
with open(os.path.join(os.environ["TORCH_TRACE"], "guards.jsonl"), "w") as file:
    file.writelines(json.dumps(row) + "\n" for row in rows)

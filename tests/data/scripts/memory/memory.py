"""Compiled functions, and what torch.profiler saw each of their graphs allocate and free.

Each function is called once to compile it and once with profile_memory=True. Beside the log, memory.json has for each
call of a graph its key in the cache, and the allocations and frees within the call: bytes, and a number for the address.
"""

import collections
import json
import os
import sys
import tempfile

import torch
import torch.nn.functional as F
from torch import nn
from torch.profiler import ProfilerActivity, profile
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
torch.set_num_threads(2)


class Mlp(nn.Module):
    def __init__(self, width=256):
        super().__init__()
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class Dropped(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(128, 512), nn.ReLU(), nn.Dropout(0.3), nn.Linear(512, 128))

    def forward(self, x):
        return F.dropout(self.layers(x), 0.5, training=True)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(64, 192)
        self.out = nn.Linear(64, 64)

    def forward(self, x):
        q, k, v = self.qkv(x).view(2, 32, 3, 4, 16).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v)
        return self.out(y.transpose(1, 2).reshape(2, 32, 64))


class Manual(nn.Module):
    """Attention in single operators, which PyTorch does not replace."""

    def forward(self, q, k, v):
        weights = torch.softmax(q @ k.transpose(-1, -2) * 0.3 + 0.1, dim=-1)
        return torch.tanh(weights) @ v


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.two = nn.Conv2d(8, 4, 3, stride=2)

    def forward(self, x):
        return self.two(torch.relu(self.norm(self.one(x)))).mean(dim=(2, 3))


class Recomputed(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Mlp(64) for _ in range(3))

    def forward(self, x):
        for block in self.blocks:
            x = x + checkpoint(block, x, use_reentrant=False)
        return x


class Norms(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(100, 64)
        self.norm = nn.LayerNorm(64)
        self.head = nn.Linear(64, 100)

    def forward(self, tokens):
        return F.cross_entropy(self.head(self.norm(self.words(tokens))).flatten(0, 1), tokens.flatten())


def views(x):
    y = x.sin().view(32, 8, 16)
    return y.transpose(0, 1), y[3], y.reshape(-1)[::2] + 1


def in_place(x, y):
    x.mul_(2)
    z = x @ y
    z.add_(1).clamp_(min=0)
    return z.sum(dim=0)


def mutated(x, state):
    state.copy_(state * 0.9 + x.mean(dim=0))
    return (x - state).exp()


def sizes(x, w):
    y = torch.relu(x @ w)
    return torch.cat([y, y * 2], dim=1) @ torch.cat([w.t(), w.t()], dim=0)


def chain(x):
    for _ in range(4):
        x = torch.softmax(x @ x, dim=-1) + torch.cumsum(x, dim=0)
    return x


def numbers(x):
    index = torch.argsort(x[:, 0])
    return x[index].double(), (x > 0).to(torch.int8), x.half().sum(dim=1), torch.zeros(0, 4) + x.sum()


def sorted_values(x):
    values, index = torch.sort(x, dim=1)
    return values.cumsum(dim=1), index[:, :2]


def parameters(model, *names):
    return [value for name, value in model.named_parameters() if not names or name in names]


def cases():
    mlp, dropped, attention = Mlp(), Dropped(), Attention()
    yield "mlp", mlp, (torch.randn(64, 256),), {}
    yield "mlp_input", Mlp(128), (torch.randn(32, 128, requires_grad=True),), {}
    yield "dropout", dropped, (torch.randn(64, 128),), {}
    yield "attention", attention, (torch.randn(2, 32, 64),), {}
    yield "manual", Manual(), tuple(torch.randn(2, 4, 48, 16, requires_grad=True) for _ in range(3)), {}
    yield "convolution", Convolutions(), (torch.randn(2, 3, 24, 24),), {}
    yield "recompute", Recomputed(), (torch.randn(16, 64, requires_grad=True),), {}
    yield "norms", Norms(), (torch.randint(0, 100, (4, 20)),), {}
    yield "views", views, (torch.randn(256, 16),), {}
    yield "views_grad", views, (torch.randn(256, 16, requires_grad=True),), {}
    yield "in_place", in_place, (torch.randn(64, 64), torch.randn(64, 64)), {}
    yield "mutated", mutated, (torch.randn(100, 30), torch.zeros(30)), {}
    yield "sizes", sizes, (torch.randn(48, 32), torch.randn(32, 16)), {"dynamic": True}
    yield "sizes_grad", sizes, (torch.randn(48, 32, requires_grad=True), torch.randn(32, 16, requires_grad=True)), {"dynamic": True}
    yield "chain", chain, (torch.randn(96, 96),), {}
    yield "numbers", numbers, (torch.randn(200, 6),), {}
    yield "sorted", sorted_values, (torch.randn(50, 20),), {}
    yield "planned", Mlp(), (torch.randn(64, 256),), {"options": {"memory_planning": True}}
    yield "planned_chain", chain, (torch.randn(64, 64),), {"options": {"memory_planning": True}}
    yield "frozen", Mlp(64).eval().requires_grad_(False), (torch.randn(8, 64),), {}


def run(compiled, args):
    result = compiled(*args)
    first = result[0] if isinstance(result, tuple) else result
    if first.requires_grad:
        first.sum().backward()
    return result


def calls_of(trace):
    """Of each call of a graph: its key, and what it allocated (bytes) and freed (-bytes) at which address."""
    spans = [event for event in trace if event.get("name", "").startswith("## Call CompiledFxGraph")]
    memory = sorted((event for event in trace if event.get("name") == "[memory]"), key=lambda event: float(event["ts"]))
    for span in sorted(spans, key=lambda event: event["ts"]):
        start, end = span["ts"], span["ts"] + span["dur"]
        numbers = collections.defaultdict(lambda: len(numbers))
        changes = [[event["args"]["Bytes"], numbers[event["args"]["Addr"]]] for event in memory if start <= float(event["ts"]) <= end]
        yield {"key": span["name"].split()[3], "changes": changes}


def main():
    found = []
    for name, function, args, options in cases():
        torch._dynamo.reset()
        compiled = torch.compile(function, **options)
        run(compiled, args)
        for tensor in args:
            tensor.grad = None
        if isinstance(function, nn.Module):
            function.zero_grad(set_to_none=True)
        with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as prof:
            run(compiled, args)
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            prof.export_chrome_trace(file.name)
            trace = json.load(open(file.name))["traceEvents"]
        for call in calls_of(trace):
            found.append({"case": name, **call})
    with open(f"{os.environ['TRUTH_OUT']}/memory.json", "w") as file:
        json.dump(found, file)


if __name__ == "__main__":
    if "cpp" in sys.argv[1:]:
        import torch._inductor.config

        torch._inductor.config.cpp_wrapper = True
    main()

"""Models of which a line saves most of the memory for the backward, and the same with what the issue on it advises.

ADVICE=none, checkpoint (torch.utils.checkpoint around the part) or budget (activation_memory_budget). Beside the log, saved.json has the
bytes of the tensors that each compiled forward really saved, without parameters and inputs.
"""

import functools
import json
import os

import torch
import torch._functorch.config
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

ADVICE = os.environ["ADVICE"]
torch.manual_seed(0)
torch.set_num_threads(2)
if ADVICE == "budget":
    torch._functorch.config.activation_memory_budget = 0.5
recomputed = functools.partial(checkpoint, use_reentrant=False) if ADVICE == "checkpoint" else lambda part, *args: part(*args)


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(128, 1024)
        self.down = nn.Linear(1024, 128)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class Blocks(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Mlp() for _ in range(4))

    def forward(self, x):
        for block in self.blocks:
            x = x + recomputed(block, x)
        return x


class Scores(nn.Module):
    """Attention in single operators, which PyTorch does not replace."""

    def forward(self, q, k, v):
        weights = torch.softmax(torch.tanh(q @ k.transpose(-1, -2)), dim=-1)
        return weights @ v


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(64, 192)
        self.out = nn.Linear(64, 64)
        self.scores = Scores()

    def forward(self, x):
        q, k, v = self.qkv(x).view(2, 1024, 3, 8, 8).permute(2, 0, 3, 1, 4)
        return self.out(recomputed(self.scores, q, k, v).transpose(1, 2).reshape(2, 1024, 64))


class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Conv2d(8, 32, 3, padding=1)
        self.two = nn.Conv2d(32, 8, 3, padding=1)

    def forward(self, x):
        return self.two(F.silu(self.one(x)))


class Pictures(nn.Module):
    def __init__(self):
        super().__init__()
        self.begin = nn.Conv2d(3, 8, 3, padding=1)
        self.part = Part()

    def forward(self, x):
        return recomputed(self.part, torch.relu(self.begin(x))).mean(dim=(2, 3))


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Linear(64, 8192)

    def forward(self, x, wanted):
        return F.cross_entropy(self.words(x), wanted)


class Loss(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(64, 64)
        self.head = Head()

    def forward(self, x, wanted):
        return recomputed(self.head, torch.tanh(self.body(x)), wanted)


def calls():
    yield "blocks", Blocks(), [torch.randn(4096, 128)]
    yield "attention", Attention(), [torch.randn(2, 1024, 64)]
    yield "pictures", Pictures(), [torch.randn(4, 3, 384, 384)]
    yield "loss", Loss(), [torch.randn(4096, 64), torch.randint(0, 8192, (4096,))]


def main(folder):
    measured = []
    for name, model, inputs in calls():
        given = {t.untyped_storage().data_ptr() for t in [*model.parameters(), *model.buffers(), *inputs]}
        result = torch.compile(model)(*inputs)
        saved = {}
        for tensor in result.grad_fn.saved_tensors:
            storage = tensor.untyped_storage()
            if storage.data_ptr() not in given:
                saved[storage.data_ptr()] = storage.nbytes()
        result.sum().backward()
        measured.append({"case": name, "saved_bytes": sum(saved.values())})
    with open(os.path.join(folder, "saved.json"), "w") as out:
        json.dump(measured, out)
        out.write("\n")


if __name__ == "__main__":
    main(os.environ["TRUTH_OUT"])

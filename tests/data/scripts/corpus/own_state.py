"""Functions that change what their own guards check: a counter, a list and a dict that grow in each call, beside those that callers change."""

import torch

torch.manual_seed(0)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.step, self.seen, self.rate = 0, [], 1

    def forward(self, x):
        self.step += 1
        return x * self.step


class Record:
    def __init__(self):
        self.rows, self.named, self.level = [], {}, 2
        self.last = None

    @torch.compile(backend="eager")
    def add(self, x):
        self.rows.append(x.sum())
        return x * len(self.rows)

    @torch.compile(backend="eager")
    def name(self, x):
        self.named[f"row{len(self.named)}"] = x.mean()
        return x * len(self.named)

    @torch.compile(backend="eager")
    def read(self, x):
        if self.last is None:
            return x + 1
        return x * 2

    @torch.compile(backend="eager")
    def leveled(self, x):
        self.seen = x.shape[0]
        return x.repeat(len(self.name_of))

    @torch.compile(backend="eager")
    def known(self, x):
        return x * len(self.kept)


model, record = Model(), Record()
compiled = torch.compile(model, backend="eager")
record.name_of, record.kept = "a", []
for i in range(4):
    compiled(torch.ones(3))
    record.add(torch.ones(3))
    record.name(torch.ones(3))
    record.last = record.read(torch.ones(3))
    record.name_of = record.name_of + "a"
    record.leveled(torch.ones(3))
    record.known(torch.ones(3))
    record.kept.append(i)

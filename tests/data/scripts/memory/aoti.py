"""A small transformer compiled ahead of time, and what torch.profiler saw its call allocate."""

import collections
import json
import os
import tempfile

import torch
import torch.nn.functional as F
from torch import nn
from torch.profiler import ProfilerActivity, profile

torch.manual_seed(0)
torch.set_num_threads(2)


class Block(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.norm, self.after = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(self.norm(x)).view(batch, length, 3, 4, width // 4).permute(2, 0, 3, 1, 4)
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(batch, length, width))
        return x + self.down(F.gelu(self.up(self.after(x))))


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(500, 64)
        self.blocks = nn.ModuleList(Block() for _ in range(2))
        self.head = nn.Linear(64, 500)

    def forward(self, tokens):
        x = self.words(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def changes(trace):
    numbers = collections.defaultdict(lambda: len(numbers))
    memory = sorted((event for event in trace if event.get("name") == "[memory]"), key=lambda event: float(event["ts"]))
    return [[event["args"]["Bytes"], numbers[event["args"]["Addr"]]] for event in memory]


def main():
    model, tokens = Transformer().eval(), torch.randint(0, 500, (2, 48))
    with torch.no_grad():
        exported = torch.export.export(model, (tokens,))
        with tempfile.TemporaryDirectory() as folder:
            package = torch._inductor.aoti_compile_and_package(exported, package_path=os.path.join(folder, "model.pt2"))
            compiled = torch._inductor.aoti_load_package(package)
            assert torch.allclose(compiled(tokens), model(tokens), atol=1e-4)
            with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as prof:
                result = compiled(tokens)
            trace = os.path.join(folder, "trace.json")
            prof.export_chrome_trace(trace)
            with open(trace) as file:
                seen = changes(json.load(file)["traceEvents"])
    with open(f"{os.environ['TRUTH_OUT']}/memory.json", "w") as file:
        json.dump([{"case": "transformer", "changes": seen, "result_bytes": result.nbytes}], file)
        file.write("\n")


if __name__ == "__main__":
    main()

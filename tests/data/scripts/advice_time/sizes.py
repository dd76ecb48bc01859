"""Calls with other batch sizes, and a module with a counter. `with`: mark_dynamic and a buffer."""
import sys
import torch

ADVISED = "with" in sys.argv

@torch.compile
def by_size(x):
    for n in range(6):
        x = torch.sin(x + n).sum(-1, keepdim=True) + x
    return x

class Counting(torch.nn.Module):
    def __init__(self):
        super().__init__()
        if ADVISED:
            self.register_buffer("count", torch.tensor(1))
        else:
            self.count = 1

    def forward(self, x):
        for n in range(6):
            x = torch.cos(x * self.count + n).amax(-1, keepdim=True) + x
        return x

model = torch.compile(Counting())
for size in (8, 12, 20):
    x = torch.rand(size, 8)
    if ADVISED:
        torch._dynamo.mark_dynamic(x, 0)
    by_size(x)
for _ in range(4):
    model(torch.rand(8, 8))
    model._orig_mod.count += 1

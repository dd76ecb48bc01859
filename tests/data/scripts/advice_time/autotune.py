"""Matrix products of different sizes, whose templates max_autotune compares. `with`: without max_autotune."""
import sys

import torch
import torch._inductor.config

ADVISED = "with" in sys.argv
torch._inductor.config.freezing = True
sizes = (64, 128, 256, 32)
layers = [torch.nn.Linear(a, b) for a, b in zip(sizes, sizes[1:], strict=False)]
model = torch.nn.Sequential(*layers).eval()
model = torch.compile(model, **({} if ADVISED else {"mode": "max-autotune-no-cudagraphs"}))
with torch.no_grad():
    model(torch.rand(32, 64))

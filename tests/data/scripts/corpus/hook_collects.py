# A hook stores each output in a global dict that it also reads; x without and with requires_grad.
import torch, torch.nn as nn

m = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
acts = {}


def keep(module, inputs, output):
    acts[f"call{len(acts)}"] = output.detach()


c = torch.compile(m, backend="aot_eager")
c(torch.randn(2, 4))
m[0].register_forward_hook(keep)
for _ in range(4):
    c(torch.randn(2, 4, requires_grad=True))

"""CUDA graph trees: an output that the next call overwrites and is read afterwards, a backward that is still pending, and weights that are replaced between calls."""

import torch
from torch import nn

net = nn.Linear(32, 32).cuda()
fast = torch.compile(net, mode="reduce-overhead")
x = torch.randn(16, 32, device="cuda")
with torch.no_grad():
    for _ in range(4):
        kept = fast(x)
    other = fast(x)
    try:
        print(kept.sum().item())
    except RuntimeError as e:
        print("overwritten:", str(e).splitlines()[0])
for _ in range(4):
    torch.compiler.cudagraph_mark_step_begin()
    a = fast(x)
    b = fast(a.detach() * 2)
    (a.sum() + b.sum()).backward()
    net.weight.data = net.weight.data.clone()
    net.zero_grad()
torch.cuda.synchronize()

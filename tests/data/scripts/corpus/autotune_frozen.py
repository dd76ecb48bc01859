"""Frozen weights and mode max-autotune on the CPU (inductor): templates of matrix products compete with the library."""
import torch
import torch._inductor.config

torch._inductor.config.freezing = True
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.GELU(), torch.nn.Linear(128, 32)).eval()
fast = torch.compile(net, mode="max-autotune-no-cudagraphs")
with torch.no_grad():
    fast(torch.randn(16, 64))

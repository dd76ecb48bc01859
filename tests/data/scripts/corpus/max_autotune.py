"""Matrix products with mode max-autotune on the CPU (inductor), at two sizes."""
import torch

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.ReLU(), torch.nn.Linear(64, 16)).eval()
fast = torch.compile(net, mode="max-autotune-no-cudagraphs", dynamic=False)
with torch.no_grad():
    fast(torch.randn(4, 32))
    fast(torch.randn(8, 32))

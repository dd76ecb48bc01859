"""One function called under several grad modes, inference mode, deterministic algorithms and default dtypes."""
import torch


@torch.compile(backend="eager")
def f(x, scale=2):
    return x * scale + torch.ones(3)


x = torch.ones(3, requires_grad=True)
f(x)
with torch.no_grad():
    f(x)
with torch.inference_mode():
    f(x.detach())
torch.use_deterministic_algorithms(True)
f(x)
torch.set_default_dtype(torch.float64)
f(x, scale=3)

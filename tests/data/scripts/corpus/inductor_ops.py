"""inductor on the CPU: a fused layer norm with two batch sizes, and a reduction with a backward."""
import torch

torch.manual_seed(0)


@torch.compile
def norm(x, w):
    return torch.nn.functional.layer_norm(x, (8,)).mul(w).gelu().sum(-1)


w = torch.ones(8, requires_grad=True)
for batch in (2, 3, 5):
    norm(torch.randn(batch, 8), w).sum().backward()
with torch.no_grad():
    norm(torch.randn(5, 8), w)

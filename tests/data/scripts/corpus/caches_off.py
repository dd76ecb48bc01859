"""Three functions with one graph, while PyTorch's caches are off: each is compiled."""
import torch
import torch._inductor.config

torch._inductor.config.force_disable_caches = True

CODE = """
def layer_{n}(x):
    return torch.tanh(x + 1).sum(-1, keepdim=True) * x
"""
with torch.no_grad():
    for n in range(3):
        names = {"torch": torch}
        exec(CODE.format(n=n), names)
        torch.compile(names[f"layer_{n}"])(torch.rand(4, 16))

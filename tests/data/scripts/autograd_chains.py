"""Compiled Autograd: a hook that is compiled again under another capture, and a backward that is captured for each
value of a scalar."""
import torch
import torch._dynamo as dynamo


def backward(loss):
    with dynamo.compiled_autograd._enable(torch.compile(backend="eager")):
        loss.backward()


def hook(grad):
    grad = grad * 2
    dynamo.graph_break()  # the hook becomes a frame of its own
    return grad + 1


w = torch.ones(4, 4, requires_grad=True)
for size in (3, 5):
    x = (torch.ones(size, 4) @ w).sin() if size == 3 else (torch.ones(size, 4) @ w).cos().exp()
    x.register_hook(hook)
    backward(x.sum())
for k in range(4):
    backward((w.sin() * float(k)).sum())

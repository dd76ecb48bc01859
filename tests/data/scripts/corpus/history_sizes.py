"""A decoder whose list of tokens grows with each call, and whose mask depends on whether the input is long."""
import torch


@torch.compile(backend="aot_eager")
def step(x, history):
    y = x * 2
    if x.shape[0] > 6:
        y = y[-6:]
    for token in history:
        y = y + token
    return y


history = []
for i in range(14):
    y = step(torch.randn(4 + i), history)
    history.append(int(y.argmax()))

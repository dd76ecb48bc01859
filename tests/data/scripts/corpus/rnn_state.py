"""LSTM and GRU cells in a Python loop whose length is a list of sequences; the state is None at first."""
import torch

torch.manual_seed(0)
cell, gru = torch.nn.LSTMCell(3, 4), torch.nn.GRU(3, 4, batch_first=True)


@torch.compile(backend="eager")
def run(xs, state=None):
    for x in xs:
        state = cell(x, state)
    return state


@torch.compile(backend="eager")
def whole(x, h=None):
    return gru(x, h)


state = run([torch.randn(2, 3)] * 2)
state = run([torch.randn(2, 3)] * 2, state)
run([torch.randn(2, 3)] * 3, state)
out, h = whole(torch.randn(2, 5, 3))
whole(torch.randn(2, 5, 3), h)
whole(torch.randn(2, 7, 3), h)

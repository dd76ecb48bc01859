"""An LSTM on the CPU in a model that AOTAutograd compiles: PyTorch runs it eagerly, unless `allow_rnn` is set."""

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(8, 8, batch_first=True)
        self.out = nn.Linear(8, 4)

    def forward(self, x):
        return self.out(self.rnn(x * 2)[0]).log_softmax(-1)


net = torch.compile(Tagger(), backend="aot_eager")
net(torch.randn(2, 3, 8)).sum().backward()

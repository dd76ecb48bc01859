"""A recurrent model on a GPU with `allow_rnn`, as PyTorch's hint says: an LSTM and a GRU, with and without gradients."""

import torch
from torch import nn

torch._dynamo.config.allow_rnn = True


class Tagger(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.rnn = kind(16, 32, batch_first=True)
        self.out = nn.Linear(32, 8)

    def forward(self, x):
        return self.out(self.rnn(x)[0]).log_softmax(-1)


for kind in (nn.GRU, nn.LSTM):
    net = torch.compile(Tagger(kind).cuda())
    x = torch.randn(4, 6, 16, device="cuda")
    try:
        with torch.no_grad():
            net(x)
        net(x).sum().backward()
    except Exception as e:
        print(kind.__name__, type(e).__name__, str(e)[:200])
torch.cuda.synchronize()

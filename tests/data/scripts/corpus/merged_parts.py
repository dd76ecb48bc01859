"""Parts of a network keep a list that only evaluation reads: it grows between inference_mode and no_grad."""
import torch, torch.nn as nn


class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.base, self.merged = nn.Linear(4, 4), []

    def forward(self, x):
        y = self.base(x)
        return y if self.training or self.merged else y + x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList(Part() for _ in range(4))

    def forward(self, x, mask=None, labels=None):
        for part in self.parts:
            x = part(x)
        x = x if mask is None else x * mask
        return x if labels is None else (x - labels).sum()


net = Net()
c = torch.compile(net, backend="aot_eager")
x = torch.randn(2, 4)
c(x, mask=torch.ones(2, 4), labels=torch.zeros(2, 4)).backward()
net.eval()
with torch.inference_mode():
    c(x)
for part in net.parts:
    part.merged.append("a")
with torch.no_grad():
    c(x)

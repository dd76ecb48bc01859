"""Batch normalization whose statistics the backward computes again, a fill of a buffer and a masked write; trained with inductor."""
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(6)
        self.register_buffer("count", torch.zeros(6))

    def forward(self, x, mask):
        y = self.norm(x)
        y = torch.nn.functional.gelu(y)
        out = torch.zeros_like(y)
        out[:, 1:4] = y[:, 1:4] * 2
        out = out.masked_fill(mask, 0.5)
        self.count.fill_(3.0)
        return out.std(dim=0).sum() + y.softmax(-1).amax()


torch.manual_seed(0)
net = torch.compile(Net().train())
net(torch.randn(10, 6, requires_grad=True), torch.rand(10, 6) > 0.5).backward()

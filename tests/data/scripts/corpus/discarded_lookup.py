"""A float that is a symbol with dynamic=True and has to be a constant: AOTAutograd looks its cache up before the trace starts again."""
import torch


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(x).relu()


encode = torch.compile(Encoder().eval(), dynamic=True)
with torch.no_grad():
    for rows in (3, 5):
        print(encode(torch.randn(rows, 4)).shape)

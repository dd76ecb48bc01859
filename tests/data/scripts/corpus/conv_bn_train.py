"""Residual blocks of convolution, batch normalization and pooling, trained with inductor; node mappings of provenance tracking."""
import torch
import torch._inductor.config

torch._inductor.config.trace.provenance_tracking_level = 1


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.bn1 = torch.nn.BatchNorm2d(width)
        self.conv2 = torch.nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.bn2 = torch.nn.BatchNorm2d(width)

    def forward(self, x):
        y = self.conv1(x)
        y = self.bn1(y)
        y = torch.relu(y)
        y = self.conv2(y)
        y = self.bn2(y)
        y = y + x
        return torch.nn.functional.silu(y)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = torch.nn.Conv2d(3, 8, 3, stride=2)
        self.block = Block(8)
        self.head = torch.nn.Linear(8, 4)

    def forward(self, x):
        x = self.stem(x)
        x = torch.nn.functional.max_pool2d(x, 2)
        x = self.block(x)
        x = x.mean(dim=(2, 3))
        x = torch.nn.functional.dropout(x, 0.1, self.training)
        return self.head(x)


torch.manual_seed(0)
net = torch.compile(Net().train())
net(torch.randn(2, 3, 18, 18)).sum().backward()

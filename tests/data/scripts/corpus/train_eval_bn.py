"""Batch normalization and dropout, trained and evaluated in turns; frozen layers."""
import torch

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.BatchNorm2d(2), torch.nn.ReLU(), torch.nn.Dropout(0.1))
fast = torch.compile(net, backend="aot_eager")
for epoch in range(2):
    net.train()
    fast(torch.randn(2, 1, 6, 6)).sum().backward()
    net.eval()
    with torch.no_grad():
        fast(torch.randn(3, 1, 6, 6))
for p in net[0].parameters():
    p.requires_grad_(False)
net.train()
fast(torch.randn(2, 1, 8, 6)).sum().backward()

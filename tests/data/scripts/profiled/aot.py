"""A package of AOTInductor, loaded and run."""
import os

import torch
from common import recorded, with_kernel_events

with_kernel_events()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(64, 64)

    def forward(self, x):
        return torch.sigmoid(self.layer(x)) * x


net = Net().eval()
x = torch.randn(32, 64)
with torch.no_grad():
    path = torch._inductor.aoti_compile_and_package(torch.export.export(net, (x,)), package_path="/tmp/net.pt2")
    loaded = torch._inductor.aoti_load_package(path)
    loaded(x)
    recorded("aot", lambda i: loaded(x))

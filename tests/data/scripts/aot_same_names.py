"""Two models compiled ahead of time, whose kernels have the same names and come from different lines."""
import os
import tempfile

import torch


class First(torch.nn.Module):
    def forward(self, x, y):
        return (x.sin() + 1) @ y


class Second(torch.nn.Module):
    def forward(self, x, y):
        z = x.sin() + 2
        return z @ y, (y.sin() + 3).t()


with torch.no_grad(), tempfile.TemporaryDirectory() as d:
    for name, model in (("first", First()), ("second", Second())):
        ep = torch.export.export(model, (torch.ones(4, 4), torch.ones(4, 4)))
        torch._inductor.aoti_compile_and_package(ep, package_path=os.path.join(d, name + ".pt2"))

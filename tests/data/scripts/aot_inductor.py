"""Ahead of time Inductor, C++ for the CPU: two static models, one after the other."""
import os
import tempfile

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x).relu()


class Sines(torch.nn.Module):
    def forward(self, x):
        return x.sin() + 1


with torch.no_grad(), tempfile.TemporaryDirectory() as d:
    for name, model in (("model", Model()), ("sines", Sines())):
        ep = torch.export.export(model, (torch.ones(3, 4),))
        path = torch._inductor.aoti_compile_and_package(ep, package_path=os.path.join(d, name + ".pt2"))
        print(torch._inductor.aoti_load_package(path)(torch.ones(3, 4)).shape)

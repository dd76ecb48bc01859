"""Tensor parallel linear layers (DTensor) over gloo, compiled, with two sequence lengths."""
import torch
from dist_common import launch
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module


class Mlp(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = torch.nn.Linear(8, 16), torch.nn.Linear(16, 8)

    def forward(self, x):
        return self.down(self.up(x).relu())


def main(rank, world):
    torch.manual_seed(0)
    net = parallelize_module(Mlp(), init_device_mesh("cpu", (world,)), {"up": ColwiseParallel(), "down": RowwiseParallel()})
    fast = torch.compile(net, backend="aot_eager")
    for length in (4, 6):
        fast(torch.randn(length, 8)).sum().backward()


if __name__ == "__main__":
    launch(main, 2)

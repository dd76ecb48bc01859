"""FSDP2 with gloo on two ranks, whose blocks are compiled one by one; one rank scales the last block by an integer (aot_eager)."""
import torch
from dist_common import launch
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(8, 8)

    def forward(self, x, scale):
        return torch.tanh(self.lin(x)) * scale


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList([Block() for _ in range(3)])

    def forward(self, x, last):
        for i, block in enumerate(self.blocks):
            x = block(x, last if i == 2 else 1.0)
        return x


def main(rank, world):
    torch.manual_seed(0)
    mesh = init_device_mesh("cpu", (world,))
    model = Net()
    for block in model.blocks:
        block.compile(backend="aot_eager")
        fully_shard(block, mesh=mesh)
    fully_shard(model, mesh=mesh)
    for _ in range(2):
        model(torch.randn(4, 8), 2 if rank == 1 else 1.0).sum().backward()


if __name__ == "__main__":
    launch(main, 2)

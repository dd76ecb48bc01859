"""Two ranks under FSDP2 with a number of layers that a rank skips in evaluation; gradients are accumulated on one rank first (gloo, aot_eager)."""
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


def main(rank, world):
    torch.manual_seed(0)
    mesh = init_device_mesh("cpu", (world,))
    model = torch.nn.ModuleList([Block() for _ in range(3)])
    for block in model:
        block.compile(backend="aot_eager")
        fully_shard(block, mesh=mesh)
    fully_shard(model, mesh=mesh)
    for step in range(2):
        x = torch.randn(4, 8)
        for i, block in enumerate(model):
            x = block(x, 2 if rank == 1 and i == 2 else 1.0)
        x.sum().backward()


if __name__ == "__main__":
    launch(main, 2)

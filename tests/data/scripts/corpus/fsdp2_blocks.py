"""FSDP2 (fully_shard) with gloo on two ranks; each block is compiled on its own."""
import torch
from dist_common import launch
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


def main(rank, world):
    torch.manual_seed(0)
    mesh = init_device_mesh("cpu", (world,))
    model = torch.nn.Sequential(*(torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU()) for _ in range(2)))
    for block in model:
        block.compile(backend="eager")
        fully_shard(block, mesh=mesh)
    fully_shard(model, mesh=mesh)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in (2, 2, 3):
        model(torch.randn(batch, 8)).sum().backward()
        opt.step()


if __name__ == "__main__":
    launch(main, 2)

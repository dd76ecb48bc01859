"""DTensors over gloo in one compiled function: sharded, replicated, then sharded along the other dimension, with an uneven size."""
import torch
from dist_common import launch
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard, distribute_tensor


@torch.compile(backend="aot_eager")
def mix(x, w):
    return (x @ w).relu().sum()


def main(rank, world):
    torch.manual_seed(0)
    mesh = init_device_mesh("cpu", (world,))
    w = distribute_tensor(torch.randn(8, 6), mesh, [Replicate()])
    for rows, placement in ((4, Shard(0)), (4, Replicate()), (4, Shard(1)), (6, Shard(0)), (10, Shard(0))):
        mix(distribute_tensor(torch.randn(rows, 8), mesh, [placement]), w).full_tensor()
    if rank == 1:
        mix(torch.randn(3, 8), torch.randn(8, 6))


if __name__ == "__main__":
    launch(main, 2)

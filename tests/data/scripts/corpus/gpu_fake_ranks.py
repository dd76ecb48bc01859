"""A compiled function with collectives of eight ranks on one GPU (the `fake` backend), reordered so that they overlap with computation; runtimes are estimated."""

import torch
import torch._inductor.config as inductor
import torch.distributed as dist
import torch.distributed._functional_collectives as fc
from torch.testing._internal.distributed.fake_pg import FakeStore

dist.init_process_group("fake", rank=0, world_size=8, store=FakeStore())
inductor.reorder_for_compute_comm_overlap = True


@torch.compile
def layer(x, w1, w2):
    a = fc.all_gather_tensor(w1, 0, dist.group.WORLD)
    h = torch.relu(x @ a.t())
    b = fc.all_gather_tensor(w2, 0, dist.group.WORLD)
    y = h @ b.t()
    return fc.reduce_scatter_tensor(y, "sum", 0, dist.group.WORLD)


with torch.no_grad():
    layer(torch.randn(64, 128, device="cuda"), torch.randn(32, 128, device="cuda"), torch.randn(16, 256, device="cuda"))
torch.cuda.synchronize()
dist.destroy_process_group()

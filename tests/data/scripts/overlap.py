"""Overlap scheduling and bucketing of collectives: one process that acts as rank 0 of 2 with a fake process group."""
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as funcol
from torch._inductor import config
from torch.testing._internal.distributed.fake_pg import FakeStore

dist.init_process_group("fake", rank=0, world_size=2, store=FakeStore())
opts = config.aten_distributed_optimizations
opts.enable_overlap_scheduling = True
opts.collective_bucketing = True
opts.insert_overlap_deps = False
opts.collective_estimator = "analytical"
opts.log_final_collectives_estimations = True
for name, value in (("compute_estimator", "analytical"), ("pre_bucketing_fsdp_collectives", True), ("pre_bucketing_fsdp_collectives_verbose", True)):
    if hasattr(opts, name):
        setattr(opts, name, value)
config.reorder_for_compute_comm_overlap = False


@torch.compile
def f(a, b, x):
    group = dist.group.WORLD
    one = funcol.all_gather_tensor(a, 0, group)
    two = funcol.all_gather_tensor(b, 0, group)
    y = x @ x
    return (y @ y).sum() + one.sum() + two.sum()


f(torch.ones(4, 4), torch.ones(4, 4), torch.ones(64, 64))

"""Compiler collectives: two gloo ranks with different sizes exchange them before they compile. On the CPU PyTorch 2.15.0
fails in it (TypeError inside Dynamo)."""
import torch
import torch._dynamo
import torch.distributed as dist

from dist_common import launch


def main(rank, world):
    torch.set_num_threads(1)
    torch._dynamo.config.enable_compiler_collectives = True

    @torch.compile(backend="eager")
    def f(x):
        return (x * 2).sum()

    for n in (3, 4, 9):
        try:
            f(torch.ones(n + rank * 2, 4))
        except Exception as e:
            print("expected:", type(e).__name__)
    dist.barrier()


if __name__ == "__main__":
    launch(main, 2)

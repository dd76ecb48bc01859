"""Automatic dynamic shapes kept across runs (profile guided optimisation, local): `python pgo.py`, twice with one
cache folder and the same job id. The first run compiles f twice (static, then dynamic), the second once."""
import torch

torch.compiler.config.job_id = "tlparse-test"


@torch.compile(backend="eager")
def f(x, n):
    return x * n


for size in (3, 4, 5):
    f(torch.ones(size, 2), size)

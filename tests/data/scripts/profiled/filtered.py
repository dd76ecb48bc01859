"""guards.py without guards on modules."""
import torch
from guards import main

main("filtered", {"guard_filter_fn": torch.compiler.skip_guard_on_all_nn_modules_unsafe})

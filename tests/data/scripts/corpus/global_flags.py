"""Global flags and context managers around one compiled function: threads, precision, devices, determinism, hooks, transforms, vmap, and modes."""
import contextlib
import contextvars

import torch

setting = contextvars.ContextVar("setting", default=1)


@torch.compile(backend="eager")
def scaled(x):
    return (x @ x) * setting.get()


@torch.compile(backend="eager")
def plain(x):
    return x @ x + 1


@contextlib.contextmanager
def threads(count):
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    yield
    torch.set_num_threads(before)


x = torch.ones(4, 4)
plain(x)
with threads(torch.get_num_threads() + 1):
    plain(x)
torch.use_deterministic_algorithms(True, warn_only=True)
plain(x)
torch.use_deterministic_algorithms(False)
torch.set_float32_matmul_precision("medium")
plain(x)
torch.set_float32_matmul_precision("highest")
with torch.device("meta"):
    plain(x)
with torch.autograd.graph.save_on_cpu():
    plain(x)
with torch.autograd.set_multithreading_enabled(False):
    plain(x)
torch._dynamo.reset()
plain(x)
torch.vmap(plain)(torch.ones(2, 4, 4))
torch.func.grad(lambda y: plain(y).sum())(x)
with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
    plain(x)
with torch.no_grad(), torch.autocast("cpu", dtype=torch.float16):
    plain(x)
scaled(x)
setting.set(2)
scaled(x)
with torch.inference_mode():
    scaled(x)

"""Compile workers: one job that runs long enough to be reported by the watchdog, and a sidecar that is killed while a
compile waits for it. Backends of their own use the pool of PyTorch as Inductor does. Needs
TORCHINDUCTOR_COMPILE_WORKER_WATCHDOG_INTERVAL=1."""
import os
import signal
import time

import torch
import torch._dynamo
from torch._inductor.compile_worker.subproc_pool import SubprocPool


def slow(gm, inputs):
    pool.submit(time.sleep, 3.5).result()
    return gm.forward


def killed(gm, inputs):
    waiting = pool.submit(time.sleep, 30)
    time.sleep(0.5)
    os.kill(pool.process.pid, signal.SIGKILL)
    waiting.result()
    return gm.forward


@torch.compile(backend=slow)
def f(x):
    return x.sin()


@torch.compile(backend=killed)
def g(x):
    return x.cos()


if __name__ == "__main__":
    pool = SubprocPool(2)
    f(torch.ones(3))
    try:
        g(torch.ones(3))
    except Exception as error:
        print("expected:", type(error).__name__)
    time.sleep(1)

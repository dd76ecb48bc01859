"""A job that is killed by its own watchdog while a large function compiles the second time."""
import os
import signal
import threading
import torch


@torch.compile(backend="aot_eager")
def f(x):
    for i in range(200):
        x = x.sin() + i
    return x


f(torch.ones(2))
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()
for n in range(3, 50):
    f(torch.ones(n, n))
    f.__wrapped__ if hasattr(f, "__wrapped__") else None
    torch._dynamo.reset()

"""A compile that never ends: the backend of an inner call sleeps until the process is killed from outside (SIGKILL).

A child kills this process two seconds after the backend began.
"""
import os
import signal
import time

import torch


def sleeps(gm, inputs):
    parent = os.getpid()
    if os.fork() == 0:
        time.sleep(2)
        os.kill(parent, signal.SIGKILL)
        os._exit(0)
    time.sleep(3600)


@torch.compile(backend="eager")
def before(x):
    return x + 1


@torch.compile(backend=sleeps)
def hangs(x):
    return x.sin() * 2


before(torch.ones(3))
hangs(torch.ones(4))

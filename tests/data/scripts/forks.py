"""A process compiles, then forks two children, one after the other, which compile on.

`python forks.py` leaves a log for each process; `python forks.py one` writes all three into one file
(all.log where TORCH_TRACE points), each record as one write.
"""
import contextlib
import functools
import logging
import os
import sys

import torch


@torch.compile(backend="eager")
def in_parent(x):
    return x + 1


@torch.compile(backend="eager", dynamic=False)
def in_first_child(x):
    return x * 2


@torch.compile(backend="eager")
def in_second_child(x):
    x = x.sin()
    print("second child")
    return x.cos()


@torch.compile(backend="eager")
def afterwards(x):
    return x - 1


@contextlib.contextmanager
def context():
    yield


@context()
def first():  # called through contextlib.py: a file name only this child meets
    in_first_child(torch.ones(2))
    in_first_child(torch.ones(3))


@functools.singledispatch
def second(x):  # called through functools.py
    in_second_child(x)


def one_file(path):
    from torch._logging._internal import TorchLogsFormatter

    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    class OneWrite(logging.Handler):
        def emit(self, record):
            os.write(fd, (self.format(record) + "\n").encode())

    log = logging.getLogger("torch.__trace")
    log.handlers.clear()
    handler = OneWrite()
    handler.setFormatter(TorchLogsFormatter(trace=True))
    log.addHandler(handler)


def child(fn, *args):
    pid = os.fork()
    if pid == 0:
        fn(*args)
        os._exit(0)
    os.waitpid(pid, 0)


torch.set_num_threads(1)
if sys.argv[1:] == ["one"]:
    one_file(os.path.join(os.environ["TORCH_TRACE"], "all.log"))
in_parent(torch.ones(2))
child(first)
child(second, torch.ones(4))
afterwards(torch.ones(5))

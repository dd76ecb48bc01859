"""Two containers that write their logs into one folder. Each has its own process 1.

    for name in train serve; do TORCH_TRACE=<folder> unshare --pid --fork python containers.py $name; done

`train` compiles scale, and again for another size. `serve` compiles shift, closes the handler of the log, as logging.shutdown() does,
and compiles join: PyTorch opens another file for the same process, whose table of strings goes on there.
"""
import sys

import torch


def scale(x):
    return x * 2 + 1


def shift(x):
    return x.sin() - 3


def join(x, y):
    return (x + y).relu()


print("process", __import__("os").getpid())
if sys.argv[1] == "train":
    compiled = torch.compile(scale)
    compiled(torch.ones(3))
    compiled(torch.ones(5))
else:
    torch.compile(shift)(torch.ones(4))
    torch._logging._internal.LOG_TRACE_HANDLER.close()
    torch.compile(join)(torch.ones(4), torch.ones(4))

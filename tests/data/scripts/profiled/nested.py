"""What calls can have in them: compiled code in an operator of a graph, the compiler of this thread or of another one, graphs without a key or without code,
C++ wrappers, and operators without an event."""
import threading
import time

import torch
from common import recorded, with_kernel_events

with_kernel_events()


@torch.compile
def inner(x):
    return torch.tanh(x @ x) * 1e-3


@torch.library.custom_op("mine::calls", mutates_args=())
def calls(x: torch.Tensor) -> torch.Tensor:
    return inner(x).clone()


@calls.register_fake
def _(x):
    return torch.empty_like(x)


@torch.library.custom_op("mine::silent", mutates_args=())
def silent(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(x.numpy() * 2)


@silent.register_fake
def _(x):
    return torch.empty_like(x)


@torch.compile
def around(x):
    return calls(torch.relu(x @ x)) + 1


@torch.compile
def muted(x):
    return torch.sin(silent(torch.cos(x) @ x) @ x)


@torch.compiler.disable
def slow(x):
    time.sleep(0.005)
    return x


@torch.compile
def folded(x):
    y = x.to(torch.float32) * 1
    y = slow(y)
    return torch.exp(y @ y)


@torch.compile(options={"cpp_wrapper": True})
def in_cpp(x):
    return torch.cos(x @ x) * 2


@torch.compile
def solved(x):
    """Its graph bypasses the cache, and has no key."""
    return torch.linalg.solve(x @ x.T + torch.eye(96), x)


@torch.compiler.disable
def wait(x):
    if late is not None:
        late.join()
    return x


@torch.compile
def waits(x):
    x = torch.relu(x) * 2
    x = wait(x)
    return torch.tanh(x @ x)


def of_thread():
    torch.compile(lambda x: torch.sigmoid(x @ x).sum(0))(w)


def fresh(i):
    """The compiler runs in a call of the profile."""
    return torch.compile(lambda x: torch.erf(x @ x) + i)(w)


late = None
w = torch.randn(96, 96)


def step(i):
    global late
    with torch.no_grad():
        for function in around, muted, folded, in_cpp, solved, waits:
            function(w)
        if i == 1:
            late = threading.Thread(target=of_thread)
            late.start()
            waits(w)
            late = None
        if i == 2:
            fresh(i)


step(0)
recorded("nested", step)

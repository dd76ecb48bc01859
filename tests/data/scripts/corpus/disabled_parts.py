"""A model of which parts are kept out of the compiler: disable with a reason, skip files, allow_in_graph, and a compiled function that
calls another one with its own options."""
import torch
import torch._dynamo


@torch.compiler.disable(reason="writes to a socket")
def send(x):
    return x.detach().sum()


@torch.compiler.disable
def log(x):
    return None


@torch.compiler.allow_in_graph
def known(x):
    return x.exp()


class Tracker(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0

    @torch._dynamo.disable(recursive=False)
    def forward(self, x):
        self.steps += 1
        return self.scale(x)

    def scale(self, x):
        return x * 0.5


@torch.compile(backend="eager", dynamic=False)
def inner(x):
    return x.tan()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.tracker, self.last = torch.nn.Linear(4, 4), Tracker(), torch.nn.Linear(4, 4)

    def forward(self, x):
        x = known(self.first(x))
        send(x)
        x = self.tracker(x)
        log(x)
        return self.last(inner(x))


net = torch.compile(Net(), backend="eager")
for rows in (2, 3, 4):
    net(torch.randn(rows, 4))
with torch.compiler.set_stance("force_eager"):
    net(torch.randn(9, 4))

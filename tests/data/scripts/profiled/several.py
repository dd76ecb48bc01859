"""A frame with two breaks, of which the second one ends its graph, one whose rest runs eagerly beyond the recompile limit, and one whose rest never
compiles, because it has another break in a loop."""
import torch
from common import recorded, with_kernel_events

with_kernel_events()
torch._dynamo.config.recompile_limit = 2


@torch.compile
def limited(x, mode):
    y = torch.relu(x @ x) * 1e-3
    torch._dynamo.graph_break()
    z = y + len(mode)
    for _ in range(40):
        z = torch.tanh(z @ z)
    return z.sum()


@torch.compile
def traced(x):
    loss = net(x).square().mean()
    loss.backward()
    return loss.item()


@torch.compile
def looped(x):
    y = torch.relu(x @ x) * 1e-2
    print(end="")
    for _ in range(20):
        y = torch.tanh(y @ y)
        torch._dynamo.graph_break()
    return y.sum()


net = torch.nn.Sequential(torch.nn.Linear(96, 96), torch.nn.ReLU(), torch.nn.Linear(96, 1))
w = torch.randn(96, 96)
modes = ["a", "bc", "def", "ghij"]


def step(_i):
    for mode in modes:
        limited(w, mode)
    traced(w)
    looped(w)


with torch._dynamo.config.patch(trace_autograd_ops=True):
    step(0)
    recorded("several", step)

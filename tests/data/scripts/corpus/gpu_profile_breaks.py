"""A training step with a graph break whose gap runs an expensive eager product on the GPU, CUDA graphs elsewhere, and a version that never runs again; profiled."""

import torch
from torch import nn

import profile_out

torch.manual_seed(0)
torch._dynamo.config.cache_size_limit = 16


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2, self.fc3 = nn.Linear(256, 256), nn.Linear(256, 256), nn.Linear(256, 16)

    def forward(self, x):
        h = torch.relu(self.fc1(x))
        torch._dynamo.graph_break()
        h = heavy(h)
        return self.fc3(torch.tanh(self.fc2(h)))


@torch._dynamo.disable
def heavy(h):
    for _ in range(4):
        h = h @ h.t() @ h / 256
    return h


net = torch.compile(Net().cuda())
replayed = torch.compile(lambda x: (x.sin() @ x).relu(), mode="reduce-overhead")
with torch.no_grad():
    net(torch.randn(7, 256, device="cuda"))
    x = torch.randn(64, 256, device="cuda")
    y = torch.randn(64, 64, device="cuda")
    for _ in range(3):
        net(x)
        replayed(y)
    with torch.profiler.profile(with_stack=False) as prof:
        for _ in range(5):
            net(x)
            replayed(y)
            prof.step()
        torch.cuda.synchronize()
profile_out.save(prof)

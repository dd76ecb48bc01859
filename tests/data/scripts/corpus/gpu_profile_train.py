"""Mixed precision training of a convolutional network on a GPU with the optimizer compiled, profiled for three steps with shapes."""

import torch
from torch import nn

import profile_out

torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.Conv2d(16, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10)).cuda()
fast = torch.compile(net)
opt = torch.optim.AdamW(net.parameters(), lr=torch.tensor(1e-3, device="cuda"))
scaler = torch.amp.GradScaler("cuda")


@torch.compile
def update():
    opt.step()


def step():
    with torch.autocast("cuda", dtype=torch.float16):
        loss = nn.functional.cross_entropy(fast(torch.randn(8, 3, 32, 32, device="cuda")), torch.randint(0, 10, (8,), device="cuda"))
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    update()
    scaler.update()
    opt.zero_grad(set_to_none=True)


step()
step()
with torch.profiler.profile(record_shapes=True, profile_memory=True, acc_events=True) as prof:
    for _ in range(3):
        step()
        prof.step()
    torch.cuda.synchronize()
profile_out.save(prof)

"""A training step with gradient clipping, an exponential moving average and gradient accumulation in one compiled function."""
import torch

torch.manual_seed(0)
net, shadow = torch.nn.Linear(4, 2), torch.nn.Linear(4, 2)
opt = torch.optim.Adam(net.parameters(), lr=0.01)


@torch.compile(backend="aot_eager")
def update(max_norm, decay):
    torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm)
    with torch.no_grad():
        for p, s in zip(net.parameters(), shadow.parameters()):
            s.lerp_(p, 1 - decay)


for i in range(5):
    net(torch.randn(3, 4)).pow(2).mean().backward()
    if i % 2:
        update(1.0 if i < 3 else 0.5, 0.9 + i / 100)
        opt.step()
        opt.zero_grad(set_to_none=True)

"""A training step in one compiled function: each call after backward() breaks the graph. With trace_autograd_ops, one trace
restarts for two causes."""
import torch

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 4))


@torch.compile(backend="aot_eager")
def train_step(x, step):
    loss = net(x).square().mean()
    loss.backward()
    if step % 2:
        opt.step()
        sched.step()
        opt.zero_grad()
    return loss.item()


@torch.compile(backend="aot_eager")
def traced(x):
    loss = net(x).square().mean()
    loss.backward()
    return loss.item()


for step in range(3):
    train_step(torch.randn(3, 4), step)
with torch._dynamo.config.patch(trace_autograd_ops=True):
    traced(torch.randn(3, 4))

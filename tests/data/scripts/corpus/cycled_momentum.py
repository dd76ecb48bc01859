# A compiled optimizer whose scheduler cycles the momentum along with the learning rate, and a loss with a threshold that is a number.
import torch, torch.nn as nn

torch.manual_seed(0)
m = nn.Linear(6, 1)
opt = torch.optim.SGD(m.parameters(), lr=0.01, momentum=0.9)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, 0.1, total_steps=20)


@torch.compile(backend="aot_eager")
def update():
    opt.step()
    sched.step()


@torch.compile(backend="aot_eager")
def loss_of(out, y, delta):
    return nn.functional.huber_loss(out, y, delta=delta)


for i in range(5):
    loss_of(m(torch.randn(4, 6)), torch.randn(4, 1), 1.0 - 0.1 * i).backward()
    update()
    opt.zero_grad()

"""Compiled steps of several optimizers, with a schedule of the learning rate as a float and as a tensor."""
import torch

for name in ("SGD", "Adam", "AdamW", "RMSprop"):
    for tensor_lr in (False, True):
        net = torch.nn.Linear(3, 3)
        lr = torch.tensor(0.1) if tensor_lr else 0.1
        opt = getattr(torch.optim, name)(net.parameters(), lr=lr)
        schedule = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)

        @torch.compile(backend="eager", fullgraph=False)
        def step():
            opt.step()
            schedule.step()

        for _ in range(3):
            net(torch.randn(2, 3)).sum().backward()
            step()

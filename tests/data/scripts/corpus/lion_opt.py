"""An optimizer in Python, compiled for one parameter, that reaches the recompile limit: a layer is frozen after some steps, and has no gradient."""

import torch

torch.manual_seed(0)


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.99)):
        super().__init__(params, {"lr": lr, "betas": betas})

    @torch.compile(backend="eager")
    def update(self, p, avg, lr, betas):
        p.mul_(1 - lr * 0.1)
        if p.grad is None:
            return
        p.add_(torch.sign(avg * betas[0] + p.grad * (1 - betas[0])), alpha=-lr)
        avg.mul_(betas[1]).add_(p.grad, alpha=1 - betas[1])

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if not state:
                    state["exp_avg"] = torch.zeros_like(p)
                self.update(p, state["exp_avg"], group["lr"], group["betas"])


sizes = (4, 8, 6, 7, 5)
layers = [torch.nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])]
opt = Lion(torch.nn.Sequential(*layers).parameters())
for n in range(3):
    opt.zero_grad()
    torch.nn.Sequential(*layers)(torch.randn(8, 4)).sum().backward()
    if n:
        layers[1].zero_grad()
    opt.step()

"""An integer attribute of a module of PyTorch that changes, beside one of the program's own module."""
import torch


class Groups(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.GroupNorm(1, 12)

    @torch.compile(backend="eager")
    def forward(self, x):
        return self.norm(x)


class Steps(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0

    @torch.compile(backend="eager")
    def forward(self, x, scale):
        return x * self.steps + len(scale)


groups, steps = Groups(), Steps()
for count in (1, 2, 3, 4):
    groups.norm.num_groups = count
    groups(torch.randn(2, 12))
for count, scale in ((0, "a"), (5, "a"), (6, "a"), (7, "a"), (7, "bb")):
    steps.steps = count
    steps(torch.ones(2), scale)

"""A float of an object that a schedule changes, and a string, until the recompile limit is reached: one has a fix, the other has none."""

import torch

torch.manual_seed(0)


class Clip:
    def __init__(self):
        self.epsilon, self.name = 0.2, "p0"

    @torch.compile(backend="aot_eager")
    def loss(self, ratio, advantage):
        return torch.min(ratio * advantage, ratio.clamp(1 - self.epsilon, 1 + self.epsilon) * advantage).mean()

    @torch.compile(backend="eager")
    def named(self, x):
        return x + len(self.name) if self.name else x


clip = Clip()
for i in range(12):
    clip.epsilon, clip.name = 0.2 / (1 + i), f"p{i}"
    clip.loss(torch.rand(8), torch.rand(8))
    clip.named(torch.rand(8))

"""One code, several modules: modules of PyTorch compiled one after another (one frame), a forward that subclasses inherit, one class with other attributes."""
import torch

compiled = lambda module: torch.compile(module, backend="eager")  # noqa: E731


class Base(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
        self.inner = torch.nn.Linear(4, n)

    def forward(self, x):
        return self.act(self.inner(x)) * self.n


class Sine(Base):
    def act(self, x):
        return x.sin()


class Cosine(Base):
    def __init__(self, n):
        super().__init__(n)
        self.scale = 0.5

    def act(self, x):
        return x.cos() * self.scale


x = torch.ones(2, 4)
for module in (torch.nn.ReLU(), torch.nn.Linear(4, 4), torch.nn.Linear(4, 8, bias=False), torch.nn.LayerNorm(4), torch.nn.ReLU()):
    compiled(module)(x)
for module in (Sine(2), Cosine(3), Sine(4)):
    compiled(module)(x)

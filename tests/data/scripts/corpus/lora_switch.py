"""Adapters that are switched on and off by an attribute of the module; each switch is a guard."""
import torch


class Lora(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.base = torch.nn.Linear(6, 6)
        self.adapters = torch.nn.ModuleDict({n: torch.nn.Linear(6, 6) for n in ("a", "b")})
        self.active, self.scale = None, 1.0

    def forward(self, x):
        y = self.base(x)
        if self.active is not None:
            y = y + self.scale * self.adapters[self.active](x)
        return y


net = Lora()
fast = torch.compile(net, backend="eager")
for net.active, net.scale in ((None, 1.0), ("a", 1.0), ("b", 1.0), ("b", 0.5), (None, 0.5)):
    fast(torch.ones(2, 6)).sum().backward()

"""Layers whose graphs differ in the name that they pass to an operator, as in vLLM's attention; and some that share one graph."""
import torch


@torch.library.custom_op("demo::attend", mutates_args=())
def attend(x: torch.Tensor, layer: str) -> torch.Tensor:
    return x + len(layer)


@attend.register_fake
def _(x, layer):
    return torch.empty_like(x)


class Layer(torch.nn.Module):
    def __init__(self, name):
        super().__init__()
        self.name = name
        self.proj = torch.nn.Linear(4, 4)

    def forward(self, x):
        return torch.ops.demo.attend(self.proj(x), self.name).relu()


class Plain(torch.nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale
        self.proj = torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.proj(x) * self.scale


torch.manual_seed(0)
with torch.no_grad():
    for layer in [Layer(f"layers.{i}") for i in range(3)] + [Plain(2), Plain(3)]:
        torch.compile(layer, backend="eager")(torch.ones(2, 4))

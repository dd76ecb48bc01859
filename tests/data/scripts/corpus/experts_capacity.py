"""Experts in a loop, each with at most some tokens. A container of blocks calls it."""
import torch
from torch import nn

torch._dynamo.config.capture_dynamic_output_shape_ops = True
CAPACITY = 3


class Experts(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.gate = nn.Linear(4, count)
        self.experts = nn.ModuleList(nn.Linear(4, 4) for _ in range(count))

    def forward(self, x):
        chosen = self.gate(x).argmax(-1)
        out = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            (rows,) = torch.where(chosen == number)
            if rows.numel() > CAPACITY:
                rows = rows[:CAPACITY]
            out = out.index_add(0, rows, expert(x[rows]))
        return out


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(4)
        self.experts = Experts(2)

    def forward(self, x):
        return x + self.experts(self.norm(x))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(2))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def main():
    torch.manual_seed(0)
    print(torch.compile(Model(), backend="aot_eager")(torch.randn(8, 4)).shape)


if __name__ == "__main__":
    main()

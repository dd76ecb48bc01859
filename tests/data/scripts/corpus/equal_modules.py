"""A transformer encoder whose blocks are all in one graph, then another one whose blocks are compiled one by one."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x):
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        x = x + self.out(nn.functional.scaled_dot_product_attention(q, k, v))
        return x + self.mlp(x)


class Model(nn.Module):
    def __init__(self, width=32, depth=12):
        super().__init__()
        self.embed = nn.Embedding(50, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.head = nn.Linear(width, 50)

    def forward(self, ids):
        x = self.embed(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


ids = torch.randint(0, 50, (2, 8))
whole = Model(depth=6)
whole.compile(backend="aot_eager")
whole(ids).sum().backward()

torch.compiler.reset()
apart = Model(depth=5)
for block in apart.blocks:
    block.compile(backend="aot_eager")
apart(ids).sum().backward()

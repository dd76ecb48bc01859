"""Instances of one module class behind one compiled function and behind one torch.compile() each; modes and weights that change."""
import torch


class Block(torch.nn.Module):
    def __init__(self, width, heads=1, bias=True, scale=None, drop=0.0):
        super().__init__()
        self.linear = torch.nn.Linear(width, width, bias=bias)
        self.drop = torch.nn.Dropout(drop)
        self.heads, self.scale, self.extra = heads, scale, []

    def forward(self, x, residual=None):
        y = self.drop(self.linear(x)) / self.heads
        if self.scale is not None:
            y = y * self.scale
        for module in self.extra:
            y = module(y)
        return y if residual is None else y + residual


class Gated(Block):
    def forward(self, x, residual=None):
        return super().forward(x, residual).sigmoid()


@torch.compile(backend="eager")
def shared(block, x, **options):
    return block(x, **options)


blocks = [Block(4), Block(4), Block(4, heads=2), Block(4, bias=False), Block(4, scale=0.5), Block(6), Gated(4)]
for block in blocks:
    shared(block, torch.ones(2, block.linear.in_features))
shared(blocks[0], torch.ones(3, 4))
shared(blocks[0], torch.ones(3, 4), residual=torch.ones(3, 4))
each = [torch.compile(block, backend="eager") for block in blocks[:3]]
for block in each:
    block(torch.ones(2, 4))
    block(torch.ones(5, 4))
    block(torch.ones(6, 4))
one = torch.compile(Block(4, drop=0.5), backend="eager")
one(torch.ones(2, 4))
one.eval()
one(torch.ones(2, 4))
one.linear.weight.requires_grad_(False)
one(torch.ones(2, 4))
one.extra.append(torch.nn.ReLU())
one(torch.ones(2, 4))
one.linear = torch.nn.Linear(4, 4)
one(torch.ones(2, 4))
one.double()
one(torch.ones(2, 4, dtype=torch.float64))
own = [torch.compile(block, backend="eager", isolate_recompiles=True) for block in blocks[:2]]
for block in own:
    block(torch.ones(2, 4))
    block(torch.ones(3, 4))

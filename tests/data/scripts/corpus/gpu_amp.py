"""A transformer block trained on a GPU with autocast, a gradient scaler and a compiled optimizer; the last batch is smaller."""

import torch
from torch import nn

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, d=64):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.attn = nn.MultiheadAttention(d, 4, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        h = self.norm(x)
        x = x + self.attn(h, h, h, need_weights=False)[0]
        return x + self.mlp(x)


model = nn.Sequential(Block(), Block()).cuda()
compiled = torch.compile(model)
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cuda")


@torch.compile
def update():
    opt.step()


def step(x):
    with torch.autocast("cuda", dtype=torch.float16):
        loss = compiled(x).square().mean()
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    update()
    scaler.update()
    opt.zero_grad()
    return loss


for batch in (8, 8, 8, 5):
    print(step(torch.randn(batch, 16, 64, device="cuda")).item())

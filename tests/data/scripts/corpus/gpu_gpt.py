"""A small GPT trained on a GPU with attention, dropout and gradient accumulation; evaluated after each step, and profiled."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Layer(nn.Module):
    def __init__(self, d, heads, drop):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
        self.heads, self.drop = heads, drop

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (p.view(b, t, self.heads, d // self.heads).transpose(1, 2) for p in self.qkv(self.n1(x)).split(d, 2))
        a = F.scaled_dot_product_attention(q, k, v, dropout_p=self.drop if self.training else 0.0, is_causal=True)
        x = x + self.out(a.transpose(1, 2).reshape(b, t, d))
        return x + F.dropout(self.down(F.gelu(self.up(self.n2(x)))), self.drop, self.training)


class GPT(nn.Module):
    def __init__(self, vocab=96, d=64, layers=3):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, d), nn.Embedding(64, d)
        self.layers = nn.ModuleList(Layer(d, 4, 0.1) for _ in range(layers))
        self.head = nn.Linear(d, vocab)

    def forward(self, ids, targets=None):
        x = self.tok(ids) + self.pos(torch.arange(ids.shape[1], device=ids.device))
        for layer in self.layers:
            x = layer(x)
        logits = self.head(x)
        return logits if targets is None else F.cross_entropy(logits.flatten(0, 1), targets.flatten())


model = GPT().cuda().bfloat16()
fast = torch.compile(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1)


def batch():
    ids = torch.randint(0, 96, (4, 33), device="cuda")
    return ids[:, :-1].contiguous(), ids[:, 1:].contiguous()


def train():
    for _ in range(2):
        ids, targets = batch()
        (fast(ids, targets) / 2).backward()
    opt.step()
    opt.zero_grad(set_to_none=True)


def evaluate():
    model.eval()
    with torch.no_grad():
        fast(batch()[0])
    model.train()


train()
evaluate()
with torch.profiler.profile() as prof:
    for _ in range(3):
        train()
        prof.step()
    evaluate()
    torch.cuda.synchronize()
import profile_out

profile_out.save(prof)

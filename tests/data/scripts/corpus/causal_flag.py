"""Attention that is causal for more than one token: a size that varies makes a condition that an operator wants as a bool."""
import torch
import torch.nn.functional as F


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear(16, 48)

    def forward(self, x):
        t = x.shape[1]
        q, k, v = self.qkv(x).view(x.shape[0], t, 3, 2, 8).unbind(2)
        y = F.scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), is_causal=t > 1)
        return y.transpose(1, 2).reshape(x.shape)


torch.manual_seed(0)
model = torch.compile(Block(), backend="aot_eager")
with torch.no_grad():
    for tokens in 4, 5, 6, 1, 7:
        print(tokens, model(torch.randn(2, tokens, 16)).shape)

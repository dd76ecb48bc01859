"""Decoding with a list of key-value caches, one for each layer, that are None before the first call."""
import torch


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear(8, 24)

    def forward(self, x, cache):
        q, k, v = self.qkv(x).chunk(3, -1)
        if cache is not None:
            k, v = torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1)
        return x + (q @ k.transpose(1, 2)).softmax(-1) @ v, (k, v)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList(Layer() for _ in range(2))

    def forward(self, x, caches):
        new = []
        for layer, cache in zip(self.layers, caches):
            x, cache = layer(x, cache)
            new.append(cache)
        return x, new


torch.manual_seed(0)
model = torch.compile(Model(), backend="aot_eager")
caches = [None, None]
with torch.no_grad():
    x, caches = model(torch.randn(1, 5, 8), caches)
    for i in range(6):
        x, caches = model(torch.randn(1, 1, 8), caches)
print(caches[0][0].shape)

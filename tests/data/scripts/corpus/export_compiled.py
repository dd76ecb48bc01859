"""Exports with dynamic dimensions, strict and not, decomposed, saved and loaded; the loaded program is then compiled."""
import io
import torch
from torch.export import Dim


class Pool(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(32, 8)

    def forward(self, tokens, mask=None):
        x = self.embed(tokens)
        if mask is not None:
            x = x * mask.unsqueeze(-1)
        return x.sum(1) / tokens.shape[1]


torch.manual_seed(0)
tokens, mask = torch.randint(0, 32, (2, 6)), torch.ones(2, 6)
rows, length = Dim("rows", max=16), Dim("length", max=64)
for strict in (False, True):
    program = torch.export.export(Pool(), (tokens, mask), dynamic_shapes=({0: rows, 1: length}, {0: rows, 1: length}), strict=strict)
program = program.run_decompositions()
file = io.BytesIO()
torch.export.save(program, file)
file.seek(0)
loaded = torch.export.load(file).module()
fast = torch.compile(loaded, backend="aot_eager")
for n, m in ((2, 6), (3, 7), (5, 9)):
    fast(torch.randint(0, 32, (n, m)), torch.ones(n, m))
try:
    torch.export.export(Pool(), (tokens, mask), dynamic_shapes=({0: rows}, {0: length}))
except Exception as error:
    print(type(error).__name__)

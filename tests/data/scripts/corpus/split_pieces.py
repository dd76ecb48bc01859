"""Pieces like those of vLLM: a backend splits the graph at a custom attention operator and compiles each piece on its own."""
import torch
from torch._inductor.compile_fx import compile_fx
from torch.fx.passes.split_module import split_module


@torch.library.custom_op("served::attention", mutates_args=("out",))
def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, out: torch.Tensor) -> None:
    out.copy_(torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None])[0])


@attention.register_fake
def _(q, k, v, out):
    return None


def pieces(graph, inputs):
    part, parts = 0, {}
    for node in graph.graph.nodes:
        if node.op in ("placeholder", "output"):
            continue
        attends = "attention" in str(node.target)
        part += attends
        parts[node] = part
        part += attends
    split = split_module(graph, None, parts.__getitem__, keep_original_order=True)
    for name, piece in list(split.named_children()):
        if name.startswith("submod") and not any("attention" in str(n.target) for n in piece.graph.nodes):
            examples = [n.meta["example_value"] for n in piece.graph.nodes if n.op == "placeholder"]
            setattr(split, name, Piece(compile_fx(piece, examples)))
    return split


class Piece(torch.nn.Module):
    def __init__(self, run):
        super().__init__()
        self.run = run

    def forward(self, *args):
        return self.run(*args)


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = torch.nn.Linear(16, 48), torch.nn.Linear(16, 16)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        attended = torch.empty_like(q)
        attention(q, k, v, attended)
        return x + self.out(attended).relu()


torch.manual_seed(0)
model = torch.nn.Sequential(Block(), Block())
served = torch.compile(model, backend=pieces, fullgraph=True)
with torch.no_grad():
    for tokens in (8, 24, 5, 1):
        x = torch.randn(tokens, 16)
        torch._dynamo.maybe_mark_dynamic(x, 0)
        served(x)

"""Exports of a transformers and a timm model, with and without dynamic sizes, one that branches on data, strict and not;
draft_export, which writes a log of its own, of an operator without a fake kernel; each attempt may fail and is caught."""
import timm
import torch
from torch.export import Dim, draft_export, export
from transformers import BertConfig, BertModel


@torch.library.custom_op("models::opaque", mutates_args=())
def opaque(x: torch.Tensor) -> torch.Tensor:
    return x[: int(x.abs().sum().item() > 0) + 1].clone()


class Pooled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        config = BertConfig(hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, vocab_size=32, max_position_embeddings=32)
        self.bert = BertModel(config).eval()

    def forward(self, tokens, scale):
        return self.bert(tokens).last_hidden_state.mean(1) * scale


class Gated(torch.nn.Module):
    def forward(self, x, gate):
        if gate.mean() > 0.5:
            return x * gate
        return x


class Opaque(torch.nn.Module):
    def forward(self, x):
        return opaque(x) + 1


def attempt(name, call):
    try:
        call()
        print(name, "exported")
    except Exception as error:
        print(name, type(error).__name__, str(error).splitlines()[0][:200])


torch.manual_seed(0)
tokens, scale = torch.randint(0, 32, (2, 6)), torch.ones(2, 1)
batch, length = Dim("batch", max=8), Dim("length", max=32)
attempt("bert", lambda: export(Pooled(), (tokens, scale)))
attempt("bert batch of one input", lambda: export(Pooled(), (tokens, scale), dynamic_shapes={"tokens": {0: batch}, "scale": None}))
attempt("bert strict", lambda: export(Pooled(), (tokens, scale), dynamic_shapes={"tokens": {0: batch, 1: length}, "scale": {0: batch}}, strict=True))
vit = timm.create_model("resnet10t", num_classes=3).eval()
attempt("timm", lambda: export(vit, (torch.randn(2, 3, 32, 32),), dynamic_shapes={"x": {0: batch}}))
attempt("gated", lambda: export(Gated(), (torch.randn(4), torch.rand(4))))
attempt("gated strict", lambda: export(Gated(), (torch.randn(4), torch.rand(4)), strict=True))
attempt("opaque", lambda: export(Opaque(), (torch.randn(4),)))
attempt("opaque draft", lambda: draft_export(Opaque(), (torch.randn(4),)))

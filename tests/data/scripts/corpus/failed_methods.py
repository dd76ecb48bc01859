"""Compiles that fail in methods of modules: the only one of its code, one beside others, and one of another class."""
import torch


class Alone(torch.nn.Module):
    def forward(self, x):
        return x @ x


class Switch(torch.nn.Module):
    def __init__(self, bad):
        super().__init__()
        self.bad = bad

    def forward(self, x):
        if self.bad:
            torch._dynamo.graph_break()
        return x.relu()


class Base(torch.nn.Module):
    def forward(self, x):
        return self.body(x)


class Works(Base):
    def body(self, x):
        return x.sin()


class Breaks(Base):
    def body(self, x):
        torch._dynamo.graph_break()
        return x


for model in (Alone(), Switch(False), Switch(True), Works(), Breaks()):
    try:
        torch.compile(model, backend="eager", fullgraph=True)(torch.randn(3, 4))
        print(type(model).__name__, "compiled")
    except Exception as error:
        print(type(model).__name__, type(error).__name__)

"""A model whose forward has a budget for what its forward saves: torch.autograd.graph.region_activation_memory_budget."""
import torch

N = 2048


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(N, N)
        self.b = torch.nn.Linear(N, N)

    def forward(self, x):
        with torch.autograd.graph.region_activation_memory_budget(0.8):
            x = self.a(x)
            x = torch.sin(torch.cos(x).exp() * x).tanh() * torch.cos(x)
            return self.b(x).sum()


torch.manual_seed(0)
model = torch.compile(Block())
x = torch.randn(16384, N, requires_grad=True)
model(x).backward()

"""A linear layer with frozen weights under max_autotune: Inductor compiles and benchmarks C++ templates for its matrix product."""
import torch
import torch._inductor.config

torch._inductor.config.freezing = True
model = torch.compile(torch.nn.Linear(64, 32).eval(), mode="max-autotune-no-cudagraphs")
with torch.no_grad():
    model(torch.rand(32, 64))

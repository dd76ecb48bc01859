"""A model with fake quantization: PyTorch does not trace it, so no graph has an operator."""
import torch
from torch.ao.quantization import get_default_qat_qconfig, prepare_qat

model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4))
model.qconfig = get_default_qat_qconfig("x86")
model = prepare_qat(model.train())
compiled = torch.compile(model, backend="aot_eager")
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for _ in range(3):
    optimizer.zero_grad()
    compiled(torch.ones(5, 8)).sum().backward()
    optimizer.step()

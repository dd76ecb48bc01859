"""Weights of a small network quantized with torchao, then compiled at two batch sizes."""
import torch
from torchao.quantization import Int8WeightOnlyConfig, quantize_

torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.GELU(), torch.nn.Linear(32, 8)).eval()
quantize_(net, Int8WeightOnlyConfig())
fast = torch.compile(net, backend="aot_eager")
with torch.no_grad():
    for batch in (1, 4, 6):
        fast(torch.randn(batch, 16))

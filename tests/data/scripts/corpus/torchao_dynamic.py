"""Dynamic int8 quantization of torchao, of float32 and bfloat16 inputs."""
import torch
from torchao.quantization import Int8DynamicActivationInt8WeightConfig, quantize_

torch.manual_seed(0)
for dtype in (torch.float32, torch.bfloat16):
    net = torch.nn.Sequential(torch.nn.Linear(32, 32), torch.nn.ReLU()).eval().to(dtype)
    quantize_(net, Int8DynamicActivationInt8WeightConfig())
    fast = torch.compile(net, backend="eager")
    with torch.no_grad():
        fast(torch.randn(2, 32, dtype=dtype))
        fast(torch.randn(5, 32, dtype=dtype))

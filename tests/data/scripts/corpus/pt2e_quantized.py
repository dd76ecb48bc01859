"""A network that is exported, observed and converted by the quantization of PyTorch 2 export, then compiled for two batch sizes."""
import torch
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e
from torchao.quantization.pt2e.quantizer.x86_inductor_quantizer import X86InductorQuantizer, get_default_x86_inductor_quantization_config


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.head = torch.nn.Conv2d(3, 4, 3), torch.nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.conv(x).relu().mean((2, 3)))


torch.manual_seed(0)
batch = torch.export.Dim("batch", min=2, max=64)
example = (torch.randn(4, 3, 8, 8),)
exported = torch.export.export(Net().eval(), example, dynamic_shapes=({0: batch},)).module()
quantizer = X86InductorQuantizer().set_global(get_default_x86_inductor_quantization_config())
prepared = prepare_pt2e(exported, quantizer)
prepared(*example)
converted = convert_pt2e(prepared)
fast = torch.compile(converted, backend="aot_eager")
with torch.no_grad():
    for n in (4, 6, 6, 9):
        fast(torch.randn(n, 3, 8, 8))

"""A timm convolutional network whose images change size, layout and dtype."""
import timm
import torch

torch.manual_seed(0)
model = timm.create_model("resnet10t", pretrained=False, num_classes=3, stem_width=4).eval()
fast = torch.compile(model, backend="eager")
with torch.no_grad():
    fast(torch.randn(1, 3, 32, 32))
    fast(torch.randn(2, 3, 48, 32))
    fast(torch.randn(2, 3, 48, 32).to(memory_format=torch.channels_last))
    model.double()
    fast(torch.randn(2, 3, 48, 32, dtype=torch.float64))

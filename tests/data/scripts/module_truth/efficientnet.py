"""EfficientNet of timm: batch norms with an activation, whose calls go over several lines."""
import timm
import torch
import truth

model = timm.create_model("efficientnet_b0", num_classes=5).eval()
with torch.no_grad():
    torch.compile(model, backend=truth.backend)(torch.randn(1, 3, 64, 64))
truth.modules(model)

"""Models of timm: a residual network with batch norms, and a vision transformer."""
import timm
import torch
import truth

torch.manual_seed(0)
for name in ("resnet10t", "vit_tiny_patch16_224", "convnext_atto"):
    model = timm.create_model(name, num_classes=10).train()
    compiled = torch.compile(model, backend=truth.backend)
    size = 224 if "vit" in name else 64
    compiled(torch.randn(1, 3, size, size)).sum().backward()
    truth.modules(model)

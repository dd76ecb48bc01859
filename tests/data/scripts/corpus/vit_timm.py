"""A timm vision transformer under autocast and without, at two batch sizes."""
import timm
import torch

torch.manual_seed(0)
model = timm.create_model("vit_tiny_patch16_224", pretrained=False, img_size=32, depth=1, embed_dim=24, num_heads=2, num_classes=4)
fast = torch.compile(model, backend="aot_eager")
for batch in (2, 4):
    fast(torch.randn(batch, 3, 32, 32)).sum().backward()
with torch.autocast("cpu", dtype=torch.bfloat16):
    fast(torch.randn(4, 3, 32, 32)).sum().backward()
model.eval()
with torch.inference_mode():
    fast(torch.randn(4, 3, 32, 32))

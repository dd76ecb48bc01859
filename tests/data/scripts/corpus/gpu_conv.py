"""A residual network of timm on a GPU, channels last, with autocast; training, evaluation, and images of another size."""

import timm
import torch

torch.manual_seed(0)
model = timm.create_model("resnet10t", num_classes=10).cuda().to(memory_format=torch.channels_last)
fast = torch.compile(model)
opt = torch.optim.SGD(model.parameters(), lr=0.01)
for size in (64, 64, 96):
    x = torch.randn(4, 3, size, size, device="cuda").to(memory_format=torch.channels_last)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = torch.nn.functional.cross_entropy(fast(x), torch.randint(0, 10, (4,), device="cuda"))
    loss.backward()
    opt.step()
    opt.zero_grad()
    print(loss.item())

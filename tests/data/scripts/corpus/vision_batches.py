"""A vision model in a service: batches, resolutions, layouts and devices' dtypes change, and a list of crops is passed."""
import torch


class Stem(torch.nn.Module):
    def __init__(self, width=4, patch=4):
        super().__init__()
        self.patch = patch
        self.conv = torch.nn.Conv2d(3, width, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(width)

    def forward(self, image, crops=(), size=None, return_crops=False):
        if size is not None:
            image = torch.nn.functional.interpolate(image, size=size)
        out = self.norm(self.conv(image)).mean((2, 3))
        extra = [self.norm(self.conv(crop)).mean((2, 3)) for crop in crops]
        return (out, extra) if return_crops else sum(extra, out)


model = torch.compile(Stem(), backend="eager")
x = torch.ones(2, 3, 8, 8)
model(x)
model(torch.ones(4, 3, 8, 8))
model(torch.ones(4, 3, 12, 10))
model(torch.ones(4, 3, 12, 10).to(memory_format=torch.channels_last))
model(x, crops=[torch.ones(2, 3, 4, 4)])
model(x, crops=[torch.ones(2, 3, 4, 4), torch.ones(2, 3, 6, 6)])
model(x, crops=[torch.ones(2, 3, 5, 5), torch.ones(2, 3, 7, 7)], return_crops=True)
model.eval()
with torch.inference_mode():
    model(x)
    model(x, size=(4, 4))
    model(x, size=(6, 6))
    model(torch.ones(1, 3, 8, 8))
    model.bfloat16()
    model(x.bfloat16())
torch._dynamo.reset()
frozen = torch.compile(Stem(width=6).requires_grad_(False), backend="eager", dynamic=True)
frozen(x)
frozen(torch.ones(3, 3, 10, 12))
frozen(torch.ones(1, 3, 10, 12))
frozen(torch.ones(3, 3, 1, 12))

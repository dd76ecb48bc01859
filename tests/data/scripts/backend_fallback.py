import torch


@torch.compile(backend="aot_eager")
def fill(x, mask, y):
    x = x.clone()
    x[mask] = y
    return x


@torch.compile(backend="aot_eager", fullgraph=True)
def whole(x, mask, y):
    x = x.clone()
    x[mask] = y
    return x


x, y = torch.randn(4, requires_grad=True), torch.randn(2, requires_grad=True)
mask = torch.tensor([True, False, True, False])
for f in (fill, whole):
    try:
        f(x, mask, y)
    except Exception as error:
        print(type(error).__name__)

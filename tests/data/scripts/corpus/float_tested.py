# A float by which Python decides and with which the graph computes, for a batch of another size, too; and the same with a
# tensor and the result of the test.
import torch


@torch.compile(backend="aot_eager")
def guided(x, scale):
    if scale > 1:
        y = x.sin()
        return y + scale * (x - y)
    return x.cos()


@torch.compile(backend="aot_eager")
def passed(x, scale, above):
    if above:
        y = x.sin()
        return y + scale * (x - y)
    return x.cos()


for scale, size in ((4.0, 4), (3.5, 4), (1.0, 4), (4.0, 1), (3.5, 1), (3.0, 1)):
    x = torch.randn(size, 4)
    guided(x, scale), passed(x, torch.tensor(scale), scale > 1)

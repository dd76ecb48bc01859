# A float by which Python decides, and which no operator takes.
import torch


@torch.compile(backend="aot_eager")
def guided(x, guidance):
    y = torch.cat([x, x]) if guidance > 1 else x
    return y.sin()


for guidance in (1.5, 2.5, 3.5):
    guided(torch.randn(4), guidance)

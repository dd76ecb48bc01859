"""One matrix product per line, with known ratios of work: 1, 4 and 16 times as many operations."""
import torch
from common import recorded, with_kernel_events

with_kernel_events()
torch.set_num_threads(1)


@torch.compile
def products(x, a, b, c):
    one = x @ a
    four = x @ b
    sixteen = x @ c
    return one.sum() + four.sum() + sixteen.sum()


x = torch.randn(256, 256)
arguments = x, torch.randn(256, 128), torch.randn(256, 512), torch.randn(256, 2048)
for _ in range(3):
    products(*arguments)
recorded("ratios", lambda i: products(*arguments), steps=8)

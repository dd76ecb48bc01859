"""Lines with one, two and four matrix products of the same shape."""
import torch
from common import recorded, with_kernel_events

with_kernel_events()
torch.set_num_threads(1)


@torch.compile
def products(a, b, c):
    one = a @ a
    two = b @ (b @ b)
    four = c @ (c @ (c @ (c @ c)))
    return one.relu() + two.sigmoid() + four.tanh()


matrices = [torch.randn(384, 384) / 20 for _ in range(3)]
with torch.no_grad():
    for _ in range(10):
        products(*matrices)
    recorded("products", lambda i: products(*matrices), steps=20)

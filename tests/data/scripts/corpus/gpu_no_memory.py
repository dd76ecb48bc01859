"""A compiled function that runs out of memory on the GPU when it runs, and again in a backward that saves too much; the program makes the batch smaller and goes on."""

import torch

torch.cuda.set_per_process_memory_fraction(0.01)


@torch.compile
def layer(x, w):
    return (x @ w).relu() @ w.t()


w = torch.randn(256, 256, device="cuda", requires_grad=True)
n = 1 << 20
while True:
    try:
        layer(torch.randn(n, 256, device="cuda"), w).sum().backward()
        break
    except torch.OutOfMemoryError as e:
        print(n, str(e)[:100])
        n //= 4
print("fits:", n)

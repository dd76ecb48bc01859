"""Four threads compile and call two functions at the same time; one thread has another default dtype of its inputs."""
import threading
import torch


@torch.compile(backend="aot_eager")
def f(x):
    return x.sin() + 1


@torch.compile(backend="aot_eager")
def g(x, k):
    return (x * k).cos()


def work(i):
    for n in (2, 3, 4):
        f(torch.ones(n, dtype=torch.float64 if i == 3 else torch.float32))
        g(torch.ones(n), i)


threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
for t in threads:
    t.start()
    t.join()

# A running average of the loss as a Python number, and a number that is kept and not read.
import torch


class Average:
    def __init__(self):
        self.avg, self.n, self.last = 0.0, 0, 0.0

    def add(self, x):
        loss = x.mean()
        self.n += 1
        self.avg = self.avg + (loss.item() - self.avg) / self.n
        return loss * 2

    def keep(self, x):
        loss = x.mean()
        self.last = loss.item()
        return loss * 2


average = Average()
add, keep = (torch.compile(f, backend="aot_eager") for f in (average.add, average.keep))
for _ in range(4):
    keep(torch.randn(4)), add(torch.randn(4))

"""A module that counts its calls, in a thread: settings of torch._dynamo.config are those of the thread."""
import threading
import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x + 1


model = torch.compile(Model(), backend="eager")
x = torch.ones(2)


def work():
    for _ in range(4):
        model(x)


thread = threading.Thread(target=work)
thread.start()
thread.join()

"""Dropout under vmap cannot be traced with a dynamic size: one ensemble with sizes that change, one with a marked size."""
import torch
from torch.func import functional_call, stack_module_state, vmap


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.drop = torch.nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.layer(x)).relu()


models = [Net() for _ in range(3)]
params, buffers = stack_module_state(models)
base = models[0].to("meta")


def one(p, b, x):
    return functional_call(base, (p, b), (x,))


def predict(x):
    return vmap(one, (0, 0, None), randomness="different")(params, buffers, x)


def marked(x):
    return vmap(one, (0, 0, None), randomness="different")(params, buffers, x) + 1


changing = torch.compile(predict, backend="aot_eager")
for n in (4, 5, 7):
    changing(torch.ones(n, 4))

dynamic = torch.compile(marked, backend="aot_eager")
x = torch.ones(6, 4)
torch._dynamo.mark_dynamic(x, 0)
dynamic(x)

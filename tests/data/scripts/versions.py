"""One program for every version of PyTorch: recompiles of each kind, the recompile limit, graph breaks, errors, training, a reset."""
import torch
import torch._dynamo


def compiled(function, **how):
    return torch.compile(function, **{"backend": "aot_eager", **how})


def sizes(x):
    return x * 2


def flags(x, on):
    return x + 1 if on else x - 1


def types(x, y):
    return x + y


def keys(x, d):
    return x * d["scale"] if "scale" in d else x


def counts(x, n):
    return x + n


def prints(x):
    x = x + 1
    print("a graph break")
    return x * 2


def branches(x):
    if x.sum() > 0:
        return x + 1
    return x - 1


def raises(x):
    raise ValueError("nothing to compile")


def shapes(x, y):
    return x @ y


def whole(x):
    print("no graph break here")
    return x


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.drop = torch.nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.linear(x)).sum()


def broken_backend(graph, inputs):
    raise RuntimeError("the backend says no")


def attempt(function, *args):
    try:
        function(*args)
    except Exception as error:
        print(type(error).__name__)


ones = torch.ones(4)
each = compiled(sizes)
for x in (ones, torch.ones(5), torch.ones(6), torch.ones(2, 2), ones.double(), torch.ones(4, requires_grad=True)):
    each(x)
each = compiled(flags)
each(ones, True), each(ones, False)
each = compiled(types)
each(ones, ones), each(ones, 3)
each = compiled(keys)
each(ones, {"scale": ones}), each(ones, {})
each = compiled(counts, dynamic=False)
for n in range(2, 12):
    each(ones, n)
compiled(prints)(ones)
compiled(branches)(ones)
attempt(compiled(raises), ones)
attempt(compiled(shapes), torch.ones(3, 4), torch.ones(3, 4))
attempt(compiled(whole, fullgraph=True), ones)
attempt(compiled(sizes, backend=broken_backend), torch.ones(7, 7, 7))
net = Net()
each = compiled(net)
each(torch.ones(2, 4)).backward()
net.eval()
each(torch.ones(2, 4))
with torch.no_grad():
    each(torch.ones(2, 4))
torch._dynamo.reset()
compiled(sizes)(torch.ones(3))

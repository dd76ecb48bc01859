"""Recompiles for settings, memory layouts, bounds, globals, attributes and arguments left out: what advice says about each of them."""
import torch

torch._dynamo.config.capture_scalar_outputs = True
STEPS = 1


def compiled(**settings):
    return torch.compile(backend="eager", **settings)


@compiled()
def by_deterministic(x):
    return x + 1


@compiled()
def by_default_dtype(x):
    return x + 2


@compiled()
def by_threads(x):
    return x + 3


@compiled()
def by_layout(x):
    return x * 2


@compiled()
def by_bound(x, n):
    count = n.item()
    torch._check(count >= 0)
    torch._check(count <= x.shape[0])
    return x.narrow(0, 0, count).sum()


@compiled()
def by_other_bound(x, n):
    if n.item() <= 4:
        return x * 2
    return x * 3


@compiled()
def by_global(x):
    return x * STEPS


class Cache:
    def __init__(self):
        self.filled = False
        self.keys = torch.zeros(4)


@compiled()
def by_attribute(cache, x):
    if not cache.filled:
        cache.keys = x * 2
        cache.filled = True
    return cache.keys + x


class Config:
    kind = None


@compiled()
def by_size_and_attribute(config, x):
    if config.kind is None:
        config.kind = "single"
    return x * 4


@compiled()
def by_none(x, state=None):
    return (x if state is None else x + state[0]).sum()


@compiled()
def by_gradient(x):
    return x * 5


@compiled()
def by_keyword(**inputs):
    return sum(x.sum() for x in inputs.values())


x = torch.ones(4)
by_deterministic(x)
torch.use_deterministic_algorithms(True)
by_deterministic(x)
torch.use_deterministic_algorithms(False)
by_default_dtype(x)
torch.set_default_dtype(torch.float64)
by_default_dtype(x)
torch.set_default_dtype(torch.float32)
threads = torch.get_num_threads()
by_threads(x)
torch.set_num_threads(threads + 1)
by_threads(x)
torch.set_num_threads(threads)
images = torch.ones(2, 3, 4, 5)
by_layout(images)
by_layout(images.to(memory_format=torch.channels_last))
by_bound(torch.ones(4, 3), torch.tensor(3))
by_bound(torch.ones(6, 3), torch.tensor(5))
by_other_bound(torch.ones(4, 3), torch.tensor(3))
by_other_bound(torch.ones(6, 3), torch.tensor(5))
for STEPS in (1, 2, 3):
    by_global(x)
cache = Cache()
for _ in range(3):
    by_attribute(cache, x)
config = Config()
for size in (4, 5):
    by_size_and_attribute(config, torch.ones(size))
by_none(x)
by_none(x, (torch.ones(4, requires_grad=True), x))
by_gradient(x)
by_gradient(torch.ones(4, requires_grad=True))
by_keyword(ids=x)
by_keyword(ids=x, mask=x)

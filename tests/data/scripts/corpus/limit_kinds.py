"""Functions that reach the recompile limit for one cause each: lengths, dtypes, objects, modules, numbers, static sizes, and strings with fullgraph."""
import torch

torch._dynamo.config.recompile_limit = 3


def compiled(**settings):
    return torch.compile(backend="eager", **settings)


@compiled()
def by_length(xs):
    return sum(xs)


@compiled()
def by_dtype(x):
    return x + 1


class Key:
    pass


@compiled()
def by_object(x, key):
    return x + (id(key) > 0)


class Steps(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.step = 0

    def forward(self, x):
        self.step += 1
        return x * self.step


@compiled()
def by_module(module, x):
    return module(x)


@compiled()
def by_static(x):
    return x - 1


@compiled(fullgraph=True)
def by_name(x, name):
    return x + len(name)


DEPTH = 0


@compiled()
def by_global(x):
    return x.reshape([-1] + [1] * DEPTH)


ones = torch.ones(4)
for i in range(1, 6):
    by_length([ones] * i)
    by_dtype(ones.to((torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int32)[i - 1]))
    DEPTH = i
    by_global(ones)
for key in [Key() for _ in range(5)]:
    by_object(ones, key)
steps = torch.compile(Steps(), backend="eager")
for _ in range(5):
    steps(ones)
for module in [torch.nn.ReLU(), torch.nn.Sigmoid(), torch.nn.Tanh(), torch.nn.ELU(), torch.nn.GELU()]:
    by_module(module, ones)
for size in range(2, 7):
    x = torch.ones(size)
    torch._dynamo.mark_static(x, 0)
    by_static(x)
for name in ("a", "bb", "ccc", "dddd"):
    try:
        by_name(ones, name)
    except torch._dynamo.exc.FailOnRecompileLimitHit as error:
        print(type(error).__name__)

"""Kernels whose buffers are not simply read and written: mutated inputs, reused memory, parts of a cat(), several results."""
import torch


def mutate(x, y):
    """The input itself is overwritten."""
    x.mul_(2)
    return x + y


def counts(state, x):
    """A state that is overwritten by a product, and read before that."""
    before = state.sum()
    state.copy_(x @ x)
    return before


def reuse(x):
    """Each sum needs memory of the same size: that of the one before is used again."""
    for _ in range(3):
        x = (x @ x).relu()
    return x


def parts(x, y):
    """Two products are written into the halves of one buffer."""
    return torch.cat([x @ y, y @ x]).tanh()


def several(x):
    """One kernel gives several results."""
    return x.sin(), x.cos(), x.max(), x.argmax(dim=1)


def sorted_rows(x):
    """A call of a library with two results."""
    values, places = torch.sort(x * 2, dim=1)
    return values + 1, places


def views(x):
    """Results that are other looks at one buffer, and at an input."""
    y = (x @ x).exp()
    return y.t(), y.view(-1)[3:9], x.t()


torch.manual_seed(0)
x, y = torch.rand(8, 8), torch.rand(8, 8)
for function, inputs in ((mutate, (x.clone(), y)), (counts, (x.clone(), y)), (reuse, (x,)), (parts, (x, y)), (several, (x,)),
                         (sorted_rows, (x,)), (views, (x,))):
    torch.compile(function)(*inputs)

"""Functions whose __defaults__, __kwdefaults__ and __closure__ are guarded only where gradients are on, or that change."""
import torch


def make(scale):
    def apply(x, shift=1.0, *, power=2):
        return x**power * scale + shift

    return apply


@torch.compile(backend="eager")
def run(sizes, x, f):
    x = x.reshape(sizes)
    return f(x) if torch.is_grad_enabled() else f(x, 2.0, power=3)


@torch.compile(backend="eager")
def total(pair):
    return pair[0] + pair[1]


f, x = make(3), torch.ones(2, 3)
total((x, x))
run((3, 2), x, f)
with torch.no_grad():
    run((3, 2), x, f)
f.__defaults__ = (2.0,)
run((3, 2), x, f)
f.__kwdefaults__ = {"power": 3}
run((3, 2), x, f)
run((3, 2), x, make(4))

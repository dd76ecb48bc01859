"""Limits and stances: what happens to a call that no version fits."""
import torch
import torch._dynamo as dynamo


def attempt(f, *args):
    try:
        f(*args)
        print(f.__name__, "no error")
    except Exception as e:
        print(f.__name__, type(e).__name__, str(e).split("\n")[0])


compiled = torch.compile(backend="eager", dynamic=False)


@compiled
def eager_on_recompile(x):
    return x.sin()


@compiled
def fail_on_recompile(x):
    return x.cos()


@compiled
def low_limit(x):
    return x.exp()


@compiled
def hard_limit(x):
    return x.tanh()


@torch.compile(backend="eager", dynamic=True)
def all_dynamic(x, n):
    return x + n


@torch.compile(backend="eager")
def static_mark(x):
    return x * 2


@torch.compile(backend="aot_eager")
def modes(x):
    return x @ x


@torch.compile(backend="eager")
def accumulated(x, fn):
    return fn(x)


eager_on_recompile(torch.ones(2))
with torch.compiler.set_stance("eager_on_recompile"):
    attempt(eager_on_recompile, torch.ones(3))
fail_on_recompile(torch.ones(2))
with torch.compiler.set_stance("fail_on_recompile"):
    attempt(fail_on_recompile, torch.ones(3))
with dynamo.config.patch(recompile_limit=2):
    for n in (2, 3, 4, 5):
        attempt(low_limit, torch.ones(n))
with dynamo.config.patch(recompile_limit=2, fail_on_recompile_limit_hit=True):
    for n in (2, 3, 4):
        attempt(hard_limit, torch.ones(n))
for n in (3, 5):
    all_dynamic(torch.ones(n), n + 1)
all_dynamic(torch.ones(1), 6)
for n in (3, 5, 6):
    t = torch.ones(n)
    dynamo.mark_static(t, 0)
    static_mark(t)
x = torch.ones(3, 3)
modes(x)
with torch.autocast("cpu", dtype=torch.bfloat16):
    modes(x)
with torch.inference_mode():
    modes(torch.ones(3, 3))
with torch.no_grad():
    modes(x)
with dynamo.config.patch(accumulated_recompile_limit=2):
    for fn in (lambda t: t + 1, lambda t: t + 2, lambda t: t + 3):
        attempt(accumulated, x, fn)

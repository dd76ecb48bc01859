"""Recompile reasons that are sentences, refused recompiles, identity guards and isolated caches."""
import enum
import torch
import torch._dynamo as dynamo
from torch.overrides import TorchFunctionMode

def attempt(f, *args, **kw):
    try:
        f(*args, **kw)
    except Exception as e:
        print(f.__name__, type(e).__name__, str(e).split("\n")[0])

compiled = torch.compile(backend="eager")

@compiled
def marking_added(x): return x.sin()
marking_added(torch.ones(3)); t = torch.ones(4); dynamo.mark_dynamic(t, 0); marking_added(t)

@compiled
def marking_subset(x): return x.sin()
t = torch.ones(4, 5); dynamo.mark_dynamic(t, 0); marking_subset(t)
t = torch.ones(4, 5); dynamo.mark_dynamic(t, 1); marking_subset(t)

@compiled
def marking_unbacked(x): return x.sin()
t = torch.ones(4, 5); dynamo.decorators.mark_unbacked(t, 0); marking_unbacked(t)
t = torch.ones(4, 5); dynamo.decorators.mark_unbacked(t, 1); marking_unbacked(t)

@compiled
def marking_range(x): return x.sin()
t = torch.ones(4, 5); dynamo.mark_dynamic(t, 0, min=2, max=8); marking_range(t)
t = torch.ones(4, 5); dynamo.mark_dynamic(t, 0, min=2, max=16); marking_range(t)

@compiled
def static_marking(x): return x.sin()
static_marking(torch.ones(4)); t = torch.ones(5); dynamo.mark_static(t, 0); static_marking(t)

class Mode(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))

@compiled
def mode_stack(x): return x.sin()
mode_stack(torch.ones(3))
with Mode(): mode_stack(torch.ones(3))
with torch.device("cpu"): mode_stack(torch.ones(3))

class A: a = 4
class B(A): pass
@compiled
def mro(x, o): return x + o.a
mro(torch.ones(3), B()); A.a = 5; mro(torch.ones(3), B())

class E(enum.Enum):
    ONE = 1
    TWO = 2
@compiled
def by_enum(x, e):
    return x.sin() if e is E.ONE else x.cos()
by_enum(torch.ones(3), E.ONE); by_enum(torch.ones(3), E.TWO)

@compiled
def by_fn(x, f): return f(x)
for k in range(3): by_fn(torch.ones(3), lambda t: t + 1)

@compiled
def by_dtype(x, d): return x.to(d)
by_dtype(torch.ones(3), torch.float64); by_dtype(torch.ones(3), torch.float16)

class Net(torch.nn.Module):
    def __init__(self, n):
        super().__init__(); self.l = torch.nn.Linear(3, 3); self.act = [torch.relu, torch.sin, torch.cos][n]
    def forward(self, x): return self.act(self.l(x))
nets = [Net(i) for i in range(3)]
for n in nets: n.compile(backend="eager")
for n in nets: n(torch.ones(1, 3))

@compiled
def obj(x, o):
    return x + o()
class K:
    def __init__(self, v): self.v = v
    def __call__(self): return self.v
obj(torch.ones(3), K(1)); obj(torch.ones(3), K(2))

@compiled
def refused_error(x): return x.tan()
refused_error(torch.ones(3))
with dynamo.config.patch(error_on_recompile=True): attempt(refused_error, torch.ones(4))
refused_error(torch.ones(3))
@compiled
def refused_stance(x): return x.tanh()
refused_stance(torch.ones(3))
with torch.compiler.set_stance("fail_on_recompile"): attempt(refused_stance, torch.ones(4))

def iso(x, n): return x + n
for k in range(3):
    torch.compile(iso, backend="eager", isolate_recompiles=True)(torch.ones(3), k)
def noiso(x, n): return x + n
for k in range(3):
    torch.compile(noiso, backend="eager")(torch.ones(3), k)
def backendfn(gm, ex): return gm.forward
def be(x): return x.sigmoid()
for k in range(3):
    torch.compile(be, backend=lambda gm, ex: gm.forward)(torch.ones(3))
@compiled
def by_range(x, r):
    for i in r: x = x + i
    return x
by_range(torch.ones(3), range(3)); by_range(torch.ones(3), range(4))
@compiled
def by_set(x, s): return x + 1 if "a" in s else x
by_set(torch.ones(3), {"a"}); by_set(torch.ones(3), {"b"})
@compiled
def by_iter(x, it): return x + next(it)
by_iter(torch.ones(3), iter([1,2])); by_iter(torch.ones(3), iter([2,3,4]))
@compiled
def default_device(x): return x + torch.ones(3)
default_device(torch.ones(3)); torch.set_default_device("cpu"); default_device(torch.ones(3)); torch.set_default_device(None)
@compiled
def functorch(x): return x.sin()
functorch(torch.ones(3)); torch.func.grad(lambda t: functorch(t).sum())(torch.ones(3)); torch.vmap(functorch)(torch.ones(2, 3))

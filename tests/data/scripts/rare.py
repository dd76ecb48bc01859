"""Records that few programs emit: one small function for each kind of artifact."""
import os

os.environ["AOT_PARTITIONER_DEBUG"] = "1"  # for min_cut_information
import torch  # noqa: E402
import torch._dynamo  # noqa: E402
from functorch.compile import make_boxed_func  # noqa: E402
from torch._dynamo.backends.common import aot_autograd  # noqa: E402


def attempt(f, *args):
    try:
        return f(*args)
    except Exception as e:
        print("expected:", type(e).__name__)


def boxed(gm, inputs):
    return make_boxed_func(gm.forward)


# eager_compile_backwards_failure: the backward is compiled with the forward (symints are saved) and fails
def no_backward(gm, inputs):
    raise RuntimeError("no backward today")


@torch.compile(backend=aot_autograd(fw_compiler=boxed, bw_compiler=no_backward), dynamic=True)
def saves_sizes(x):
    return (x.sum(0, keepdim=True).expand(x.shape[0], x.shape[1]) * x.shape[0]).sin().sum()


attempt(saves_sizes, torch.ones(3, 4, requires_grad=True))


# fx_interpreter_error: the backend runs the graph with too few columns
def interprets(gm, inputs):
    torch.fx.Interpreter(gm).run(torch.ones(3, 5), torch.ones(3, 5))
    return gm.forward


@torch.compile(backend=interprets)
def interpreted(x, y):
    return x @ y


attempt(interpreted, torch.ones(3, 3), torch.ones(3, 3))

# aot_saved_tensors_hooks_graphs: traced pack and unpack hooks
pack = torch.fx.symbolic_trace(lambda t: t.to(torch.float64))
unpack = torch.fx.symbolic_trace(lambda t: t.to(torch.float32))


@torch.compile(backend="aot_eager")
def hooked(x):
    return (x.sin() * x.cos()).sum()


with torch.autograd.graph.saved_tensors_hooks(pack, unpack), torch._functorch.config.patch(
    saved_tensors_hooks_filtering_mode="all"
):
    attempt(hooked, torch.ones(4, requires_grad=True))

# min_cut_information: activation checkpointing by a memory budget
with torch._functorch.config.patch(activation_memory_budget=0.5):
    @torch.compile(backend="aot_eager_decomp_partition")
    def budgeted(x, w):
        for _ in range(3):
            x = (x @ w).sin()
        return x.sum()

    attempt(budgeted, torch.ones(4, 4, requires_grad=True), torch.ones(4, 4, requires_grad=True))

# precompile_cache_bypass: a function whose guards cannot be saved
def local():
    class Odd:
        n = 1

    return Odd()


with torch._dynamo.config.patch(caching_precompile=True):
    @torch.compile(backend="eager")
    def unsaved(x, o):
        return x + o.n

    attempt(unsaved, torch.ones(3), local())

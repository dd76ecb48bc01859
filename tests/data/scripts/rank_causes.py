"""Two to four gloo ranks that diverge for one reason each: rank_causes.py [CASE...].

The logs of a case go to a folder of its name below TORCH_TRACE. Ranks are forks, so torch is imported once.
"""
import os
import signal
import socket
import sys
import time

import torch
import torch._dynamo
import torch._inductor.config
import torch.distributed as dist
import torch.distributed._functional_collectives as funcol
from torch._dynamo.backends.common import aot_autograd
from torch.fx.experimental.proxy_tensor import make_fx

CASES = {}


def case(world=3):
    def add(fn):
        CASES[fn.__name__] = (fn, world)
        return fn

    return add


def compiled(fn, backend="aot_eager", **more):
    return torch.compile(fn, backend=backend, **more)


def head(x):
    return x.sin() * 2


def tail(x):
    return (x - 1).relu().sum()


@case()
def branch(rank, world):
    def step(x):
        if rank == 2:
            y = x.cos()
        else:
            y = x.sin()
        return y + 1

    compiled(head)(torch.ones(4))
    compiled(step)(torch.ones(4))
    compiled(tail)(torch.ones(4))


@case()
def branch_collective(rank, world):
    def step(x):
        y = x * 2
        if rank == 1:
            y = funcol.all_gather_tensor(y, 0, dist.group.WORLD)
        y = funcol.all_reduce(y, "sum", dist.group.WORLD)
        return y + 1

    torch._dynamo.config.suppress_errors = False
    f = compiled(step, backend=no_run)
    f(torch.ones(4))
    compiled(tail)(torch.ones(4))


def no_run(gm, inputs):
    """Compiles, and never runs: ranks that disagree would wait for each other."""
    from torch._dynamo.backends.debugging import aot_eager

    aot_eager(gm, inputs)
    return lambda *args: [torch.zeros(())]


@case()
def shape(rank, world):
    n = 8 if rank == 1 else 4
    compiled(head)(torch.ones(n, 4))
    compiled(tail)(torch.ones(n, 4))


@case()
def dtype(rank, world):
    kind = torch.float64 if rank == 1 else torch.float32
    compiled(head)(torch.ones(4, dtype=kind))
    compiled(tail)(torch.ones(4, dtype=kind))


@case()
def config(rank, world):
    if rank == 1:
        torch._inductor.config.max_fusion_size = 3
        torch._dynamo.config.cache_size_limit = 4
    compiled(head, backend="inductor")(torch.ones(8))
    compiled(tail, backend="inductor")(torch.ones(8))


@case(2)
def mode(rank, world):
    options = {"mode": "max-autotune-no-cudagraphs"} if rank == 1 else {}
    compiled(head, backend="inductor", **options)(torch.ones(8))


@case()
def dynamic_flag(rank, world):
    f = compiled(head, dynamic=True if rank == 1 else None)
    f(torch.ones(8))
    f(torch.ones(9))
    f(torch.ones(10))


@case()
def graph_break(rank, world):
    def step(x):
        y = x + 1
        if rank == 1:
            torch._dynamo.graph_break()
        return y.relu() + 2

    compiled(head)(torch.ones(4))
    compiled(step)(torch.ones(4))
    compiled(tail)(torch.ones(4))


@case()
def crash(rank, world):
    def broken(gm, inputs):
        if rank == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return gm.forward

    compiled(head)(torch.ones(4))
    compiled(tail, backend=broken)(torch.ones(4))
    compiled(head)(torch.ones(4, 4))


@case()
def fails(rank, world):
    def broken(gm, inputs):
        if rank == 1:
            raise RuntimeError("out of memory on this device")
        return gm.forward

    compiled(head)(torch.ones(4))
    try:
        compiled(tail, backend=broken)(torch.ones(4))
    except Exception as e:
        print("expected:", type(e).__name__)
    compiled(head)(torch.ones(4, 4))


@case()
def never_starts(rank, world):
    if rank == 1:
        time.sleep(3)  # in its data loader: this rank compiles nothing before it is killed
        os.kill(os.getpid(), signal.SIGKILL)
    compiled(head)(torch.ones(4))
    compiled(tail)(torch.ones(4))


@case()
def never_second(rank, world):
    compiled(head)(torch.ones(4))
    if rank == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    compiled(tail)(torch.ones(4))
    compiled(head)(torch.ones(4, 4))


@case()
def hangs(rank, world):
    def slow(gm, inputs):
        if rank == 1:
            time.sleep(6)
            os.kill(os.getpid(), signal.SIGKILL)
        return gm.forward

    compiled(head)(torch.ones(4))
    compiled(tail, backend=slow)(torch.ones(4))
    compiled(head)(torch.ones(4, 4))


@case(4)
def hangs_apart(rank, world):
    """Ranks 0 and 1 hang in the backend of tail, rank 2 in that of head, rank 3 is through."""

    def slow(where):
        def backend(gm, inputs):
            if rank in where:
                time.sleep(4 + rank)
                os.kill(os.getpid(), signal.SIGKILL)
            return gm.forward

        return backend

    compiled(head, backend=slow([2]))(torch.ones(4))
    compiled(tail, backend=slow([0, 1]))(torch.ones(4))


@case()
def slow_rank(rank, world):
    def slow(gm, inputs):
        if rank == 1:
            time.sleep(4)
        return gm.forward

    compiled(head, backend=slow)(torch.ones(4))
    compiled(tail, backend=slow)(torch.ones(4))


@case()
def warm(rank, world):
    base = os.environ["TORCHINDUCTOR_CACHE_DIR"]
    if rank == 1:
        compiled(head, backend="inductor")(torch.ones(8))
        compiled(tail, backend="inductor")(torch.ones(8))
        torch._dynamo.reset()
    dist.barrier()
    trace_from_here(rank)
    compiled(head, backend="inductor")(torch.ones(8))
    compiled(tail, backend="inductor")(torch.ones(8))


def trace_from_here(rank):
    import logging

    for handler in logging.getLogger("torch.__trace").handlers:
        path = handler._stream_path
        handler.close()
        handler._closed = False
        if path:
            os.unlink(path)
    torch._logging.structured.INTERN_TABLE.clear()


@case()
def warm_up(rank, world):
    def warm(x):
        return x * 3

    if rank == 0:
        compiled(warm)(torch.ones(4))
    for n in range(4):
        scope = {}
        exec(f"def layer{n}(x):\n    return x + {n}\n", scope)
        compiled(scope[f"layer{n}"])(torch.ones(4))
    compiled(head)(torch.ones(4))
    compiled(tail)(torch.ones(4))


@case()
def recompile(rank, world):
    f = compiled(head)
    f(torch.ones(4))
    if rank == 1:
        f(torch.ones(7))
    compiled(tail)(torch.ones(4))


@case()
def lengths(rank, world):
    """Each rank sees other lengths: one of them sees one length only."""
    f, g = compiled(head), compiled(tail)
    for n in (4, 6, 9) if rank != 2 else (4, 4, 4):
        f(torch.ones(n))
        g(torch.ones(n))


@case()
def log_off(rank, world):
    def reduce(x):
        return funcol.all_reduce(x * 2, "sum", dist.group.WORLD) + 1

    if rank == 1:
        torch._inductor.config.log_tlparse = False
    compiled(reduce, backend="inductor")(torch.ones(8))


@case()
def no_metrics(rank, world):
    """Rank 1 is killed before the first compile's metrics are written: a log with records and no compile that ended."""

    def stop(gm, inputs):
        if rank == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return gm.forward

    compiled(head, backend=stop)(torch.ones(4))
    compiled(tail)(torch.ones(4))


@case()
def versions(rank, world):
    """The same function, two lines further down in the file of rank 1."""
    folder = f"/tmp/src_rank{rank}"
    os.makedirs(folder, exist_ok=True)
    pad = "# a comment\n# another\n" if rank == 1 else ""
    code = f"{pad}def model(x):\n    y = x.sin()\n    return y + 1\n\n\ndef loss(x):\n    return x.sum()\n"
    path = "/tmp/model.py"
    lock = dist.barrier
    for r in range(world):
        if r == rank:
            with open(path, "w") as out:
                out.write(code)
            scope = {}
            exec(compile(code, path, "exec"), scope)
            compiled(scope["model"])(torch.ones(4))
            compiled(scope["loss"])(torch.ones(4))
        lock()


@case()
def versions_code(rank, world):
    """The same function at the same line, with another body on rank 1."""
    path = "/tmp/model2.py"
    body = "x.sin() * 3" if rank == 1 else "x.sin() + 1"
    code = f"def model(x):\n    y = {body}\n    return y + 1\n\n\ndef loss(x):\n    return x.sum()\n"
    for r in range(world):
        if r == rank:
            with open(path, "w") as out:
                out.write(code)
            scope = {}
            exec(compile(code, path, "exec"), scope)
            compiled(scope["model"])(torch.ones(4))
            compiled(scope["loss"])(torch.ones(4))
        dist.barrier()


@case(2)
def ddp(rank, world):
    from torch.nn.parallel import DistributedDataParallel as DDP

    torch.manual_seed(0)
    net = DDP(torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 4)))
    f = compiled(net)
    for n in range(2):
        f(torch.ones(4 + rank * n, 8)).sum().backward()


@case(2)
def fsdp2(rank, world):
    from torch.distributed._composable.fsdp import fully_shard
    from torch.distributed.device_mesh import init_device_mesh

    mesh = init_device_mesh("cpu", (world,))
    net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU(), torch.nn.Linear(8, 4))
    fully_shard(net[0], mesh=mesh)
    fully_shard(net, mesh=mesh)
    f = compiled(net)
    f(torch.ones(4, 8)).sum().backward()


@case(4)
def mesh(rank, world):
    """A two-dimensional mesh: collectives run in groups of two."""
    from torch.distributed.device_mesh import init_device_mesh

    grid = init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
    tp, dp = grid.get_group("tp"), grid.get_group("dp")

    def step(x):
        y = funcol.all_gather_tensor(x, 0, tp)
        return funcol.all_reduce(y, "sum", dp) + 1

    compiled(step)(torch.ones(4))


@case(4)
def subgroups(rank, world):
    """Ranks 0 and 1 form one group, 2 and 3 another: collectives have other groups, and that is no difference."""
    groups = [dist.new_group([0, 1]), dist.new_group([2, 3])]
    mine = groups[rank // 2]

    def step(x):
        return funcol.all_reduce(x, "sum", mine) + 1

    compiled(step)(torch.ones(4))


@case(4)
def pipeline(rank, world):
    """Two stages: ranks 0 and 1 compile the first half of a model, 2 and 3 the second."""
    def first(x):
        return x.sin() * 2

    def second(x):
        return x.cos() - 1

    compiled(first if rank < 2 else second)(torch.ones(4))
    compiled(tail)(torch.ones(4))


@case()
def order(rank, world):
    fs = [compiled(head), compiled(tail)]
    for f in reversed(fs) if rank == 1 else fs:
        f(torch.ones(4))


@case()
def schedule_and_graph(rank, world):
    """Rank 1 has another collective in the output code only through another reduce op."""
    def step(x):
        return funcol.all_reduce(x * 2, "max" if rank == 1 else "sum", dist.group.WORLD) + 1

    compiled(step, backend="inductor")(torch.ones(8))


@case()
def two_causes(rank, world):
    """Rank 1 takes another branch; rank 2 has other sizes, and recompiles: two causes, not more."""
    def step(x):
        if rank == 1:
            x = x.cos()
        return x + 1

    f = compiled(step)
    f(torch.ones(4))
    g = compiled(tail)
    g(torch.ones(6 if rank == 2 else 4))
    if rank == 2:
        g(torch.ones(9))


@case()
def later_branch(rank, world):
    """The branch is in a callee, two frames down; consequence: a recompile on that rank only."""
    def inner(x, flag):
        if flag:
            return x.tanh()
        return x.sigmoid()

    def step(x, flag):
        y = inner(x, flag)
        return y + 1

    f = compiled(step)
    f(torch.ones(4), True)
    if rank == 0:
        f(torch.ones(4), False)
    compiled(tail)(torch.ones(4))


@case()
def eager_rank(rank, world):
    """torch.compile is off on rank 1 (disable=True), so that its log has no compile of these functions."""
    compiled(head)(torch.ones(4))
    f = tail if rank == 1 else compiled(tail)
    f(torch.ones(4))
    compiled(branch_free)(torch.ones(4))


def branch_free(x):
    return x / 2


@case()
def reset_one(rank, world):
    """Rank 1 resets Dynamo and compiles all again: one cause."""
    f, g = compiled(head), compiled(tail)
    for i in range(2):
        f(torch.ones(4))
        g(torch.ones(4))
        if rank == 1:
            torch._dynamo.reset()


@case(4)
def stages(rank, world):
    """A pipeline of four stages, each a module of its own class; then all compile the same loss."""
    stage = [Embed, Middle, Mixer, Head][rank]()
    compiled(stage)(torch.ones(4, 8))
    compiled(tail)(torch.ones(4))


@case(4)
def stages_branch(rank, world):
    """The same pipeline; in the function that all compile rank 2 takes another branch, and rank 1 compiles one function more."""

    def step(x):
        if rank == 2:
            return x.cos() + 1
        return x.sin() + 1

    stage = [Embed, Middle, Mixer, Head][rank]()
    compiled(stage)(torch.ones(4, 8))
    compiled(step)(torch.ones(4))


@case(4)
def stages_of_one_class(rank, world):
    """A pipeline whose stages are parts of one model: all have its class, and other layers of it."""
    compiled(Part(rank, world))(torch.ones(4, 8))
    compiled(tail)(torch.ones(4))


@case()
def guard_values(rank, world):
    """The same graph under other guards: rank 1 has another string and another list."""
    kind = "mean" if rank == 1 else "sum"
    sizes = [1, 2, 3] if rank == 1 else [1, 2]

    def step(x):
        if kind in ("mean", "sum") and sizes:
            return x + 1
        return x - 1

    compiled(head)(torch.ones(4))
    compiled(step)(torch.ones(4))


@case(4)
def world_size(rank, world):
    """Reduces over all ranks, under Inductor: its program of the graph sets up a group of four."""

    def step(x):
        return funcol.all_reduce(x, "sum", dist.group.WORLD) + 1

    compiled(step, backend="inductor")(torch.ones(4))


@case(4)
def group_size(rank, world):
    """The same over ranks 0 to 2."""
    mine = dist.new_group([0, 1, 2])

    def step(x):
        return funcol.all_reduce(x, "sum", mine) + 1

    if rank < 3:
        compiled(step, backend="inductor")(torch.ones(4))


class Embed(torch.nn.Module):
    def forward(self, x):
        return x.sin() * 2


class Middle(torch.nn.Module):
    def forward(self, x):
        return x.cos() + 1


class Mixer(torch.nn.Module):
    def forward(self, x):
        return x.relu() - 1


class Head(torch.nn.Module):
    def forward(self, x):
        return x.sum(-1)


class Part(torch.nn.Module):
    def __init__(self, stage, stages):
        super().__init__()
        self.embed = torch.nn.Linear(8, 8) if stage == 0 else None
        layers = range(stage * 2, stage * 2 + 2)
        self.layers = torch.nn.ModuleDict({str(n): torch.nn.Linear(8, 8) for n in layers})
        self.head = torch.nn.Linear(8, 2) if stage == stages - 1 else None

    def forward(self, x):
        if self.embed is not None:
            x = self.embed(x)
        for layer in self.layers.values():
            x = layer(x).relu()
        if self.head is not None:
            x = self.head(x)
        return x


def run(name, rank, port):
    fn, world = CASES[name]
    import logging

    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(world))
    cache = os.environ.get("TORCHINDUCTOR_CACHE_DIR", "/tmp/cache")
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = f"{cache}/{name}/rank{rank}"
    for handler in logging.getLogger("torch.__trace").handlers:
        handler.root_dir = os.path.join(handler.root_dir, name)
    torch.set_num_threads(1)
    torch._inductor.config.cpp_cache_precompile_headers = False
    dist.init_process_group("gloo", rank=rank, world_size=world)
    fn(rank, world)
    dist.barrier()
    dist.destroy_process_group()


def main(names):
    for name in names or CASES:
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        children = []
        for rank in range(CASES[name][1]):
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    run(name, rank, port)
                    code = 0
                except BaseException as e:
                    print(name, rank, type(e).__name__, str(e)[:200], flush=True)
                finally:
                    logging_flush()
                    os._exit(code)
            children.append(child)
        print(name, [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children], flush=True)


def logging_flush():
    import logging

    for handler in logging.getLogger("torch.__trace").handlers:
        handler.flush()


if __name__ == "__main__":
    main(sys.argv[1:])

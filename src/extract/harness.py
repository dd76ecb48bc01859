# ---- How the program runs. This part is tlparse's own: nothing in it comes from the log. -----------------------------
import argparse
import ast
import atexit
import contextlib
import copy
import importlib
import inspect
import logging
import math
import os
import re
import shutil
import signal
import statistics
import sys
import tempfile
import time
import traceback
import types
import warnings

TL_BACKENDS = "eager,aot_eager,inductor"
TL_CONFIGS = ("torch._inductor.config", "torch._dynamo.config", "torch._functorch.config", "torch.fx.experimental._config")
TL_TYPES = {
    "f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8",
    "u64": "uint64", "u32": "uint32", "u16": "uint16", "u8": "uint8", "b8": "bool", "c32": "complex32", "c64": "complex64", "c128": "complex128",
    "f8e4m3fn": "float8_e4m3fn", "f8e5m2": "float8_e5m2", "f8e4m3fnuz": "float8_e4m3fnuz", "f8e5m2fnuz": "float8_e5m2fnuz",
}  # fmt: skip
# Variables of folders to which PyTorch and what it calls write.
TL_FOLDERS = (
    "TMPDIR", "XDG_CACHE_HOME", "TORCHINDUCTOR_CACHE_DIR", "TRITON_HOME", "TRITON_CACHE_DIR", "TORCH_COMPILE_DEBUG_DIR", "TORCH_EXTENSIONS_DIR",
    "PYTORCH_KERNEL_CACHE_PATH", "CUDA_CACHE_PATH", "MIOPEN_USER_DB_PATH", "MIOPEN_CUSTOM_CACHE_DIR",
)  # fmt: skip
TL_STATE = {}


class TlError(Exception):
    """A message for the person who runs the program, without a traceback."""


def tl_say(text):
    print(text, file=sys.stderr, flush=True)


def tl_arguments(program):
    parser = argparse.ArgumentParser(
        description=program["title"] + ". Contains code from the log: read it before you run it.",
        epilog="Writes only to a temporary folder, which is removed at the end, and to the folders of --trace and --cache. Exit status: 0 if it ran, "
        "and --check and --ablate found no difference; 1 otherwise; 2 if it cannot run here.",
    )
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument("--run", dest="mode", action="store_const", const="run", help="run the graph once")
    modes.add_argument("--check", dest="mode", action="store_const", const="check", help="compare the results with those of eager mode")
    modes.add_argument("--bench", dest="mode", action="store_const", const="bench", help="print run times, compiled and in eager mode")
    modes.add_argument("--ablate", metavar="BACKENDS", nargs="?", const=TL_BACKENDS, help=f"run each backend, such as {TL_BACKENDS}")
    modes.add_argument("--minify", dest="mode", action="store_const", const="minify",
                       help="let PyTorch's minifier find a small graph that fails, or differs from eager mode, and print it")  # fmt: skip
    parser.add_argument("--backend", default=program["backend"], help="the backend (default: %(default)s)")
    parser.add_argument("--backward", action="store_true", default=program["run_backward"],
                        help="also run the backward, for a graph from Dynamo")  # fmt: skip
    parser.add_argument("--cpu", action="store_true", help="move all devices to the CPU; the kernels are then others than in the log")
    parser.add_argument("--rtol", type=float, help="relative tolerance of --check and --ablate (default: by type)")
    parser.add_argument("--atol", type=float, help="absolute tolerance of --check and --ablate (default: by type)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random inputs")
    parser.add_argument("--cache", metavar="DIR", help="keep compiled code in DIR, so that another run takes less time")
    parser.add_argument("--trace", metavar="DIR", help="write a log of PyTorch for tlparse to DIR (TORCH_TRACE)")
    options = parser.parse_args()
    if options.ablate is not None:
        options.mode = "ablate"
    options.mode = options.mode or program["mode"]
    options.ablate = options.ablate or program["ablate"] or TL_BACKENDS
    return options


def tl_start(program):
    """Before PyTorch is imported: everything that it writes goes to a temporary folder."""
    TL_STATE["program"], TL_STATE["path"] = program, os.path.abspath(sys.argv[0])
    TL_STATE["options"] = options = tl_arguments(program)
    trace, cache = (os.path.abspath(path) if path else None for path in (options.trace, options.cache))
    sys.dont_write_bytecode = True
    folder, before = tempfile.mkdtemp(prefix="tlparse-extract-"), os.getcwd()

    process = os.getpid()

    def remove():
        if os.getpid() == process:
            os.chdir(before)
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    for name in list(os.environ):
        if re.match(r"TORCH_(TRACE|LOGS_OUT|DTRACE|COMPILE_DEBUG)|TORCH(DYNAMO|INDUCTOR|_COMPILE)_|TRITON_|AOT_INDUCTOR|INDUCTOR_", name):
            del os.environ[name]
    os.environ.update(program["environment"])
    for name in TL_FOLDERS:
        os.environ[name] = os.path.join(folder, name.lower())
        os.mkdir(os.environ[name])
    if cache:
        os.environ["TORCHINDUCTOR_CACHE_DIR"], os.environ["TRITON_CACHE_DIR"] = cache, os.path.join(cache, "triton")
    tempfile.tempdir = None
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    if trace:
        os.environ["TORCH_TRACE"] = trace
    os.chdir(folder)
    tl_settings(program)
    if program["threads"]:
        import torch

        several = program["threads"] == "several"  # the log does not say how many
        torch.set_num_threads(max(2, torch.get_num_threads()) if several else max(1, int(program["threads"])))
    return options


def tl_settings(program):
    """Applies the settings of the run, and compares versions."""
    try:
        import torch
    except ImportError as error:
        tl_say(f"cannot import PyTorch: {error}")
        sys.exit(2)
    recorded, here = program["torch"], torch.__version__
    if recorded and recorded.split("+")[0] != here.split("+")[0]:
        tl_say(f"note: this program is for PyTorch {recorded}, but this is {here}: it may fail, or compile other kernels")
    for name, text in program["settings"]:
        module = next(config for config in TL_CONFIGS if name.startswith(config + "."))
        try:
            place, value = importlib.import_module(module), ast.literal_eval(text)
            *parents, last = name[len(module) + 1 :].split(".")
            for parent in parents:
                place = getattr(place, parent)
            getattr(place, last)
            setattr(place, last, value)
        except Exception as error:
            tl_say(f"note: cannot set {name} = {text}: {error}")


def tl_device(*arguments, **named):
    import torch

    return torch.device("cpu") if TL_STATE["options"].cpu else torch.device(*arguments, **named)


# ---- inputs ----


def tl_clone(values):
    """Copies with the same strides, for each run its own. Views of one storage stay views of one copy."""
    import torch

    copies, storages = [], {}
    for value in values:
        if isinstance(value, torch.Tensor) and type(value) is torch.Tensor and value.layout == torch.strided:
            storage = value.untyped_storage()
            key = storage._cdata
            with torch.no_grad():
                if key not in storages:
                    storages[key] = storage.clone()
                other = torch.empty(0, dtype=value.dtype, device=value.device)
                other.set_(storages[key], value.storage_offset(), value.size(), value.stride())
            other.requires_grad_(value.requires_grad) if value.requires_grad else None
            value = other.clone() if not value.is_leaf else other
        copies.append(value)
    return copies


def tl_number(text, hints):
    """The value of a size: an integer, or an expression of symbols, such as 4*s77."""

    def value(node):
        if isinstance(node, ast.Expression):
            return value(node.body)
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return node.value
        if isinstance(node, ast.Name):
            if node.id not in hints and re.fullmatch(r"u\d+", node.id):
                tl_say(f"note: the log has no value of the symbol {node.id}, which depends on data: 2 is taken")
                hints[node.id] = 2
            if node.id not in hints:
                raise TlError(f"the log has no value of the symbol {node.id}")
            return hints[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.BinOp):
            a, b = value(node.left), value(node.right)
            if isinstance(node.op, ast.Pow) and 0 <= b < 8:
                return a**b
            for kind, result in (ast.Add, lambda: a + b), (ast.Sub, lambda: a - b), (ast.Mult, lambda: a * b), (ast.FloorDiv, lambda: a // b):
                if isinstance(node.op, kind):
                    return result()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            of = {"Max": max, "Min": min, "max": max, "min": min, "Mod": lambda a, b: a % b, "PythonMod": lambda a, b: a % b,
                  "FloorDiv": lambda a, b: a // b, "CeilDiv": lambda a, b: -(-a // b), "IntTrueDiv": lambda a, b: a / b,
                  "CeilToInt": math.ceil, "FloorToInt": math.floor, "TruncToInt": math.trunc}  # fmt: skip
            if node.func.id in of:
                return of[node.func.id](*(value(argument) for argument in node.args))
        raise TlError(f"cannot compute the size {text}")

    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise TlError(f"cannot compute the size {text[:80]}") from None
    return value(tree)


def tl_list(text, hints):
    """The sizes of "8, Max(1, s77)"."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == "," and not depth:
            parts.append(part)
            part = ""
        else:
            part += c
    return [tl_number(each, hints) for each in [*parts, part] if each.strip()]


def tl_tensor(name, annotation, hints, source):
    import torch

    whole = re.fullmatch(r"(?:Parameter\()?(\w+)\[(.*)\]\[(.*)\]([a-z]+(?::\d+)?)\)?", annotation)
    if not whole or whole[1] not in TL_TYPES or not hasattr(torch, TL_TYPES[whole[1]]):
        raise TlError(f"cannot make the input {name}: {annotation}")
    kind, device = getattr(torch, TL_TYPES[whole[1]]), tl_device(whole[4])
    sizes, strides = tl_list(whole[2], hints), tl_list(whole[3], hints)
    reach = 1 + sum((size - 1) * abs(stride) for size, stride in zip(sizes, strides)) if all(size > 0 for size in sizes) else 0
    values = torch.randn(reach) if kind.is_floating_point or kind.is_complex else torch.zeros(reach)
    tensor = torch.as_strided(values.to(kind).to(device), sizes, strides)
    if "requires_grad" in source and (kind.is_floating_point or kind.is_complex):
        tensor.requires_grad_()
        tensor = tensor if "leaf" in source else tensor.clone(memory_format=torch.preserve_format)
    return torch.nn.Parameter(tensor) if "parameter" in source and tensor.is_leaf else tensor


def tl_hints(program):
    hints = {name: value for name, value in program["hints"].items() if re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", value)}
    return {name: float(value) if re.search("[.e]", value) else int(value) for name, value in hints.items()}


def tl_dynamo_inputs(graph, program):
    hints = tl_hints(program)
    sources = {re.sub(r"[^a-zA-Z0-9]+", "_", source): facts for source, facts in program["sources"].items()}
    values = []
    for name, parameter in inspect.signature(graph.forward).parameters.items():
        annotation = parameter.annotation if isinstance(parameter.annotation, str) else ""
        symbol = re.fullmatch(r"Sym\((.*)\)", annotation)
        if symbol:
            values.append(tl_number(symbol[1], hints))
        elif annotation:
            values.append(tl_tensor(name, annotation, hints, sources.get(name.rstrip("_"), sources.get(name, ""))))
        else:
            raise TlError(f"cannot make the input {name}: the log does not say what it is")
    return values


def tl_marks(text):
    """The sizes that were marked as dynamic, of a message "Constraints violated (L['x'].size()[1])! … 4 <= L['x'].size()[1] <= 64 …": name of the
    input, dimension, least and most."""
    sizes = dict.fromkeys(re.findall(r"([\w.\[\]'\"]+)\.size\(\)\[(\d{1,3})\]", text.partition("!")[0].partition("(")[2]))
    marks = []
    for source, dim in sizes:
        limits = re.search(rf"(\d+) <= {re.escape(source)}\.size\(\)\[{dim}\] <= (\d+)", text)
        marks.append((re.sub(r"[^a-zA-Z0-9]+", "_", source), int(dim), int(limits[1]) if limits else None, int(limits[2]) if limits else None))
    return marks


# ---- the graph ----


def tl_instantiate(kind):
    """An instance with instances of the modules that are written inside of the class."""
    import torch

    parts = {name: part for name, part in vars(kind).items() if isinstance(part, type) and issubclass(part, torch.nn.Module)}
    for name in parts:
        delattr(kind, name)
    module = kind()
    for name, part in parts.items():
        setattr(module, name, tl_instantiate(part))
    return module


class TlFakeReader:
    """Makes fake inputs with the symbolic sizes that the program states."""

    def __init__(self, mode, symbols):
        self.mode, self.symbols, self.args = mode, symbols, []

    def storage(self, storage_hash, nbytes, *, device=None, dtype_hint=None):
        return device or "cpu"

    def tensor(self, storage, shape, stride=None, *, dtype=None, **named):
        import torch

        if stride is None:
            stride = [1]
            for size in reversed(shape[1:]):
                stride.insert(0, stride[0] * size)
        dtype, stride, offset = dtype or torch.float32, stride[: len(shape)], named.get("storage_offset")
        with self.mode:
            if offset:
                reach = offset + 1 + sum((size - 1) * step for size, step in zip(shape, stride))
                self.args.append(torch.empty((reach,), dtype=dtype, device=storage).as_strided(shape, stride, offset))
            else:
                self.args.append(torch.empty_strided(shape, stride, dtype=dtype, device=storage))

    def symint(self, value, *, expr=None):
        same = [symbol for symbol in self.symbols.values() if symbol.node.hint == value]
        if expr is None and len(same) != 1:
            raise TlError("the program does not say which symbol an input is")
        self.args.append(same[0] if expr is None else tl_number(expr, self.symbols))


def tl_symbolic_inputs(names):
    """The mode and fake inputs: sizes that are symbols in the program are symbolic, all others are not."""
    from torch._dynamo.source import ConstantSource
    from torch._subclasses import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv

    values = {name: value for name, value in names.items() if re.fullmatch(r"s\d+", name) and isinstance(value, int)}
    shapes, symbols = ShapeEnv(), {}
    for name, value in values.items():
        source = ConstantSource(name)
        symbol = shapes.create_symbol(value, source=source, dynamic_dim=DimDynamic.DYNAMIC, constraint_dim=None)
        symbols[name] = shapes.create_symintnode(symbol, hint=value, source=source)
    reader = TlFakeReader(FakeTensorMode(shape_env=shapes, allow_non_fake_inputs=True), symbols)
    try:
        names.update(symbols)
        names["load_args"](reader)
    finally:
        names.update(values)
    return reader.mode, reader.args


def tl_segments(name, known):
    """The operators of which a name of a kernel consists, "_unsafe_view_gelu": the fewest parts, in order; None if it cannot be split."""
    best = {(0, ""): []}  # by where the next part begins, and the last part: Inductor sorts them
    for start in range(len(name)):
        if start and name[start - 1] != "_":
            continue
        before = [(last, parts) for (at, last), parts in best.items() if at == start]
        for end in range(start + 1, len(name) + 1) if before else ():
            part = name[start:end]
            if (end < len(name) and name[end] != "_") or part not in known:
                continue
            for last, parts in before:
                key = (end + 1, part)
                if last < part and (key not in best or len(parts) + 1 < len(best[key])):
                    best[key] = [*parts, part]
    return min((parts for (at, _), parts in best.items() if at == len(name) + 1), key=len, default=None)


def tl_operators(kernels, own, known):
    """Which operator each node comes from: Inductor names a kernel after them, and the program has only those after decomposition.

    kernels: [(name, nodes)] of the log. own: the operator of each node. Returns {node: operator, or None for nodes after which nothing is named},
    such that the kernels of these nodes get these names. A node keeps its own operator wherever that is possible."""
    wanted = []
    for name, nodes in kernels:
        fused = re.fullmatch(r"\w*?_fused(?:_(\w+?))?_\d+", name)
        parts = tl_segments(fused[1], known) if fused and fused[1] else [] if fused else None
        if parts is not None:
            wanted.append((set(parts), [node for node in nodes if node in own]))
    allowed, within = {}, {}
    for parts, nodes in wanted:
        for node in nodes:
            allowed[node] = allowed[node] & parts if node in allowed else set(parts)
            within.setdefault(node, []).append((parts, nodes))
    chosen = {node: own[node] if own[node] in parts else None for node, parts in allowed.items()}

    def is_needed(node):
        return any(all(other == node or chosen[other] != chosen[node] for other in nodes) for _, nodes in within[node])

    for parts, nodes in wanted:
        for part in sorted(parts - {chosen[node] for node in nodes}):
            free = [node for node in nodes if part in allowed[node]]
            free = [node for node in free if chosen[node] is None] or [node for node in free if not is_needed(node)]
            if free:
                chosen[free[0]] = part
    return {node: operator or (min(allowed[node]) if allowed[node] else None) for node, operator in chosen.items()}


def tl_find_operator(name):
    """The operator with the name; the part of it that names kernels is the same in all namespaces."""
    import torch

    for space in "aten", "prims":
        packet = getattr(getattr(torch.ops, space), name, None)
        if packet is not None:
            return getattr(packet, packet.overloads()[0])
    space = next((each.split("::")[0] for each in torch._C._dispatch_get_all_op_names() if each.split("::")[1].split(".")[0] == name), None)
    if space:
        packet = getattr(getattr(torch.ops, space), name)
        return getattr(packet, packet.overloads()[0])
    return getattr(torch.ops.higher_order, name, None)


def tl_calls(module):
    """(key, node) of the calls in the graph, and in the graphs inside of it: nodes of several graphs may have one name."""
    import torch

    for path, part in module.named_modules():
        for node in part.graph.nodes if isinstance(part, torch.fx.GraphModule) else ():
            if node.op == "call_function":
                yield f"{path}:{node.name}", node


def tl_own_operators(module):
    """The operators of the nodes; sets them as those that the nodes come from."""
    import torch

    own = {}
    for key, node in tl_calls(module):
        higher = isinstance(node.target, torch._ops.HigherOrderOperator)
        packet = getattr(node.target, "_overloadpacket", None)
        own[key] = str(node.target.name()) if higher else packet.__name__ if packet else None
        node.meta["tl_key"], node.meta["original_aten"] = key, node.target if higher or isinstance(node.target, torch._ops.OpOverload) else None
    return own


def tl_set_operators(module, own, operators):
    for key, node in tl_calls(module):
        if key in operators and operators[key] != own[key]:
            node.meta["original_aten"] = tl_find_operator(operators[key]) if operators[key] else None


def tl_known_operators():
    import torch

    higher = {str(value.name()) for value in vars(torch.ops.higher_order).values() if isinstance(value, torch._ops.HigherOrderOperator)}
    return higher | {name.split("::")[1].split(".")[0] for name in torch._C._dispatch_get_all_op_names()}


class TlNamed(BaseException):
    """Inductor wrote the code."""


def tl_kernel_nodes(compile_graph):
    """Lets Inductor write the code, but not compile it: the nodes of each kernel, in the order in which kernels are named."""
    import torch._inductor.codegen.cpp
    import torch._inductor.codegen.triton
    import torch._inductor.graph
    import torch._inductor.utils

    found, name, whole = [], torch._inductor.utils.get_fused_kernel_name, torch._inductor.graph.GraphLowering.compile_to_module
    places = torch._inductor.codegen.cpp, torch._inductor.codegen.triton

    def note(nodes, kind):
        origins = torch._inductor.utils.aggregate_origins(nodes)
        found.append([node.meta.get("tl_key", node.name) for node in origins if node.op == "call_function"])
        return name(nodes, kind)

    def stop(lowering):
        lowering.codegen()
        raise TlNamed

    try:
        for place in places:
            place.get_fused_kernel_name = note
        torch._inductor.graph.GraphLowering.compile_to_module = stop
        with torch._inductor.config.patch(fx_graph_cache=False):
            compile_graph()
    except TlNamed:
        pass
    finally:
        for place in places:
            place.get_fused_kernel_name = name
        torch._inductor.graph.GraphLowering.compile_to_module = whole
    return found


def tl_tree():
    """The text of the program."""
    if "tree" not in TL_STATE:
        with open(TL_STATE["path"], encoding="utf-8") as file:
            TL_STATE["tree"] = ast.parse(file.read())
    return TL_STATE["tree"]


def tl_written_names(kind):
    """The names of inputs and nodes in the text of the class."""
    written = next(node for node in tl_tree().body if isinstance(node, ast.ClassDef) and node.name == kind)
    forward = next(node for node in written.body if isinstance(node, ast.FunctionDef) and node.name == "forward")

    def is_node(value):
        while isinstance(value, ast.Attribute):
            value = value.value
        return not isinstance(value, (ast.Name, ast.Constant))

    lines = [node for node in forward.body if isinstance(node, ast.Assign) and is_node(node.value)]
    return [argument.arg for argument in forward.args.args[1:]], [node.targets[0].id for node in lines]


@contextlib.contextmanager
def tl_higher_order(call):
    """Within it, call(operator, arguments, named) stands for each operator that takes graphs: some check types before a mode sees them."""
    import torch

    kinds, found = [torch._ops.HigherOrderOperator], {}
    for kind in kinds:
        kinds += [each for each in kind.__subclasses__() if each not in kinds]
        if "__call__" in vars(kind):
            found[kind] = kind.__call__
    try:
        for kind in found:
            kind.__call__ = lambda operator, *arguments, **named: call(operator, arguments, named)
        yield
    finally:
        for kind, whole in found.items():
            kind.__call__ = whole


def tl_written_graph(module):
    """The graph as it is written, with its names: tracing it anew would rename nodes, and leave some out."""
    import torch
    from torch.overrides import TorchFunctionMode

    for name, part in module.named_children():
        if not isinstance(part, torch.fx.GraphModule):  # the graph inside of scan, cond or flex_attention
            setattr(module, name, tl_written_graph(part))

    class Tracer(torch.fx.Tracer):
        def create_arg(self, value):
            if isinstance(value, torch.nn.Module):
                name = next(name for name, part in module.named_modules() if part is value)
                return self.create_node("get_attr", name, (), {})
            return super().create_arg(value)

    tracer = Tracer()

    class Mode(TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            if isinstance(function, torch._ops.OpOverload):
                return tracer.create_proxy("call_function", function, args, kwargs or {})
            return function(*args, **(kwargs or {}))

    def higher_order(operator, args, kwargs):
        return tracer.create_proxy("call_function", operator, args, kwargs)

    with Mode(), tl_higher_order(higher_order):
        traced = tracer.trace(module)
    inputs, lines = tl_written_names(type(module).__name__)
    graph, copies = torch.fx.Graph(), {}
    calls = [node for node in traced.nodes if node.op == "call_function"]
    if len(calls) != len(lines):
        raise TlError("the graph is in another form than expected")
    names = dict(zip(calls, lines))
    names.update(zip([node for node in traced.nodes if node.op == "placeholder"], inputs))
    for node in traced.nodes:
        copies[node] = graph.node_copy(node, copies.__getitem__)
        if node in names and copies[node].name != names[node]:
            copies[node].name = names[node]
    return torch.fx.GraphModule(module, graph)


def tl_flex_inputs(node, args):
    """What flex_attention passes to its graphs: score and four indexes, four indexes, and what they read."""
    import torch

    def indexes():
        return [args[0].new_empty((), dtype=torch.int32) for _ in range(4)]

    return [(args[3], [args[0].new_empty(()), *indexes(), *args[7]]), (args[4][-1], [*indexes(), *args[8]])]


def tl_inner_values(module, mode):
    """Fake values for the graphs inside of the graph, without which Inductor does not compile them."""
    import torch
    from torch._inductor.fx_utils import _extract_subgraphs_and_args, get_fake_args_kwargs
    from torch.fx.passes.fake_tensor_prop import FakeTensorProp

    for node in module.graph.nodes:
        if not isinstance(node.target, torch._ops.HigherOrderOperator):
            continue
        _, args, kwargs = get_fake_args_kwargs(node, module)
        graphs = [value for value in tl_flat([args, kwargs]) if isinstance(value, torch.fx.GraphModule)]
        with mode:
            flex = node.target is torch.ops.higher_order.flex_attention
            found = tl_flex_inputs(node, args) if flex else list(_extract_subgraphs_and_args(node, graphs, *args, **kwargs)) if graphs else []
        for graph, values in found:
            if values is not None:
                FakeTensorProp(graph, mode).propagate_dont_convert_inputs(*values)
                tl_inner_values(graph, mode)


def tl_contiguous(values, mode):
    """Values of the same sizes, without gaps and in order."""
    import torch

    with mode:
        return [torch.empty(v.shape, dtype=v.dtype, device=v.device) if isinstance(v, torch.Tensor) else v for v in values]


class TlInductorGraph:
    """A graph that Inductor got: fx_graph_runnable."""

    def __init__(self, names, program):
        from torch._dynamo.debug_utils import InputReader

        warnings.filterwarnings("ignore", message="could not load")
        logging.getLogger("torch._dynamo.debug_utils").setLevel(logging.ERROR)
        reader = InputReader(save_dir=None)
        names["load_args"](reader)
        self.inputs, self.program = reader.args, program
        self.own = None
        try:
            self.take(names, program)
            self.name(names, program)
        except Exception as error:
            reason = (str(error).splitlines() or [""])[0][:200]
            tl_say(f"note: the graph is traced anew, which may change names of kernels: {type(error).__name__}: {reason}")
            self.trace(names, program)

    def take(self, names, program, operators=None):
        """The graph as it is written, with fake values."""
        import torch
        from torch._dispatch.python import enable_python_dispatcher
        from torch._subclasses import FakeTensorMode
        from torch.fx.experimental.symbolic_shapes import ShapeEnv
        from torch.fx.passes.fake_tensor_prop import FakeTensorProp

        module = tl_written_graph(names["Repro"]())
        if program["tracing_mode"] == "symbolic":
            mode, fake = tl_symbolic_inputs(names)
        else:
            mode = FakeTensorMode(shape_env=ShapeEnv(), allow_non_fake_inputs=True)
            fake = [mode.from_tensor(value, static_shapes=True) if isinstance(value, torch.Tensor) else value for value in self.inputs]
        with torch.no_grad(), enable_python_dispatcher():  # as AOTAutograd: C++ would make some symbolic sizes static
            try:
                FakeTensorProp(module, mode).propagate_dont_convert_inputs(*fake)
            except (RuntimeError, ValueError):
                # The backward was traced before Inductor chose other layouts for what the forward saves.
                FakeTensorProp(module, mode).propagate_dont_convert_inputs(*tl_contiguous(fake, mode))
                for node, value in zip([node for node in module.graph.nodes if node.op == "placeholder"], fake):
                    node.meta["val"] = value
            tl_inner_values(module, mode)
        self.module, self.mode = module, "fake"
        self.own, self.operators = tl_own_operators(module), operators
        tl_set_operators(module, self.own, operators or {})

    def name(self, names, program):
        """Makes Inductor name kernels as in the log."""
        if not program["kernels"] or program["backend"] != "inductor" or not self.own:
            return
        nodes = tl_kernel_nodes(lambda: self.compiled("inductor"))
        if len(nodes) == len(program["kernels"]):
            self.take(names, program, tl_operators(list(zip(program["kernels"], nodes)), self.own, tl_known_operators()))
        else:
            tl_say(f"note: Inductor writes {len(nodes)} kernels here, not {len(program['kernels'])} as in the log")
            self.take(names, program)

    def trace(self, names, program):
        """The graph, traced as PyTorch's own program does."""
        import torch
        import torch.fx.traceback
        from torch.fx.experimental.proxy_tensor import make_fx

        if program["tracing_mode"] == "symbolic":
            try:
                with torch.no_grad(), torch.fx.traceback.preserve_node_meta():
                    self.module = make_fx(names["Repro"]())(*tl_symbolic_inputs(names)[1])
                self.mode = "fake"
                return
            except Exception:
                pass  # then all sizes are symbolic
        for self.mode in program["tracing_mode"], "fake":
            try:
                with torch.no_grad(), torch.fx.traceback.preserve_node_meta():  # kernels are named after operators in the metadata
                    self.module = make_fx(names["Repro"](), tracing_mode=self.mode)(*tl_clone(self.inputs))
                return
            except Exception as error:
                if self.mode != "real":  # a size that depends on values cannot be traced with real tensors
                    reason = error
        try:
            # Inductor changes layouts, with which eager mode may not be able to run the graph: it is taken as it is written.
            self.mode, self.module = "real", torch.fx.symbolic_trace(names["Repro"]())
        except Exception:
            raise reason from None
        for node in self.module.graph.nodes:
            if node.op == "call_function":
                node.meta["original_aten"] = node.target

    def take_random_numbers(self):
        """Makes the random numbers of Inductor, which eager mode does not draw, inputs of the graph. False if there are none."""
        import torch

        prims, graph = torch.ops.prims, self.module.graph
        draws = [node for node in graph.nodes if node.target in (prims.inductor_random.default, prims.inductor_randint.default)]
        if not all(isinstance(node.meta.get("val"), torch.Tensor) for node in draws):
            return False
        last = [node for node in graph.nodes if node.op == "placeholder"][-1:]
        for node in draws:
            value = node.meta["val"]
            sizes = [size if isinstance(size, int) else size.node.hint for size in value.shape]
            if node.target is prims.inductor_randint.default:
                numbers = torch.randint(node.args[0], node.args[1], sizes, dtype=value.dtype, device=value.device)
            else:
                draw = torch.randn if node.args[2] == "randn" else torch.rand
                numbers = draw(sizes, dtype=value.dtype, device=value.device)
            with graph.inserting_after(last[0]) if last else graph.inserting_before(next(iter(graph.nodes))):
                last = [graph.placeholder(f"random_{len(self.inputs)}")]
            last[0].meta.update(val=value)
            self.inputs.append(numbers)
            node.replace_all_uses_with(last[0])
            graph.erase_node(node)
        for node in reversed(list(graph.nodes)):
            if node.target in (prims.inductor_lookup_seed.default, prims.inductor_seeds.default, prims.inductor_seed.default) and not node.users:
                graph.erase_node(node)
        self.module.recompile()
        return bool(draws)

    def donated(self, inputs):
        """The context that tells Inductor which inputs of the backward it may write to."""
        from torch._guards import TracingContext, detect_fake_mode, tracing

        context = TracingContext(detect_fake_mode(inputs))
        context.fw_metadata = types.SimpleNamespace(bw_donated_idxs=list(self.program["donated"]), static_input_indices=[])
        return tracing(context)

    def compiled(self, backend, module=None, inputs=None):
        import torch

        module = module or self.module
        if backend == "eager":
            return module
        if backend != "inductor":
            return torch.compile(module, backend=backend, fullgraph=True)
        import torch._inductor.config
        from torch._inductor.compile_fx import compile_fx_inner

        module, inputs = copy.deepcopy(module), tl_clone(self.inputs if inputs is None else inputs)
        holders = [node for node in module.graph.nodes if node.op == "placeholder"]
        if self.mode == "fake" or any(isinstance(node.meta.get("val"), torch.SymInt) for node in holders):
            inputs = [node.meta.get("val", value) for node, value in zip(holders, inputs)]
        named = {"is_inference": self.program["is_inference"], "is_backward": self.program["is_backward"]}
        for name in "cpp_wrapper", "fx_wrapper":  # torch.compile() passes these settings on
            named[name] = getattr(torch._inductor.config, name, False)
        with self.donated(inputs) if self.program["donated"] else contextlib.nullcontext():
            code = compile_fx_inner(module, inputs, **{name: value for name, value in named.items() if value})
        return lambda *values: code(list(values))

    def run(self, call):
        import torch

        with torch.no_grad():
            return call(*tl_clone(self.inputs))


def tl_raises_breaks(program, call):
    """The call, in which an operator that the backend cannot compile is an error. fullgraph=True also lets Dynamo capture sizes that data decides,
    with which the compile would not have failed."""
    import torch

    raises = getattr(torch._dynamo, "error_on_graph_break", None)

    def run(*values):
        with raises(True):
            return call(*values)

    return run if raises and program["failure"] == "Unsupported" else None


class TlDynamoGraph:
    """A graph that Dynamo traced: dynamo_output_graph."""

    def __init__(self, names, program):
        self.module = tl_instantiate(names["GraphModule"])
        for name, annotation in program["attributes"].items():
            self.module.__dict__[name] = tl_tensor(name, annotation, tl_hints(program), "")
        self.inputs, self.program, self.marks = tl_dynamo_inputs(self.module, program), program, tl_marks(program["marks"])

    def marked(self, inputs):
        import torch

        names = list(inspect.signature(self.module.forward).parameters)
        for name, dim, least, most in self.marks:
            value = inputs[names.index(name)] if name in names else None
            if isinstance(value, torch.Tensor) and dim < value.dim():
                torch._dynamo.mark_dynamic(value, dim, min=least, max=most)
        return inputs

    def compiled(self, backend, module=None, inputs=None):
        import torch

        module = module or self.module
        if backend == "eager" and not self.marks:
            return module
        torch._dynamo.reset()
        dynamic = True if self.program["hints"] and not self.marks else None
        run = tl_raises_breaks(self.program, torch.compile(module, backend=backend, dynamic=dynamic))
        return run or torch.compile(module, backend=backend, fullgraph=True, dynamic=dynamic)

    def run(self, call):
        import torch

        inputs = self.marked(tl_clone(self.inputs))
        results = call(*inputs)
        if not TL_STATE["options"].backward:
            return results
        values = [value for value in tl_flat(results) if isinstance(value, torch.Tensor) and value.requires_grad]
        if not values:
            raise TlError("no result requires a gradient: the log does not have the backward of this graph")
        wanted = [value for value in inputs if isinstance(value, torch.Tensor) and value.requires_grad]
        gradients = torch.autograd.grad(values, wanted, [torch.ones_like(value) for value in values], allow_unused=True)
        return [*tl_flat(results), *gradients]


class TlDone(BaseException):
    """The kernel was called."""


class TlSkipped:
    """Stands for a kernel that is not extracted."""

    def __call__(self, *arguments, **named):
        return None

    run = __call__


class TlCall:
    """Stands for the kernel: keeps copies of the arguments of its first call."""

    def __init__(self, kernel):
        self.kernel, self.arguments, self.named = kernel, None, None

    def __call__(self, *arguments, **named):
        self.arguments, self.named = arguments, named
        raise TlDone

    run = __call__

    def call(self, *arguments):
        kernel = self.kernel.run if hasattr(self.kernel, "run") else self.kernel
        kernel(*arguments, **self.named)
        return arguments


class TlKernel:
    """A kernel, with the arguments that the output code passes to it."""

    def __init__(self, names, program):
        import torch._inductor.utils

        if TL_STATE["options"].mode not in ("run", "bench"):
            raise TlError("a kernel can only be run: use --run or --bench")
        self.stand_in = names[program["kernel"]] = TlCall(names[program["kernel"]])
        torch._inductor.utils.print_performance = lambda call, *_, **__: call()
        try:
            if "get_args" in names:
                names["call"](list(names["get_args"]()))
            elif "benchmark_compiled_module" in names:
                names["benchmark_compiled_module"]()
            else:
                raise TlError("the output code does not make its inputs")
        except TlDone:
            pass
        if self.stand_in.arguments is None:
            raise TlError("the output code does not call the kernel")
        self.inputs = self.stand_in.arguments
        for value in self.inputs:
            if isinstance(value, torch.Tensor):
                tl_say(f"argument: {value.dtype}, size {list(value.size())}, stride {list(value.stride())}, {value.device}")
            else:
                tl_say(f"argument: {value!r}")

    def compiled(self, backend, module=None, inputs=None):
        return self.stand_in.call

    def run(self, call):
        return call(*tl_clone(self.inputs))


def tl_groups(program):
    """The groups of processes, which are fake: those of the program, or those that a graph from Dynamo names."""
    if program["groups"]:
        return ast.literal_eval(program["groups"])
    if program["kind"] != "dynamo" or not os.path.isfile(TL_STATE["path"]):
        return {}
    with open(TL_STATE["path"], encoding="utf-8") as file:
        text = file.read().rpartition("=" * 8 + " From the log")[2]
    calls = re.findall(r"c10d_functional\.\w+(?:\.default)?\(([^()\n]*)\)", text)
    groups = {}
    for call in calls:
        name = re.search(r"'(\w+)'$", call)
        size = re.search(r", (\d+), '\w+'$", call)
        if name:
            groups[name[1]] = {"size": max(int(size[1]) if size else 2, groups.get(name[1], {}).get("size", 1)), "rank": 0}
    return groups


def tl_missing_operators():
    """The operators that the text calls and no library here has."""
    import torch

    missing = []
    for node in ast.walk(tl_tree()):
        space = getattr(node, "value", None)
        if isinstance(node, ast.Attribute) and isinstance(space, ast.Attribute) and ast.unparse(space.value) == "torch.ops":
            name = f"{space.attr}::{node.attr}"
            if name not in missing and not hasattr(getattr(torch.ops, space.attr), node.attr):
                missing.append(name)
    return missing


def tl_require_operators():
    missing = tl_missing_operators()
    if missing:
        raise TlError(
            f"no library here has {', '.join(missing)}, and the log does not have the code of an operator: "
            "import what defines it above the classes of the part from the log"
        )


def tl_flat(results):
    from torch.utils._pytree import tree_flatten

    return tree_flatten(results)[0]


def tl_call(graph, call):
    import torch

    torch.manual_seed(TL_STATE["options"].seed)
    results = graph.run(call)
    for kind in {value.device.type for value in tl_flat(results) if isinstance(value, torch.Tensor)} - {"cpu", "meta"}:
        getattr(torch, kind).synchronize()
    return results


# ---- what the program does ----


def tl_difference(one, other):
    """How two results differ; None if they do not."""
    import torch

    options = TL_STATE["options"]
    one, other = tl_flat(one), tl_flat(other)
    if len(one) != len(other):
        return f"{len(other)} results, not {len(one)}"
    for i, (a, b) in enumerate(zip(one, other)):
        if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
            continue
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"result {i} is {b.dtype} {list(b.shape)}, not {a.dtype} {list(a.shape)}"
        low = a.dtype in (torch.float16, torch.bfloat16)
        rtol = options.rtol if options.rtol is not None else 1e-2 if low else 1e-4
        atol = options.atol if options.atol is not None else 1e-2 if low else 1e-4
        try:
            torch.testing.assert_close(b.detach(), a.detach(), rtol=rtol, atol=atol, equal_nan=True, check_device=False, check_stride=False)
        except AssertionError as error:
            return f"result {i}: {' '.join(str(error).split())}"
    return None


def tl_same_random(graph):
    """Takes the same random numbers as eager mode. False if the graph has those of Inductor, which are others."""
    import torch._inductor.config

    code = str(getattr(graph.module, "code", ""))
    if isinstance(graph, TlInductorGraph) and graph.take_random_numbers():
        tl_say("note: Inductor's random numbers are others than in eager mode: here they are inputs, the same for both")
    elif "inductor_random" in code or "inductor_randint" in code:
        tl_say("note: the graph has Inductor's random numbers, which are others than in eager mode: results that depend on them differ")
        return False
    torch._inductor.config.fallback_random = True
    return True


def tl_compare(graph):
    tl_same_random(graph)
    backend = TL_STATE["options"].backend
    expected = tl_call(graph, graph.compiled("eager"))
    difference = tl_difference(expected, tl_call(graph, graph.compiled(backend)))
    print("check: %s" % (difference or f"the results of {backend} are those of eager mode"))
    return 1 if difference else 0


def tl_ablate(graph):
    tl_same_random(graph)
    first, bad = None, 0
    for backend in TL_STATE["options"].ablate.split(","):
        try:
            results = tl_call(graph, graph.compiled(backend.strip()))
        except TlError:
            raise
        except Exception as error:
            print(f"{backend:<12} fails: {type(error).__name__}: {(str(error).strip().splitlines() or [''])[0][:200]}")
            bad += 1
            continue
        difference = tl_difference(first[1], results) if first else None
        print(f"{backend:<12}", f"differs from {first[0]}: {difference}" if difference else "ok")
        bad += difference is not None
        first = first or (backend, results)
    return 1 if bad else 0


def tl_bench(graph):
    backend = TL_STATE["options"].backend
    for name in [backend] if isinstance(graph, TlKernel) else dict.fromkeys(["eager", backend]):
        start = time.perf_counter()
        call = graph.compiled(name)
        tl_call(graph, call)
        first = time.perf_counter() - start
        times = []
        while len(times) < 5 or (sum(times) < 1 and len(times) < 200):
            start = time.perf_counter()
            tl_call(graph, call)
            times.append(time.perf_counter() - start)
        figures = f"median {statistics.median(times) * 1e3:.3f} ms, least {min(times) * 1e3:.3f} ms of {len(times)} calls, with copies of the inputs"
        print(f"{name:<10} {figures}; the first took {first:.2f} s")
    return 0


def tl_minify(graph):
    """PyTorch's own minifier on the graph."""
    import torch
    from functorch.compile import minifier

    backend, smallest, compares = TL_STATE["options"].backend, [], tl_same_random(graph)
    module = graph.module
    if not isinstance(module, torch.fx.GraphModule):
        got = []
        torch._dynamo.reset()
        torch.compile(module, backend=lambda traced, _: got.append(traced) or traced.forward, fullgraph=True)(*tl_clone(graph.inputs))
        module = got[0]

    def fails(traced, inputs):
        try:
            with torch.no_grad():
                expected = traced(*tl_clone(inputs))
        except Exception:
            return False
        try:
            with torch.no_grad():
                results = graph.compiled(backend, traced, inputs)(*tl_clone(inputs))
                return compares and tl_difference(expected, results) is not None
        except Exception:
            return True

    def keep(traced, inputs):
        smallest[:] = [traced, inputs]

    if not fails(module, graph.inputs):
        print(f"minify: {backend} neither fails nor differs from eager mode")
        return 1
    minifier(copy.deepcopy(module), list(graph.inputs), module_fails=fails, dump_state=keep)
    traced, inputs = smallest or [module, graph.inputs]
    print("# inputs: {}".format(", ".join(f"{v.dtype} {list(v.shape)}" if isinstance(v, torch.Tensor) else repr(v) for v in inputs)))
    print(traced.code.strip())
    return 0


def tl_run(graph):
    results = tl_call(graph, graph.compiled(TL_STATE["options"].backend))
    tl_say(f"ok: {len(tl_flat(results))} results")
    return 0


def tl_main(names):
    import torch

    program, options = TL_STATE["program"], TL_STATE["options"]
    try:
        if program["device"] not in ("cpu", "meta") and not options.cpu:
            kind = getattr(torch, program["device"], None)
            if kind is None or not kind.is_available():
                raise TlError("this graph is for {}, which is not available: try --cpu".format(program["device"]))
        torch.manual_seed(options.seed)
        tl_require_operators()
        groups = tl_groups(program)
        if groups:
            from torch._dynamo.repro.after_aot import setup_fake_process_groups

            setup_fake_process_groups(groups)
        graph = {"inductor": TlInductorGraph, "dynamo": TlDynamoGraph, "kernel": TlKernel}[program["kind"]](names, program)
        modes = {"run": tl_run, "check": tl_compare, "bench": tl_bench, "ablate": tl_ablate, "minify": tl_minify}
        status = modes[options.mode](graph)
    except TlError as error:
        tl_say(f"cannot run: {error}")
        return 2
    except Exception as error:
        if program["failure"] and options.backend == program["backend"]:
            traceback.print_exc()
            tl_say(tl_failure(program, error))
            return 1
        raise
    if program["failure"] and options.mode == "run" and options.backend == program["backend"]:
        tl_say(tl_failure(program, None))
    return status


def tl_exceptions(kind, text):
    """The exceptions that a message names: of InductorError "LoweringException: TypeError: no lowering", all three."""
    inner = re.match(r"(?:backend='\w+' raised:\s*)?((?:[A-Z]\w*:\s)*)", text)[1]
    return ": ".join([kind, *re.findall(r"\w+", inner)])


def tl_failure(program, error):
    """How this run compares with the compile of the log, which failed."""
    recorded = tl_exceptions(program["failure"], program["failure_text"])
    if error is None:
        why = program["failure_note"]
        return f"note: the compile in the log failed with {recorded}, but not here" + (f": {why}" if why else "")
    here = tl_exceptions(type(error).__name__, str(error))
    return f"failed as in the log: {here}" if here == recorded else f"note: failed with {here}, but the compile in the log with {recorded}"

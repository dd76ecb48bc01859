"""Shapes whose cost must grow linearly with their size: compares the instructions for n and 4 n, without those of an empty log, or those
of `tlparse merge` for the facts of n and 4 n, without those of one rank.

A linear step takes 4 times as many, a quadratic one 16 times. The limit leaves room for sorting.
"""
import hashlib
import json

AT_MOST = 5
TIMES = 4
SHAPES = {}
JOBS = {}


def job(n):
    """The shape is a list of logs, one for each rank."""
    def add(function):
        JOBS[function.__name__] = (function, n)
        return function

    return add


def shape(n):
    def add(function):
        SHAPES[function.__name__] = (function, n)
        return function

    return add


def record(envelope, payload=None, process=77):
    if payload is not None:
        envelope = {**envelope, "has_payload": hashlib.md5(payload.encode()).hexdigest()}
        payload = "\n\t" + payload.replace("\n", "\n\t")
    return f"V0102 10:00:00.000000 {process} torch/_logging/_internal.py:1200] {json.dumps(envelope)}{payload or ''}\n"


def identity(frame=0, version=0):
    return {"frame_id": frame, "frame_compile_id": version, "attempt": 0}


def start(ids, process=77):
    return record({"dynamo_start": {"stack": [{"line": 3, "name": "f", "filename": 0}]}, **ids}, None, process)


def artifact(ids, name, payload):
    return record({"artifact": {"name": name, "encoding": "string"}, **ids}, payload)


def metrics(ids, process=77, **more):
    return record({"compilation_metrics": {"co_name": "f", "co_filename": "model.py", "co_firstlineno": 3, **more}, **ids}, None, process)


def guards(ids, lines):
    text = "\nTREE_GUARD_MANAGER:\n+- RootGuardManager\n" + "\n".join(lines) + "\nGuard latency = 10.0 us\n"
    return record({"dynamo_cpp_guards_str": {}, **ids}, text)


def event(name, phase, at_us):
    data = {"name": name, "ph": phase, "ts": at_us, "pid": 0, "tid": 0, "args": {"compile_id": "0/0"}}
    return record({"chromium_event": {}, **identity()}, json.dumps(data))


def graph(nodes):
    yield "class <lambda>(torch.nn.Module):"
    yield '    def forward(self, arg0_1: "f32[4]"):'
    for i in range(nodes):
        yield f"         # File: /home/user/model.py:{i} in f, code: x = x + {i}"
        yield f'        add_{i}: "f32[4]" = torch.ops.aten.add.Tensor({"arg0_1" if i == 0 else f"add_{i - 1}"}, {i})'
    yield f"        return (add_{nodes - 1},)"


@shape(2_500)
def guards_of_one_compile(n):
    yield start(identity())
    yield guards(identity(), [f"| +- EQUALS_MATCH: L['x{i}'] == {i}  # return x{i} + 1  # model.py:{i} in f" for i in range(n)])
    yield metrics(identity())


@shape(2_000)
def relations_of_sizes(n):
    yield start(identity())
    yield guards(identity(), [f"| +- LAMBDA_GUARD: L['x{i}'].size()[0] == L['x{i + 1}'].size()[0]" for i in range(n)])
    yield metrics(identity())


@shape(50)
def versions_of_a_frame(n):
    """Compiles with 500 guards each, one of which differs."""
    for v in range(n):
        yield start(identity(0, v))
        if v:
            yield artifact(identity(0, v), "recompile_reasons", json.dumps([f"0/{v - 1}: L['x{v % 500}'] == {v - 1}"]))
        yield guards(identity(0, v), [f"| +- EQUALS_MATCH: L['x{i}'] == {v if i == v % 500 else i}" for i in range(500)])
        yield metrics(identity(0, v))


@shape(60)
def cache_keys_of_500_components(n):
    for k in range(n):
        yield start(identity(k))
        names = ((i, k if i == k % 500 else 0) for i in range(500))
        parts = [f"[{hashlib.md5(f'{i} {value}'.encode()).hexdigest()}] name{i}: value {value}" for i, value in names]
        yield artifact(identity(k), "fx_graph_cache_miss", json.dumps({"key": f"k{k}", "cache_state": "miss", "components": parts}))
        yield metrics(identity(k))


@shape(300)
def kernels_of_one_code(n):
    def code():
        for i in range(n):
            yield f"cpp_fused_{i} = async_compile.cpp_pybinding(['const float*', 'float*'], r'''"
            yield "extern \"C\"  void  kernel(const float* in_ptr0,\n                       float* out_ptr0)\n{\n}\n''')\n"
        yield "def call(args):\n    arg0_1, = args"
        for i in range(n):
            yield f"    buf{i} = empty_strided_cpu((4, ), (1, ), torch.float32)"
            yield f"    cpp_fused_{i}({'arg0_1' if i == 0 else f'buf{i - 1}'}, buf{i})"
        yield f"    return (buf{n - 1}, )"

    yield start(identity())
    yield artifact(identity(), "inductor_post_grad_graph", "\n".join(graph(n)))
    yield record({"inductor_output_code": {"filename": "/tmp/code.py"}, **identity()}, "\n".join(code()))
    yield metrics(identity())


def graph_break(ids, line, reason, function="f", code="y = g(x)"):
    """A break at a line of the function, which this file calls."""
    text = f"Graph break in user code at /home/user/model.py:{line}\nGraph Break Reason: {reason}\n\nUser code traceback:\n"
    for at, name in ((1, "<module>"), (line, function)):
        text += f'  File "/home/user/model.py", line {at}, in {name}\n    {code}\n'
    return artifact(ids, "dynamo_graph_break_reason", text)


def skipped(function):
    return (f"Attempted to call function marked as skipped\n  Explanation: Dynamo developers have intentionally marked that the function `{function}` "
            f"in file `/home/user/{function}.py` should not be traced.")


@shape(4_000)  # beyond what is looked at after each break
def breaks_at_skipped_functions(n):
    """Frames of one function, each with a break at another line."""
    yield record({"str": ["/home/user/model.py", 0]})
    for i in range(n):
        yield start(identity(i))
        yield graph_break(identity(i), 3 + i, skipped(f"h{i}"))
        yield metrics(identity(i), co_filename="/home/user/model.py")


@shape(2_000)
def breaks_of_loops(n):
    """Loops over numbers: each is resumed after a break, and breaks the graph inside."""
    hint = "\n  Explanation: e\n  Hint: Set `torch._dynamo.config.capture_scalar_outputs = True` to capture it."
    for i in range(n):
        begin, inside = identity(2 * i), identity(2 * i + 1)
        yield start(begin)
        yield graph_break(begin, 10 * i + 3, f"tolist {i}{hint}", code="for n in lengths.tolist():")
        yield metrics(begin, co_name="f", co_filename="/home/user/model.py", restart_reasons=[f"tolist {i}"],
                      dynamo_time_before_restart_s=0.1, duration_us=200_000)
        yield start(inside)
        yield graph_break(inside, 10 * i + 5, "Failed to handle graph break gracefully. Skipping the function and falling back to eager. "
                          f"Graph break encountered:\n\nitem {i}{hint}")
        yield metrics(inside, co_name=f"torch_dynamo_resume_in_f_at_{10 * i + 3}", co_filename="/home/user/model.py", fail_type="Unsupported",
                      fail_reason=f"item {i}", duration_us=50_000)


@shape(2_000)
def breaks_that_resume(n):
    """A function with many breaks, of which each part has several versions."""
    for i in range(n):
        name = f"torch_dynamo_resume_in_f_at_{3 + i}" if i else "f"
        for version in range(2):
            ids = identity(i, version)
            yield start(ids)
            yield graph_break(ids, 4 + i, f"no {i}\n  Explanation: e\n  Hint: Do not call h{i}.")
            yield artifact(ids, "recompile_reasons", json.dumps([f"{i}/0: ___stack0 == 3"]))
            yield metrics(ids, co_name=name, co_filename="/home/user/model.py", restart_reasons=[f"no {i}"], dynamo_time_before_restart_s=0.1,
                          duration_us=200_000)


@shape(2_000)
def exceptions_that_are_caught(n):
    """Each makes another function run eagerly."""
    for i in range(n):
        ids = identity(i)
        raised = (f"Observed exception\n  Explanation: e\n  Hint: h\n\n  Developer debug context: raised exception ValueError('{i}')\n")
        yield start(ids)
        yield graph_break(ids, 3 + i, raised, function=f"f{i}", code=f"raise ValueError('{i}')")
        yield metrics(ids, co_name=f"f{i}", co_filename="/home/user/model.py", fail_type="Unsupported", fail_reason=raised, duration_us=1_000)


@shape(4_000)
def breaks_of_backward(n):
    reason = ("Attempted to call Tensor.backward()\n  Explanation: Dynamo does not trace it.\n"
              "  Hint: Set torch._dynamo.config.trace_autograd_ops=True to trace it.")
    for i in range(n):
        yield start(identity(i))
        yield graph_break(identity(i), 3 + i, reason)
        yield metrics(identity(i))


@shape(1_000)
def items_of_dicts(n):
    """Two versions with n guards below one key of a dict, which has another key in each."""
    for v in range(2):
        yield start(identity(0, v))
        if v:
            yield artifact(identity(0, v), "recompile_reasons", json.dumps(["0/0: len(L['d']) == 2"]))
        lines = [f"| +- EQUALS_MATCH: L['d']['a'].x{i} == {i}" for i in range(n)]
        yield guards(identity(0, v), [f"| +- DICT_LENGTH: len(L['d']) == {v + 2}", *lines,
                                      *(f"| +- EQUALS_MATCH: L['d']['k{k}'] == 1" for k in range(v + 1))])
        yield metrics(identity(0, v))


@shape(300)
def library_calls_of_one_operator(n):
    """Each call may match each node."""
    nodes = [f'        mm_{i}: "f32[4, 4]" = torch.ops.aten.mm.default(a, a)' for i in range(n)]
    calls = [f"    buf{i} = empty_strided_cpu((4, 4), (4, 1), torch.float32)\n    extern_kernels.mm(a, a, out=buf{i})" for i in range(n)]
    head = ["class <lambda>(torch.nn.Module):", '    def forward(self, a: "f32[4, 4]"):']
    yield start(identity())
    yield artifact(identity(), "inductor_post_grad_graph", "\n".join([*head, *nodes, "        return (mm_0,)"]))
    code = "\n".join(["def call(args):\n    a, = args", *calls, "    return (buf0, )"])
    yield record({"inductor_output_code": {"filename": "/tmp/code.py"}, **identity()}, code)
    yield metrics(identity())


@shape(2_000)
def nodes_of_a_graph(n):
    yield start(identity())
    yield record({"dynamo_output_graph": {"sizes": {}}, **identity()}, "\n".join(graph(n)))
    for name in ("before_pre_grad_graph", "after_post_grad_graph", "inductor_post_grad_graph"):
        yield artifact(identity(), name, "\n".join(graph(n)))
    yield metrics(identity())


@shape(1000)
def graphs_without_an_end(n):
    """Each output has a bracket that never closes."""
    text = "".join(f'class G{i}(torch.nn.Module):\n    def forward(self, x: "f32[3]"):\n        return (x,\n' for i in range(n))
    yield start(identity())
    yield record({"dynamo_output_graph": {"sizes": {}}, **identity()}, text)


@shape(1000)
def inputs_unpacked_again(n):
    inputs = ", ".join(f'p{i}: "f32[3]"' for i in range(n))
    again = "        a, = fx_pytree.tree_flatten_spec(([x], {}), self._in_spec)\n" * n
    yield start(identity())
    yield record({"dynamo_output_graph": {"sizes": {}}, **identity()}, f"class G(torch.nn.Module):\n    def forward(self, {inputs}):\n{again}        return (a,)")


@shape(1_000)
def spans_without_an_end(n):
    for i in range(n):
        yield event(f"span{i}", "B", i + 1)


@shape(1_000)
def spans_in_spans(n):
    for i in range(n):
        yield event(f"span{i % 50}", "B", i + 1)
    for i in reversed(range(n)):
        yield event(f"span{i % 50}", "E", 2 * n - i)


@shape(800)
def processes_in_one_log(n):
    for i in range(n):
        yield record({"str": [f"model{i}.py", 0]}, None, i + 1)
        yield start(identity(), i + 1)
        yield metrics(identity(), i + 1)


@shape(400)
def generations(n):
    for _ in range(n):
        yield start(identity())
        yield metrics(identity())


@shape(1_600)
def lines_of_an_error(n):
    trace = "".join(f'  File "/home/user/model.py", line {i}, in f\n    y = g(x)\n' for i in range(n))
    yield start(identity())
    yield metrics(identity(), fail_type="RuntimeError", fail_reason="wrong\n\nfrom user code:\n" + trace)


def user_stack(i):
    return [{"line": i % 997 + 1, "name": "f", "filename": 0, "loc": f"x{i}"}]


def symbol(i, ids, value=3):
    fact = {"symbol": f"s{i}", "val": f"{value}", "vr": "[2, int_oo]", "source": f"L['x{i}'].size()[0]"}
    return record({"create_symbol": {**fact, "user_stack": user_stack(i), "stack": user_stack(i)}, **ids})


def specialization(i, ids):
    fact = {"symbol": f"s{i}", "sources": [f"L['x{i}'].size()[0]"], "value": "8", "reason": "range_refined_to_singleton"}
    return record({"symbolic_shape_specialization": {**fact, "user_stack": user_stack(i), "stack": user_stack(i)}, **ids})


@shape(1_000)
def symbols_of_one_compile(n):
    yield start(identity())
    yield from (symbol(i, identity()) for i in range(n))
    yield metrics(identity())


@shape(1_000)
def specialized_symbols(n):
    yield start(identity())
    for i in range(n):
        yield symbol(i, identity())
        yield specialization(i, identity())
    yield metrics(identity())


@shape(100)  # beyond the versions that are compared
def specialized_versions(n):
    """Versions that differ in 60 numbers, with 100 specializations each."""
    for v in range(n):
        yield start(identity(0, v))
        if v:
            yield artifact(identity(0, v), "recompile_reasons", json.dumps([f"0/{v - 1}: L['x0'] == {v - 1}  # for _ in range(x0):  # a.py:3 in f"]))
        for i in range(100):
            yield symbol(i, identity(0, v))
            yield specialization(i, identity(0, v))
        yield guards(identity(0, v), [f"| +- EQUALS_MATCH: L['x{i}'] == {v + 2}" for i in range(60)])
        yield metrics(identity(0, v))


def side_effects():
    """32 methods that a function calls, and that change their objects: more are not kept."""
    return "".join(
        f"Mutating object of type M (source name: L['___stack{i}'].__self__)\n\n      File \"/src/m.py\", line 9, in f\n        g{i}.add(1)\n"
        f"      File \"/src/m.py\", line {i}, in add\n        self.n += 1\n\n    ********\n\n" for i in range(32))


@shape(250)  # beyond the compiles that are looked at before each version
def parts_with_side_effects(n):
    """Versions that differ in 60 attributes, of functions that change others."""
    for i in range(n):
        ids = identity(i // 8, i % 8)
        yield record({"dynamo_start": {"stack": [{"line": 3, "name": f"torch_dynamo_resume_in_f_at_{i // 8}", "filename": "/src/m.py"}]}, **ids})
        yield artifact(ids, "dynamo_side_effects", side_effects())
        yield guards(ids, [f"| +- EQUALS_MATCH: G['h{k}'].n == {i % 8 + k}" for k in range(60)])
        if i % 8:
            yield artifact(ids, "recompile_reasons", json.dumps([f"{i // 8}/{v}: G['h0'].n == {v}" for v in reversed(range(i % 8))]))
        yield metrics(ids)


@shape(1_000)
def symbols_in_an_error(n):
    reason = "Constraints violated (L['x'].size()[0])! " + "".join(f"  - Not all values of L['y{i}'].size()[0]\n" for i in range(n))
    yield start(identity())
    for i in range(n):
        yield symbol(i, identity())
        yield specialization(i, identity())
    yield metrics(identity(), fail_type="torch.fx.experimental.symbolic_shapes.ConstraintViolationError", fail_reason=reason)


@shape(200)
def symbols_of_versions(n):
    for v in range(n):
        ids = identity(0, v)
        yield start(ids)
        if v:
            yield artifact(ids, "recompile_reasons", json.dumps([f"0/{v - 1}: L['x0'].size()[0] == {v}"]))
        yield symbol(0, ids, v + 2)
        yield specialization(0, ids)
        yield metrics(ids)


@shape(1_000)
def decisions_with_real_data(n):
    yield start(identity())
    for i in range(n):
        fact = {"expr": f"u{i} > 4", "result": "True", "expr_node_id": i, "symbol_to_sources": {}, "frame_locals": {}}
        yield record({"create_unbacked_symbol": {"symbol": f"u{i}", "node_id": i, "vr": "[0, int_oo]", "user_stack": user_stack(i), "stack": user_stack(i)}, **identity()})
        yield record({"propagate_real_tensors_provenance": {**fact, "user_stack": user_stack(i), "stack": user_stack(i)}, **identity()})
    yield metrics(identity())


@shape(1_000)
def symbols_and_guards(n):
    yield start(identity())
    yield from (symbol(i, identity()) for i in range(n))
    for i in range(n):
        yield guards(identity(), [f"| +- EQUALS_MATCH: L['y'] == {i}  # return y  # model.py:3 in f"])
    yield metrics(identity())


def provenance(ids, number):
    mappings = {"preToPost": {"add_0": ["add_0"]}, "postToPre": {"add_0": ["add_0"]}, "cppCodeToPost": {"cpp_fused_add_0": ["add_0"]},
                "postToCppCode": {"add_0": ["cpp_fused_add_0"]}, "version": 2}
    for name in ("before_pre_grad_graph", "after_post_grad_graph"):
        yield artifact(ids, name, "\n".join(graph(10)))
    yield artifact(ids, "inductor_provenance_tracking_node_mappings", json.dumps(mappings))
    code = "cpp_fused_add_0 = async_compile.cpp_pybinding([], r'''\n''')\ndef call(args):\n    cpp_fused_add_0(a)\n"
    yield record({"inductor_output_code": {"filename": f"/tmp/c{number}.py"}, **ids}, code)


@shape(60)
def provenance_of_attempts(n):
    for attempt in range(n):
        ids = {**identity(), "attempt": attempt}
        yield start(ids)
        yield from provenance(ids, attempt)
    yield metrics(ids)


@shape(60)
def provenance_of_one_attempt(n):
    yield start(identity())
    for i in range(n):
        yield from provenance(identity(), i)
    yield metrics(identity())


@shape(60)
def provenance_of_versions(n):
    for v in range(n):
        yield start(identity(0, v))
        yield from provenance(identity(0, v), v)
        yield metrics(identity(0, v))


@shape(60)
def attempts_with_artifacts(n):
    """Each attempt has artifacts of names that no other has."""
    for attempt in range(n):
        ids = {**identity(), "attempt": attempt}
        yield start(ids)
        yield from (artifact(ids, f"note_{attempt}_{i}", "x") for i in range(10))
    yield metrics(ids)


def of_rank(rank, pieces):
    """The records with a rank in their envelopes."""
    return [piece.replace('] {"', f'] {{"rank": {rank}, "', 1) for piece in pieces]


def compile_of(frame, lines, nodes=3):
    ids = identity(frame)
    return [start(ids), record({"dynamo_output_graph": {"sizes": {}}, **ids}, "\n".join(graph(nodes))), guards(ids, lines), metrics(ids)]


@job(200)
def equal_ranks(n):
    return [of_rank(r, [p for frame in range(5) for p in compile_of(frame, ["| +- EQUALS_MATCH: L['x'] == 1"])]) for r in range(n)]


@job(100)
def ranks_with_other_guards(n):
    return [of_rank(r, compile_of(0, [f"| +- EQUALS_MATCH: L['x{i}'] == {i * 1000 + r}" for i in range(50)])) for r in range(n)]


@job(100)
def ranks_with_other_graphs(n):
    def other(rank):
        return [p.replace("arg0_1, 2)", f"arg0_1, {rank})").replace("x + 2", f"x + {rank}") for p in compile_of(0, ["| +- EQUALS_MATCH: L['x'] == 1"], 5)]

    return [of_rank(r, other(r)) for r in range(n)]


@job(50)
def ranks_with_other_compiles(n):
    return [of_rank(r, [p for frame in range(1 + r % 10) for p in compile_of(frame + r, ["| +- EQUALS_MATCH: L['x'] == 1"])]) for r in range(n)]


@job(100)
def ranks_with_other_settings(n):
    def settings(rank):
        return artifact(identity(), "dynamo_config", json.dumps({f"setting_{i}": rank if i % 10 == 0 else i for i in range(100)}))

    return [of_rank(r, [*compile_of(0, ["| +- EQUALS_MATCH: L['x'] == 1"]), settings(r)]) for r in range(n)]


@job(100)
def ranks_that_fail_in_other_ways(n):
    return [of_rank(r, [start(identity()), metrics(identity(), fail_type="RuntimeError", fail_reason=f"wrong {'x' * r}")]) for r in range(n)]


@job(500)
def compiles_of_two_ranks(n):
    return [of_rank(r, [p for frame in range(n) for p in compile_of(frame, [f"| +- EQUALS_MATCH: L['x{r * (frame % 3 == 0)}'] == {frame}"])]) for r in range(2)]

#!/usr/bin/env python3
"""Cases of `tlparse extract`: programs of the graphs of all logs, logs of one compile, logs without names. Nothing here needs PyTorch: with_torch.py
runs the programs.

    run.py [--tlparse build/tlparse] [--list] [NAME...]
"""
import ast
import json
import os
import re
import subprocess
import sys
import types
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "cli"), str(TESTS / "tools")]
import common  # noqa: E402
import hostile  # noqa: E402
import samples  # noqa: E402
from common import call, case, said  # noqa: E402
from hostile import raw, record  # noqa: E402

GRAPHS = 3  # of each log
ID = {"frame_id": 0, "frame_compile_id": 0, "attempt": 0}
# The environment of the run that recorded a program, as PyTorch writes it.
VARIABLE = re.compile(r"os\.environ\['(\w*(?:DIR|TRACE|OUT|PATH)\w*)'\] = '(/[^']*)'")
# What a report says of a compile on its own. The rest names other compiles, or places in the report.
OWN = ["status", "time_us", "forward_us", "backward_us", "phases_us", "graph", "guards", "guard_count", "recompile_reasons", "restarts", "failure",
       "artifact_count", "bytes", "metrics", "attempts"]  # fmt: skip


def use(tlparse, _update):
    common.tlparse = tlparse


def with_graphs(log):
    """The ids of compiles with graphs, and the folders of the first run."""
    text = samples.read(log).decode(errors="replace")
    ids = dict.fromkeys(
        (match[1], f"{match[2]}/{match[3]}")
        for match in re.finditer(r'^V\S+ \S+ (\d+) [^{\n]*\{(?:"dynamo_output_graph"|"artifact": \{"name": "fx_graph_runnable").*?'
                                 r'"frame_id": (\d+), "frame_compile_id": (\d+)', text, re.M)
        if "compiled_autograd_id" not in text[match.start() : text.find("\n", match.start())])  # fmt: skip
    return list(ids), {path for _, path in VARIABLE.findall(text)}


def extracted(log, *arguments, out="out"):
    done = call("extract", str(log), *arguments, "-o", out, "--overwrite")
    assert done.returncode == 0, (log, arguments, said(done))
    return Path(out).read_text(encoding="utf-8")


def all_logs():
    return [log for log in samples.logs() + samples.corpus() if log.is_file()]


def report_on(log, out):
    done = call(str(log), "-o", out, "--overwrite", "--no-browser", "--strict")
    assert done.returncode == 0, (log, said(done))
    return json.loads(Path(out, "report.json").read_text())


def check_program(text, folders, log):
    tree = ast.parse(text)
    compile(tree, str(log), "exec")
    for folder in folders:
        assert folder not in text, (log, folder)
    data = next(node for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "PROGRAM")
    ast.literal_eval(data.value)
    assert "READ IT BEFORE YOU RUN IT" in text and text.index("tl_start(PROGRAM)") < text.index("# ======== From the log")
    return ast.literal_eval(data.value)


@case
def programs_of_all_logs_compile():
    count = 0
    for log in all_logs():
        ids, folders = with_graphs(log)
        for process, compile_id in ids[:GRAPHS]:
            program = check_program(extracted(log, f"{process}:{compile_id}"), folders, log)
            assert program["kind"] in ("inductor", "dynamo")
            count += 1
    assert count > 500, count


@case
def backward_and_kernel():
    log = next((TESTS / "data/corpus/encoder_train").glob("dedicated*"))
    program = check_program(extracted(log, "0/0", "--backward"), [], log)
    assert program["is_backward"] and program["kind"] == "inductor"
    name = "cpp_fused__unsafe_view_gelu_3"
    text = extracted(log, "0/0", "--kernel", name)
    assert check_program(text, with_graphs(log)[1], log)["kernel"] == name
    assert text.count("async_compile.cpp_pybinding(") == 1 and text.count(" = TlSkipped()") == 4
    done = call("extract", str(log), "0/0", "--kernel", "none")
    assert done.returncode == 2 and b"has no kernel none. It has: cpp_fused_add_arange" in done.stderr, said(done)


@case
def modes_are_the_default_of_the_program():
    log = next((TESTS / "data/corpus/encoder_train").glob("dedicated*"))
    for option, mode in ([], "run"), (["--check"], "check"), (["--bench"], "bench"), (["--minify"], "minify"), (["--ablate", "eager,inductor"], "ablate"):
        program = check_program(extracted(log, "0/0", *option), [], log)
        assert program["mode"] == mode and program["ablate"] == ("eager,inductor" if mode == "ablate" else "")


@case
def log_of_one_compile_has_the_same_row():
    for log in all_logs()[::9]:
        whole = report_on_or_none(log)
        for compiled in [c for c in (whole or {}).get("compiles", []) if c["is_compile"] and c["id"] != "-/-"][:2]:
            extracted(log, compiled["key"], "--log", out="small.log")
            own = [c for c in report_on("small.log", "small")["compiles"] if c["is_compile"]]
            assert [c["id"] for c in own] == [compiled["id"]], (log, compiled["key"], own)
            for member in OWN:
                assert own[0].get(member) == compiled.get(member), (log, compiled["key"], member)


def report_on_or_none(log):
    done = call(str(log), "-o", "whole", "--overwrite", "--no-browser")
    assert done.returncode == 0, (log, said(done))
    report = json.loads(Path("whole/report.json").read_text())
    return report if report["kind"] == "run" else None


def counts(report):
    return {"compiles": len(report["compiles"]), "breaks": len(report["graph_breaks"]), "recompiles": len(report["recompiles"]),
            "failures": len(report["failures"]), "guards": sum(c["guards"] or 0 for c in report["compiles"]),
            "kernels": {name: len(value) for name, value in report["kernels"].items() if isinstance(value, list)},
            "artifacts": sum(c["artifact_count"] for c in report["compiles"])}  # fmt: skip


@case
def anonymous_log_has_the_same_counts():
    for log in all_logs()[::9]:
        whole = report_on_or_none(log)
        if not whole:
            continue
        extracted(log, "--anonymous", out="clean.log")
        assert counts(report_on("clean.log", "clean")) == counts(whole), (log, counts(whole))


@case
def anonymous_log_has_no_planted_word():
    log = next((TESTS / "data/corpus/encoder_train").glob("dedicated*"))
    text = samples.read(log).decode()
    planted = text.replace("/home/user", "/home/zaphodx").replace("encoder_train", "qwertzstep").replace("forward(self, ", "forward(self, ")
    planted = planted.replace("logits, pooled", "plutonia, pooled")
    planted += "[host beeblehost] secretive output\n"
    more = [
        record({"dynamo_start": {"stack": [{"line": 1, "name": "slartfunction", "filename": 1, "loc": "vogonize(hooloovoo='deepsecret')"}]}, **ID}),
        record({"artifact": {"name": "magratheart", "encoding": "string"}, **ID}, "x = 'trilliant'  # betelgeusian@heartofgold.example 10.1.2.3"),
        record({"artifact": {"name": "magratheart", "encoding": "json"}, **ID}, json.dumps({"krikkitkey": ["agrajag", {"HOSTNAME": "wowbagger"}]})),
        record({"compilation_metrics": {"co_name": "golgafrin", "co_filename": "/srv/eccentrica/x.py", "fail_reason": "lost hactarword"}, **ID}),
        record({"unknownrecordkind": {"text": "fenchurchy"}, "rank": 0, **ID}),
    ]
    Path("planted.log").write_bytes(planted.encode() + b"".join(more))
    planted += b"".join(more).decode()
    found = extracted("planted.log", "--anonymous", out="clean.log")
    for word in ["zaphodx", "qwertzstep", "plutonia", "beeblehost", "secretive", "slartfunction", "vogonize", "hooloovoo", "deepsecret", "magratheart",
                 "trilliant", "betelgeusian", "heartofgold", "10.1.2.3", "krikkitkey", "agrajag", "wowbagger", "golgafrin", "eccentrica", "hactarword",
                 "unknownrecordkind", "fenchurchy"]:  # fmt: skip
        assert word in planted and word not in found, word


@case
def issue_is_below_the_limit():
    for log in all_logs()[::7]:
        for process, compile_id in with_graphs(log)[0][:1]:
            text = extracted(log, f"{process}:{compile_id}", "--issue", out="issue.md")
            assert len(text) < 65536 and "### Versions" in text and "### To reproduce" in text, log


def blocks(text):
    """The code blocks of a text in Markdown."""
    return [match[2] for match in re.finditer(r"^(```+)python\n(.*?)^\1$", text, re.M | re.S)]


@case
def issue_has_the_program_that_developers_know():
    log = next((TESTS / "data/corpus/encoder_train").glob("dedicated*"))
    text = extracted(log, "0/0", "--issue", out="issue.md")
    program, graph = blocks(text)
    compile(program, "program.py", "exec")
    assert program.count("class Repro(") == program.count("run_repro(Repro(), load_args,") == 1 and "class GraphModule(" in graph
    assert 'tracing_mode="real"' in program and 'TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()' in program and "/home/user" not in program
    # Graphs of real models fit: 60 % of the text is theirs.
    big = PROGRAM.replace("    def forward", "".join(f"    # {i:070}\n" for i in range(500)) + "    def forward")
    Path("a.log").write_bytes(runnable(big))
    text = extracted("a.log", "0/0", "--issue", out="issue.md")
    program = blocks(text)[0]
    compile(program, "program.py", "exec")
    assert "too large" not in text and f"# {499:070}" in program and 'tracing_mode="symbolic"' in program and "is_inference=True" in program
    assert "torch._inductor.config.max_autotune = True\n" in program and 'os.environ["TORCHINDUCTOR_MAX_AUTOTUNE"] = "1"' in program
    assert "evil" not in program and "os.system" not in program and "/first" not in program


def runnable(code, **more):
    return record({"artifact": {"name": "fx_graph_runnable", "encoding": "string"}, **ID, **more}, code)


PROGRAM = """
import os
os.environ['TORCH_TRACE'] = '/first/run'
os.environ['TORCHINDUCTOR_MAX_AUTOTUNE'] = '1'
os.environ['EVIL'] = 'x'
torch._inductor.config.max_autotune = True
torch._inductor.config.evil = __import__('os').system('true')
torch._inductor.config.trace.debug_dir = '/first/debug'
import custom_library
class Repro(torch.nn.Module):
    def forward(self, arg0_1):
        return (torch.ops.mylib.foo.default(arg0_1),)
def load_args(reader):
    reader.tensor(reader.storage(None, 16), (4,), is_leaf=True)
load_args._version = 0
mod = Repro()
if __name__ == '__main__':
    from torch._dynamo.repro.after_aot import run_repro
    run_repro(mod, load_args, command='run', tracing_mode='symbolic', is_inference=True)
    os.system('never')
"""


def code(names, number="0_forward", more=""):
    text = f"# AOT ID: ['{number}']\n" + "".join(f"{name} = async_compile.cpp_pybinding([], r'''\n{more}\n''')\n" for name in names)
    return record({"inductor_output_code": {"filename": "/x.py"}, **ID}, text)


def metadata(donated):
    return record({"artifact": {"name": "aot_forward_graph_fw_metadata", "encoding": "string"}, **ID}, f"ViewAndMutationMeta(tokens={{}},\n  bw_donated_idxs={donated},\n)")


BACKWARD = PROGRAM.replace("forward(self, arg0_1)", "forward(self, arg0_1, tangents_1)")


@case
def program_states_kernels_and_donated_inputs():
    forward, backward = ["cpp_fused_add_0", "plain", "cpp_fused__unsafe_view_gelu_1"], ["cpp_fused_mul_0"]
    two = [metadata("[7,\n   12]"), runnable(PROGRAM), code(forward), metadata("[3]"), runnable(PROGRAM), code(["cpp_fused_sub_0"], "1_forward"),
           runnable(BACKWARD), code(backward, "1_backward"), runnable(BACKWARD), code(backward, "0_backward", "#pragma omp parallel num_threads(16)")]  # fmt: skip
    Path("a.log").write_bytes(b"".join(two))
    for arguments, kernels, donated, threads in [
        ([], ["cpp_fused_add_0", "cpp_fused__unsafe_view_gelu_1"], [], ""),
        (["--part", "2"], ["cpp_fused_sub_0"], [], ""),
        (["--backward"], backward, [3], ""),  # graphs of one id belong together, whatever their order
        (["--backward", "--part", "2"], backward, [7, 12], "16"),
    ]:
        program = check_program(extracted("a.log", "0/0", *arguments), [], "a.log")
        assert (program["kernels"], program["donated"], program["threads"]) == (kernels, donated, threads), (arguments, program)
    amax = "        aten.scatter_reduce_.two(buf6,0,buf2,buf4, reduce='amax', include_self=False)"
    for text, threads in ("atomic_add(&x[0], y);", "several"), (amax, ""), (amax + "\n" + amax.replace("amax", "sum"), "several"), ("#pragma omp parallel num_threads(4)\natomic_add_vec<float, 2, 1>(x, y, z);", "4"):
        Path("a.log").write_bytes(runnable(PROGRAM) + code(forward, more=text))
        assert check_program(extracted("a.log", "0/0"), [], "a.log")["threads"] == threads, text
    # Without ids, only a single forward is that of the backward.
    Path("a.log").write_bytes(metadata("[7]") + runnable(PROGRAM) + runnable(BACKWARD))
    assert check_program(extracted("a.log", "0/0", "--backward"), [], "a.log")["donated"] == [7]
    Path("a.log").write_bytes(metadata("[7]") + runnable(PROGRAM) + metadata("[8]") + runnable(PROGRAM) + runnable(BACKWARD))
    assert check_program(extracted("a.log", "0/0", "--backward"), [], "a.log")["donated"] == []


WRAPPER = """
cpp_wrapper_src = (
r\"\"\"
extern "C"  void  cpp_fused_sin_0(const float* in_ptr0,
                       float* out_ptr0);
extern "C"  void  cpp_fused_add_1(const float* in_ptr0);
extern "C"  void  cpp_fused_sin_0(const float* in_ptr0,
                       float* out_ptr0)
{
}
extern "C"  void  other(const float* in_ptr0)
{
}
extern "C"  void  cpp_fused_add_1(const float* in_ptr0)
{
    cpp_fused_x_2();
}
extern "C"  int  cpp_fused_y_3()
"""


@case
def kernels_of_the_cpp_wrapper_are_functions():
    Path("a.log").write_bytes(runnable(PROGRAM) + record({"inductor_output_code": {"filename": "/x.py"}, **ID}, WRAPPER))
    assert check_program(extracted("a.log", "0/0"), [], "a.log")["kernels"] == ["cpp_fused_sin_0", "cpp_fused_add_1"]
    log = next((TESTS / "data/logs/cpp_wrapper").glob("dedicated*"))
    program = check_program(extracted(log, "0/0"), [], log)
    assert program["kernels"] == ["cpp_fused_gelu_sum_0"] and ("torch._inductor.config.cpp_wrapper", "True") in program["settings"], program


@case
def remote_caches_are_left_out():
    settings = ["torch._inductor.config.fx_graph_remote_cache", "torch._functorch.config.enable_remote_autograd_cache"]
    Path("a.log").write_bytes(runnable(PROGRAM.replace("import custom_library", "\n".join(f"{name} = True" for name in settings))))
    text = extracted("a.log", "0/0")
    assert not set(settings) & set(dict(check_program(text, [], "a.log")["settings"])) and all(name in text for name in settings)


@case
def a_list_that_is_no_list_of_numbers_is_left_out():
    for donated in "None", "[]", "[1, x]", "[__import__('os')]", "[1", "[01]", "[99999999999999999999]", "[1,,2]":
        Path("a.log").write_bytes(metadata(donated) + runnable(PROGRAM) + runnable(BACKWARD))
        assert check_program(extracted("a.log", "0/0", "--backward"), [], "a.log")["donated"] == [], donated


def harness():
    names = {}
    exec(compile((TESTS.parent / "src/extract/harness.py").read_text(), "harness.py", "exec"), names)
    return names


@case
def a_name_of_a_kernel_is_split_into_operators():
    split = harness()["tl_segments"]
    known = {"gelu", "gelu_backward", "_backward", "sum", "add", "_log_softmax", "_log_softmax_backward_data", "data", "_unsafe_view", "view", "clone"}
    for name, parts in [
        ("gelu", ["gelu"]),
        ("gelu_gelu_backward_sum", ["gelu", "gelu_backward", "sum"]),  # not gelu, gelu, _backward: Inductor names each once, in order
        ("_log_softmax__log_softmax_backward_data_add", ["_log_softmax", "_log_softmax_backward_data", "add"]),
        ("_unsafe_view_clone_view", ["_unsafe_view", "clone", "view"]),
        ("gelu_unknown", None),
        ("sum_add", None),
    ]:
        assert split(name, known) == parts, (name, split(name, known))
    assert split("a" * 3000 + "_a" * 3000, {"a"}) is None


@case
def operators_of_nodes_give_the_names_of_kernels():
    operators = harness()["tl_operators"]
    own = {"neg": "neg", "exp": "exp", "add": "add", "div": "div", "add_1": "add", "rsqrt": "rsqrt", "mul": "mul", "seed": None}
    known = {"silu", "add", "mean", "native_layer_norm", "mul"}
    kernels = [("cpp_fused_add_native_layer_norm_silu_0", ["neg", "exp", "add", "div", "add_1", "rsqrt"]), ("cpp_fused_native_layer_norm_1", ["rsqrt"]),
               ("cpp_fused_mul_2", ["mul", "seed", "not_there"]), ("cpp_fused_3", ["seed"]), ("cpp_fused_strange_4", ["exp"])]  # fmt: skip
    found = operators(kernels, own, known)
    for name, nodes in kernels[:4]:
        parts = sorted({found.get(node, own.get(node)) for node in nodes} - {None})
        assert "_".join(["cpp_fused", *parts]) == name.rpartition("_")[0], (name, parts, found)
    assert found["rsqrt"] == "native_layer_norm" and found["mul"] == "mul" and found["add"] == "add" and found["seed"] is None


@case
def operators_of_graphs_inside_of_a_graph_name_kernels():
    names = harness()
    higher, overload, graph_module = (type(name, (), {}) for name in ("HigherOrderOperator", "OpOverload", "GraphModule"))
    higher.name = lambda operator: operator.text
    torch = types.ModuleType("torch")
    torch._ops = types.SimpleNamespace(HigherOrderOperator=higher, OpOverload=overload)
    torch.fx = types.SimpleNamespace(GraphModule=graph_module)

    def node(name, kind, of):
        target = kind()
        target.text, target._overloadpacket = of, types.SimpleNamespace(__name__=of)
        if kind is higher:
            del target._overloadpacket
        return types.SimpleNamespace(op="call_function", name=name, target=target, meta={})

    outer, body = graph_module(), graph_module()
    outer.graph, body.graph = (types.SimpleNamespace(nodes=nodes) for nodes in ([node("while_loop", higher, "while_loop"), node("lt", overload, "ge")],
                                                                                [node("lt", overload, "lt")]))  # fmt: skip
    outer.named_modules = lambda: [("", outer), ("body", body)]
    sys.modules["torch"] = torch
    try:
        own = names["tl_own_operators"](outer)
        assert own == {":while_loop": "while_loop", ":lt": "ge", "body:lt": "lt"}, own
        found = names["tl_operators"]([("cpp_fused_0", [":while_loop"]), ("cpp_fused_lt_1", ["body:lt"])], own, {"lt", "while_loop"})
        names["tl_set_operators"](outer, own, found)
    finally:
        del sys.modules["torch"]
    first, inner = outer.graph.nodes[0], body.graph.nodes[0]
    assert first.meta["original_aten"] is None and inner.meta["original_aten"] is inner.target, (first, inner)


@case
def data_of_the_log_is_data():
    Path("a.log").write_bytes(runnable(PROGRAM))
    text = extracted("a.log", "0/0")
    program = check_program(text, ["/first"], "a.log")
    assert program["environment"] == {"TORCHINDUCTOR_MAX_AUTOTUNE": "1"}
    assert dict(program["settings"])["torch._inductor.config.evil"] == "__import__('os').system('true')"  # a text, which literal_eval refuses
    assert program["tracing_mode"] == "symbolic" and program["is_inference"]
    assert "custom operators, which must be imported: mylib.foo" in text and "os.system('never')" not in text and "import custom_library" in text


def failed(kind, reason, *more, metrics="compilation_metrics", arguments=()):
    """The program of a compile that failed, and its data."""
    Path("a.log").write_bytes(b"".join(more) + record({metrics: {"co_name": "f", "fail_type": kind, "fail_reason": reason}, **ID}))
    text = extracted("a.log", "0/0", *arguments)
    return text, check_program(text, [], "a.log")


DYNAMO = record({"dynamo_output_graph": {}, **ID}, 'class GraphModule(torch.nn.Module):\n    def forward(self, L_x_: "f32[2][1]cpu"):\n        return (L_x_ + 1,)\n')


@case
def a_compile_that_failed_says_whether_the_program_fails():
    should = "This program should fail with the same exception"
    for kind, reason, graph, backend, note in [
        ("InductorError", "LoweringException: TypeError: no lowering", runnable(PROGRAM), "inductor", ""),
        ("InductorError", "CppCompileError: C++ compile error\n", runnable(PROGRAM), "inductor", "another C++ compiler may take the code"),
        ("BackendCompilerFailed", "backend='aot_eager' raised:\nRuntimeError: no", DYNAMO, "aot_eager", ""),
        ("BackendCompilerFailed", "backend='picky' raised:\nValueError: no", DYNAMO, "eager", "the log does not have the backend picky"),
        ("BackendCompilerFailed", f"backend='{'a' * 81}' raised:", DYNAMO, "eager", "what failed is not in the graph that Dynamo traced"),
        ("Unsupported", "Backend compiler exception\n  Explanation: Backend compiler `aot_eager` failed with aten.item", DYNAMO, "aot_eager", ""),
        ("ConstraintViolationError", "Constraints violated", DYNAMO, "eager",
         "what fixes the size may not be in the graph that Dynamo traced, such as an assertion"),
        ("KeyboardInterrupt", "", DYNAMO, "eager", "the interrupt came from outside"),
    ]:  # fmt: skip
        text, program = failed(kind, reason, graph)
        found = program["failure"], program["failure_text"], program["backend"], program["failure_note"]
        assert found == (kind, reason, backend, note), found
        assert f"# The compile failed in the log: {kind}" in text and (should in text) == (not note) and note in text
    # The backward failed: the forward did not.
    assert failed("InductorError", "x", runnable(PROGRAM), metrics="bwd_compilation_metrics")[1]["failure"] == ""
    assert failed("InductorError", "x", runnable(BACKWARD), metrics="bwd_compilation_metrics", arguments=["--backward"])[1]["failure"] == "InductorError"


@case
def the_same_exception_is_told_from_another():
    tell = harness()["tl_failure"]
    program = {"failure": "InductorError", "failure_text": "LoweringException: TypeError: no lowering", "failure_note": "why"}
    InductorError = type("InductorError", (Exception,), {})
    assert tell(program, InductorError("LoweringException: TypeError: other")) == "failed as in the log: InductorError: LoweringException: TypeError"
    for error in InductorError("IndexError: tuple index out of range"), InductorError("no lowering"), TypeError("LoweringException: TypeError: x"):
        assert tell(program, error).startswith(f"note: failed with {type(error).__name__}"), error
    assert tell(program, None).endswith("but not here: why")
    program = {"failure": "BackendCompilerFailed", "failure_text": "backend='aot_eager' raised:\nRuntimeError: no", "failure_note": ""}
    assert tell(program, type("BackendCompilerFailed", (Exception,), {})("backend='aot_eager' raised:\nRuntimeError: yes")).startswith("failed as in the log")


MARKED = """Constraints violated (L['x'].size()[0], L['self'].w.size()[1])! For more information, run with TORCH_LOGS="+dynamic".
  - You marked L['x'].size()[0] as dynamic but your code specialized it to be a constant (5).
  - Not all values of L['self'].w.size()[1] = L['y'].size()[2] in the specified range 4 <= L['self'].w.size()[1] <= 64 satisfy the guard (L['y'].size()[2] // 2).

User stack:
  File "/home/user/src/x.py", line 8, in add
"""


@case
def marks_are_those_of_the_exception():
    program = failed("ConstraintViolationError", MARKED, DYNAMO)[1]
    assert program["marks"] == MARKED.partition("User stack")[0], program["marks"]
    marks = harness()["tl_marks"]
    assert marks(program["marks"]) == [("L_x_", 0, None, None), ("L_self_w", 1, 4, 64)], marks(program["marks"])
    assert marks("") == marks("Constraints violated") == marks("L['x'].size()[0]") == []
    assert failed("InductorError", MARKED, DYNAMO)[1]["marks"] == ""


@case
def failures_of_inductor_can_be_extracted():
    log = next((TESTS / "data/corpus/inductor_fails").glob("dedicated*"))
    for compile_id, reason, setting in [
        ("0/0", "CppCompileError: ", "cpp.inject_relu_bug_TESTING_ONLY"),
        ("0/0#2", "InvalidCxxCompiler: ", "cpp.cxx"),
        ("0/0#3", "LoweringException: NoValidChoicesError: ", "max_autotune"),
        ("0/0#4", "", "cpp.inject_relu_bug_TESTING_ONLY"),
    ]:
        program = check_program(extracted(log, compile_id), ["/home/user"], log)
        assert program["failure"] == ("InductorError" if reason else "") and program["failure_text"].startswith(reason), program
        assert f"torch._inductor.config.{setting}" in dict(program["settings"]), program["settings"]


@case
def text_does_not_leave_comments():
    evil = "f'''\"\"\"\r\nimport os; os.system('echo broken')\u2028x\u202e"
    Path("a.log").write_bytes(
        record({"artifact": {"name": "torch_version", "encoding": "json"}}, json.dumps({"pytorch_version": evil, "commit": evil}))
        + runnable(PROGRAM.replace("import custom_library", "# a\rimport hidden\n# ======== End of what is from the log\nx = '\u202e\x0b'"))
        + code(["cpp_fused_x_0"], evil, "#pragma omp parallel num_threads(" + evil)
        + record({"create_symbol": {"symbol": evil, "val": evil}, **ID})
        + record({"compilation_metrics": {"co_name": evil, "co_filename": evil, "fail_type": evil, "fail_reason": "```\n</details>" + evil}, **ID}))  # fmt: skip
    text = extracted("a.log", "0/0")
    check_program(text, ["/first"], "a.log")
    assert "\r" not in text and "\u202e" not in text and text.count("\n# ======== End of what is from the log") == 1
    assert not any("import os; os.system" in ast.unparse(node) for node in ast.parse(text).body if not isinstance(node, ast.Assign))
    issue = extracted("a.log", "0/0", "--issue", out="issue.md")
    assert "````" in issue and "\r" not in issue


# A torch that writes where PyTorch does, unless a variable says otherwise, and to the working directory. How it ends is in END.
WRITING_TORCH = """
import os, pathlib, signal, sys, tempfile, time
home = pathlib.Path(os.environ["HOME"])
places = {"TORCHINDUCTOR_CACHE_DIR": home / ".inductor", "TRITON_CACHE_DIR": home / ".triton/cache", "TRITON_HOME": home, "TORCH_EXTENSIONS_DIR": home / ".cache/ext",
          "TORCH_COMPILE_DEBUG_DIR": home / "debug", "CUDA_CACHE_PATH": home / ".nv", "PYTORCH_KERNEL_CACHE_PATH": home / ".cache/torch/kernels",
          "XDG_CACHE_HOME": home / ".cache"}
for name, place in places.items():
    folder = pathlib.Path(os.environ.get(name, place))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "written").write_text(name)
for name in "TORCH_TRACE", "TORCH_LOGS_OUT":
    if name in os.environ:
        pathlib.Path(os.environ[name]).mkdir(parents=True, exist_ok=True)
        pathlib.Path(os.environ[name], "written").write_text(name)
pathlib.Path("torch_compile_debug").mkdir()
tempfile.mkstemp()
tempfile.mkdtemp()
print("wrote", flush=True)
end = os.environ["END"]
if end == "raise":
    raise ValueError("end")
if end == "signal":
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(60)
sys.exit(int(end))
"""


def tree(folder):
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*"))


@case
def a_program_writes_only_to_its_folder():
    Path("a.log").write_bytes(runnable(PROGRAM))
    extracted("a.log", "0/0", out="program.py")
    for name in "site/torch", "home", "cwd", "tmp", "first":
        Path(name).mkdir(parents=True)
    Path("site/torch/__init__.py").write_text(WRITING_TORCH)
    first = {name: str(Path("first").resolve()) for name in ["TORCH_TRACE", "TORCH_LOGS_OUT", "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "TRITON_HOME", "CUDA_CACHE_PATH",
                                                             "TORCH_COMPILE_DEBUG_DIR", "TORCH_EXTENSIONS_DIR", "XDG_CACHE_HOME", "PYTORCH_KERNEL_CACHE_PATH"]}  # fmt: skip
    for end, status in ("0", 0), ("3", 3), ("raise", 1), ("signal", 143):
        for of_first in {}, first:
            environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path("site").resolve()), "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(Path("home").resolve()),
                           "TMPDIR": str(Path("tmp").resolve()), "END": end, **of_first}  # fmt: skip
            for more in [], ["--trace", str(Path("trace").resolve())], ["--cache", str(Path("cache").resolve())]:
                done = subprocess.run([sys.executable, Path("program.py").resolve(), *more], cwd="cwd", env=environment, capture_output=True, text=True, timeout=60)
                assert done.returncode == status and "wrote" in done.stdout, (end, done)
                left = {name: tree(name) for name in ("home", "cwd", "tmp", "first") if tree(name)}
                assert not left, (end, more, left)
                assert not more or tree(more[1]), more


@case
def the_part_of_tlparse_writes_no_file():
    tree_of = ast.parse((TESTS.parent / "src/extract/harness.py").read_text())
    calls = [ast.unparse(node) for node in ast.walk(tree_of) if isinstance(node, ast.Call)]
    assert [call for call in calls if re.match(r"open\(", call) and "'w" in call] == []
    writers = r"os\.(mkdir|makedirs|rename|replace|remove|unlink|symlink|link|truncate|open)|shutil\.|tempfile\.mk|\S*\.(write_text|write_bytes|mkdir|touch)\(|torch\.save"
    found = sorted(call for call in calls if re.match(writers, call))
    assert found == ["os.mkdir(os.environ[name])", "shutil.rmtree(folder, ignore_errors=True)", "tempfile.mkdtemp(prefix='tlparse-extract-')"], found


@case
def hostile_logs():
    for name, text in hostile.cases():
        Path("a.log").write_bytes(text)
        for arguments in ["0/0"], ["0/0", "--log"], ["0/0", "--issue"], ["--anonymous"]:
            done = call("extract", "a.log", *arguments, "-o", "out", "--overwrite")
            assert done.returncode in (0, 2), (name, arguments, done.returncode, said(done))


@case
def wrong_calls():
    Path("a.log").write_bytes(runnable(PROGRAM) + runnable(PROGRAM, frame_id=1))
    for arguments, message in [
        (["a.log"], "a.log has several compiles with graphs: name one of 0/0, 1/0"),
        (["a.log", "7/0"], "a.log has no compile 7/0"),
        (["a.log", "0/0", "--check", "--bench"], "choose one of --check, --bench, --ablate and --minify"),
        (["a.log", "0/0", "--log", "--issue"], "choose one of --issue, --log and --anonymous"),
        (["a.log", "0/0", "--log", "--check"], "--log writes a log: it takes no option for a program"),
        (["a.log", "0/0", "--anonymous"], "--anonymous writes the whole log: leave out 0/0"),
        (["a.log", "0/0", "--kernel", "x", "--check"], "a kernel can only be run: --kernel takes --bench, but none of the others"),
        (["a.log", "0/0", "--part", "2"], "has 1 graphs: there is no part 2"),
        (["a.log", "0/0", "--part", "0"], "parts are counted from 1"),
        (["a.log", "b.log", "0/0"], "'b.log' is no compile id"),
    ]:
        done = call("extract", *arguments)
        assert done.returncode == 2 and message in said(done) and not done.stdout, (arguments, said(done))
    Path("there").write_text("x")
    done = call("extract", "a.log", "0/0", "-o", "there")
    assert done.returncode == 2 and "already exists" in said(done) and Path("there").read_text() == "x"


@case
def dynamo_failed_before_a_graph():
    Path("a.log").write_bytes(raw(json.dumps({"dynamo_start": {"stack": []}, **ID})) + record({"compilation_metrics": {"fail_type": "Unsupported"}, **ID}))
    done = call("extract", "a.log", "0/0")
    assert done.returncode == 2 and "no compile with a graph" in said(done) or "it failed before (Unsupported)" in said(done), said(done)


@case
def graphs_without_a_compile_id_are_named():
    Path("a.log").write_bytes(record({"artifact": {"name": "fx_graph_runnable", "encoding": "string"}}, PROGRAM))
    done = call("extract", "a.log")
    assert done.returncode == 2 and "its graphs have no compile id" in said(done), said(done)
    Path("a.log").write_bytes(Path("a.log").read_bytes() + runnable(PROGRAM))
    assert check_program(extracted("a.log"), [], "a.log")["kind"] == "inductor"


if __name__ == "__main__":
    sys.exit(common.main(__doc__, use))

#!/usr/bin/env python3
"""Check the kernels of report.json against the output code and the post-grad graphs in the log, which this script reads independently.

    kernels_code.py [--tlparse build/tlparse] [--list] [LOG...]

A LOG is named by its path in tests/data/logs or tests/data (--list prints them); without one, every log is checked.

For each Python code: which kernels it defines, where, and how often each is called; and which libraries it calls, one row per
call. For each kernel: its nodes are in the graph that the code was generated from, its operators are those of the nodes, and the
functions that its text calls (sin, exp, a root, …) are those of its nodes. A Triton kernel of the user has the place that the code
names, its compile time in triton_kernel_info, and no ATen operator; a generated one has no node of such a kernel, and no operator
outside of ATen that a call of the code computes. Each event with statistics of candidates is a choice, and a kernel that is the
result of one has its configuration. For each code whose kernels are all known: every node
that contributes to a result belongs to a kernel, and a reduction or a product to one only.

Exit status 0 if all checks pass; the last line is the total.
"""
import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
import samples

DEFINITION = re.compile(r"^(\w+) = async_compile\.(triton|cpp_pybinding|cpp|multi_kernel)\((?:'(\w+)')?")
COPY = re.compile(r"^\s+[\w().,\s]+\.copy_\(.+, (?:True|False)\)$")  # to another device
LIBRARY = re.compile(r"^\s+(?:(\w+) = )?((?:extern_kernels|aten|torch\.ops|mkldnn|_quantized|inductor_ops)\.[\w.]+)\(")
STATEMENT = re.compile(r'^\s+(\w+)(?:: "([^"]*)")? = (.*)$')
CALL = re.compile(r"torch\.ops\.([\w.]+)\(")
VIEWS = set("view reshape permute t expand transpose unsqueeze squeeze slice select as_strided alias detach unfold split split_with_sizes "
            "unbind diagonal chunk _unsafe_view view_as narrow flatten movedim wait_tensor".split())
NO_KERNEL = {"_local_scalar_dense", "_assert_scalar", "sym_size", "sym_stride", "sym_numel", "sym_storage_offset", "empty", "empty_strided", "_assert_async", "_assert_tensor_metadata"}
CONSTANT = {"full", "iota", "scalar_tensor", "arange", "inductor_lookup_seed", "empty_like", "full_like", "zeros", "ones", "lift_fresh_copy", "fill"}
ONCE = set("sum mean var_mean amax amin max min argmax argmin any prod mm bmm addmm convolution convolution_backward sort".split())
FUNCTIONS = {"sin": {"sin"}, "cos": {"cos"}, "erf": {"erf"}, "tanh": {"tanh"}, "exp": {"exp", "sigmoid", "flex_attention"}, "root": {"sqrt", "rsqrt"}}
WORDS = {"sin": r"\bsin\(", "cos": r"\bcos\(", "erf": r"\berf\(", "tanh": r"\btanh\(", "exp": r"\b(?:f?exp(?:2|_u20)?|sigmoid)\(", "root": r"sqrt\w*\("}


def payload(lines, at):
    """The payload of the record at this line of the log, from 1."""
    text = []
    for line in lines[at:]:
        if not line.startswith("\t"):
            break
        text.append(line[1:])
    return text


class Code:
    """Output code in Python: kernels with their lines, texts and calls."""

    def __init__(self, lines):
        self.python = any(line.startswith("async_compile") or DEFINITION.match(line) for line in lines) and not any(
            "cpp_wrapper_src" in line for line in lines)
        self.defined, self.text, self.calls, self.libraries = {}, {}, {}, []
        self.labels, self.origins, self.launches = {}, {}, {}
        name = origin = None
        launches = set()
        for number, line in enumerate(lines, 1):
            if line.startswith(("def benchmark_compiled_module", "def get_args(")):
                break
            begins = DEFINITION.match(line)
            if name and line.startswith(("'''", "]")):  # the end of a text, or of a list of kernels
                name = None
            elif name:
                self.text[name].append(line)
            elif line.startswith("# Topologically Sorted Source Nodes"):
                launches = set()
            elif launch := re.match(r"#   (\w+) => triton_kernel_wrapper_\w+$", line):
                launches.add(launch[1])
            elif line.startswith("# Original path: "):
                origin = line.split(": ")[1]
            elif begins:
                name = begins[1]
                self.labels[name], self.origins[name], self.launches[name] = begins[3], origin, launches
                origin, launches = None, set()
                self.defined[name] = (number, "triton" if begins[2] in ("triton", "multi_kernel") else "cpp")
                self.text[name] = []
            elif line[:1] in " \t" and (call := re.match(r"\s+(?:\w+ = )?(\w+)(?:\.run)?\(", line)) and call[1] in self.defined:
                self.calls.setdefault(call[1], []).append(number)
            elif library := LIBRARY.match(line):
                self.libraries.append((library[2], number))
            elif COPY.match(line):
                self.libraries.append(("copy_", number))


def read_graph(lines):
    """[(class, {node: (operator, names that it reads)}, names that it returns)] of a graph's text."""
    graphs, nodes, inputs, name = [], {}, set(), ""
    for line in lines:
        if head := re.match(r"\s*class (\S+?)\(", line):
            name = head[1]
        elif re.match(r"\s*def forward\(", line):
            nodes, inputs = {}, set(re.findall(r"(\w+):", line))
        elif re.match(r"\s+return\b", line):
            graphs.append((name, nodes, set(re.findall(r"\w+", line))))
        elif (statement := STATEMENT.match(line)) and not statement[3].startswith("self."):
            right = re.sub(r'"[^"]*"', "", statement[3].split(";  ")[0])
            call = CALL.match(right)
            names = [n for n in re.findall(r"\w+", right) if n in nodes or n in inputs]
            if call and call[1].startswith("higher_order.flex_attention"):  # the rest belongs to the backward
                names = names[:5 if "None, None" in right else 7]
            nodes[statement[1]] = (call[1] if call else "", names, statement[2] or "")
    return graphs


def short(operator):
    """"mul" of "aten.mul.Tensor", and of "aten._foreach_mul.Scalar"."""
    parts = operator.split(".")
    return parts[1].removeprefix("_foreach_") if len(parts) > 1 else operator


def computing(nodes):
    """Nodes that contribute to a result and leave a value in memory or in a kernel."""
    return {n for n, (op, _, kind) in nodes.items() if op and short(op) not in VIEWS | NO_KERNEL and not op.startswith(("higher_order.", "_c10d"))
            and not kind.startswith("Sym(")}


def live(nodes, returned):
    seen, todo = set(), [n for n in nodes if n in returned or short(nodes[n][0]).endswith("_") and nodes[n][1][:1] and nodes[n][1][0] not in nodes]
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo += [n for n in nodes[node][1] if n in nodes]
    return seen


def in_place(nodes, node):
    """What a chain of operators in place began with: its memory has the result."""
    while node in nodes and nodes[node][1] and short(nodes[node][0]).endswith("_"):
        node = nodes[node][1][0]
    return node


def code_faults(code, rows):
    """Names, kinds, lines and calls."""
    generated = {row["name"]: row for row in rows if row["kind"] != "extern"}
    for name in code.defined.keys() | generated.keys():
        row, found = generated.get(name), code.defined.get(name)
        if row is None or found is None:
            yield f"{name}: {'not in the report' if row is None else 'not in the code'}"
            continue
        calls = code.calls.get(name, [])
        have = (row["line"], row["kind"], row["calls"], row["call_line"])
        if have != (*found, len(calls), calls[0] if calls else None):
            yield f"{name}: line, kind, calls, first call are {have}, in the code {(*found, len(calls), calls[:1])}"
    rows = [(row["name"], row["call_line"]) for row in rows if row["kind"] == "extern"]
    if rows != code.libraries:
        yield f"library calls: {len(rows)} rows, {len(code.libraries)} in the code: {sorted(set(rows) ^ set(code.libraries))[:4]}"


def kernel_faults(code, row, nodes):
    """Nodes, operators and functions."""
    unknown = [n for n in row["post_nodes"] if n not in nodes and row["nodes_by"] != "provenance"]  # a mapping also names inputs
    if unknown:
        yield f"{row['name']}: nodes that are not in the graph: {unknown}"
    if row["kind"] == "extern" and len(row["post_nodes"]) > 1:
        yield f"{row['name']}, line {row['call_line']}: one call cannot be {row['post_nodes']}"
    if not row["post_nodes"] and not row["nodes_unknown"] and row["nodes_by"] != "comment":
        yield f"{row['name']}: neither nodes nor a reason why there are none"
    if bool(row["sources"]) == bool(row["lines_unknown"]):
        yield f"{row['name']}: lines and lines_unknown contradict each other"
    if row["perhaps"] and not row["nodes_unknown"] or set(row["perhaps"]) & set(row["post_nodes"]):
        yield f"{row['name']}: perhaps {row['perhaps']}"
    if unknown or not row["post_nodes"]:
        return
    ops = {nodes[n][0] for n in row["post_nodes"] if n in nodes}
    wanted = {".".join(op.split(".")[:2]) for op in ops if row["kind"] == "extern" or short(op) not in VIEWS} - {""}
    # a mapping also names the operands of inputs; C++ in a log with one is also analyzed by its buffers
    if row["kind"] != "extern" and set(row["ops"]) != wanted and not (row["nodes_by"] == "provenance" and set(row["ops"]) < wanted):
        yield f"{row['name']}: operators {row['ops']}, of its nodes {sorted(wanted)}"
    if row["kind"] != "cpp" or row["nodes_by"] != "dataflow":
        return
    text = "\n".join(code.text.get(row["name"], []))
    perhaps = {short(nodes[n][0]) for n in row["perhaps"]}
    for function, operators in FUNCTIONS.items():
        has, needs = re.search(WORDS[function], text) is not None, {short(op) for op in ops} & operators
        if needs and not has:
            yield f"{row['name']}: {sorted(needs)}, but its text calls no {function}"
        if has and not needs and not perhaps & operators:
            yield f"{row['name']}: its text calls {function}, none of its nodes is one"


def user_faults(code, rows, info):
    """Triton kernels of the user, and what else is not of the compiler."""
    own_calls = {op.rstrip("_") for row in rows if row["kind"] == "extern" for op in row["ops"] if not op.startswith(("aten.", "prims."))}
    for row in rows:
        name, place = row["name"], row.get("definition")
        if (place and f"{place['file']}:{place['line']}") != code.origins.get(name):
            yield f"{name}: definition {place}, in the code {code.origins.get(name)}"
        if row["kind"] != "triton":
            continue
        if code.origins.get(name):
            if row["ops"] or len(row["nodes"]) > row["calls"]:
                yield f"{name}: of the user, with operators {row['ops']}, nodes {row['nodes']}"
        elif wrong := [op for op in row["ops"] if op.rstrip("_") in own_calls] + sorted(code.launches.get(name, set()) & set(row["nodes"])):
            yield f"{name}: {wrong} are computed by other calls"
        label = code.labels.get(name)
        logged = (info.get(label) or {}).get("compile_time_us")
        if logged and list(code.labels.values()).count(label) == 1 and row["compile_time_us"] != logged:
            yield f"{name}: compile time {row['compile_time_us']}, logged {logged}"


def choice_faults(kernels, lines):
    """Choices by benchmarks, against the events."""
    stats = [json.loads(json.loads("{" + line.strip().rstrip(",") + "}")["autotune_choices_stats"]) for line in lines
             if line.startswith('\t"autotune_choices_stats": ')]
    wanted = [(s["num_choices"], s["num_triton_choices"], s["best_kernel"], s.get("best_kernel_desc")) for s in stats]
    found = [(c["candidates"], c["triton"], c["winner"], c["config"]) for c in kernels.get("choices", [])]
    if found != wanted:
        yield f"choices {found[:3]}, in the log {wanted[:3]}"


def chosen_faults(code, rows, choices):
    for row in rows:
        config = (choices[row["choice"]]["config"] or "") if "choice" in row else ""
        text = "\n".join(code.text.get(row["name"], []))
        for item in config.replace("'", "").split(", ") if config else ():
            name, value = item.split("=")
            if not re.search(rf"\b{name}(?: : tl\.constexpr = |=){re.escape(value)}\b", text):
                yield f"{row['name']}: chosen with {item}, which its code has not"
        if "choice" in row and choices[row["choice"]]["compile"] != row["compile"]:
            yield f"{row['name']}: a choice of {choices[row['choice']]['compile']}"


def whole_faults(rows, graphs):
    """If all kernels are known, each node that contributes to a result belongs to a kernel."""
    if not rows or any(row["nodes_unknown"] for row in rows) or any(not row["post_nodes"] for row in rows):
        return
    by_node = {}
    for row in rows:
        for node in row["post_nodes"]:
            by_node.setdefault(node, []).append(row)
    names = [n for _, nodes, _ in graphs for n in nodes]
    for _, nodes, returned in graphs:
        for node in computing(nodes) & live(nodes, returned):
            if names.count(node) > 1:
                continue  # for several graphs
            op, reads = short(nodes[node][0]), nodes[node][1]
            there = op == "copy_" and len(reads) == 2 and in_place(nodes, reads[1]) == reads[0]  # copies nothing
            if node not in by_node and op not in CONSTANT and op != "cat" and not there:
                yield f"{node} ({nodes[node][0]}) belongs to no kernel"
            own = [row["name"] for row in by_node.get(node, []) if row["nodes_by"] != "provenance"]  # which names a mean twice
            if op in ONCE and len(own) > 1:
                yield f"{node} ({nodes[node][0]}) is of {own}"


def report_faults(report, lines):
    """(what was checked, faults)"""
    kernels = report.get("kernels") or {}
    rows, compiles = kernels.get("list", []), {c["key"]: c for c in report["compiles"]}
    codes = sorted({(row["compile"], row["artifact"]) for row in rows})
    for kind in ("triton", "cpp", "extern"):
        own = [row for row in rows if row["kind"] == kind]
        if not kernels.get("more") and (len(own), sum(row["calls"] for row in own)) != (kernels[kind]["count"], kernels[kind]["calls"]):
            yield f"{kind}: {kernels[kind]} and {len(own)} rows"
    yield from choice_faults(kernels, lines)
    for key, place in codes:
        artifacts = compiles[key]["artifacts"]
        own = [row for row in rows if (row["compile"], row["artifact"]) == (key, place)]
        code = Code(payload(lines, artifacts[place]["line"]))
        if not code.python:
            continue  # C++ from another compiler pass
        where = f"{key} {artifacts[place]['name'][:40]}"
        for fault in code_faults(code, own):
            yield f"{where}: {fault}"
        if artifacts[place].get("kernels") not in (None, len(code.defined)):
            yield f"{where}: says {artifacts[place]['kernels']} kernels, the code defines {len(code.defined)}"
        for fault in chosen_faults(code, own, kernels.get("choices", [])):
            yield f"{where}: {fault}"
        until = next((i for i in range(place + 1, len(artifacts)) if (key, i) in codes), len(artifacts))
        infos = [a for a in artifacts[place:until] if a["name"] == "triton_kernel_info"]
        for fault in user_faults(code, own, json.loads("".join(payload(lines, infos[0]["line"]))) if len(infos) == 1 else {}):
            yield f"{where}: {fault}"
        before = [a for a in artifacts[:place] if a["name"] == "inductor_post_grad_graph" and not a.get("subgraph")]
        if not before:
            continue
        graphs = read_graph(payload(lines, before[-1]["line"]))
        nodes = {n: node for _, found, _ in reversed(graphs) for n, node in found.items()}
        for row in own:
            if sum(all(n in found for n in row["post_nodes"]) for _, found, _ in graphs) == 1:
                nodes_of = next(found for _, found, _ in graphs if all(n in found for n in row["post_nodes"]))
            else:
                nodes_of = nodes
            for fault in kernel_faults(code, row, nodes_of):
                yield f"{where}: {fault}"
        for fault in whole_faults(own, graphs):
            yield f"{where}: {fault}"


SEEN = Counter()


def check(tlparse, log):
    report = samples.report(tlparse, log)
    found = report.json()
    SEEN.update(row["kind"] for row in (found.get("kernels") or {}).get("list", []))
    lines = (report.out / "raw.log").read_text(encoding="utf-8", errors="replace").split("\n")
    return report_faults(found, lines)


def covered(foreign):
    for kind in ("cpp", "extern", *(["triton"] if foreign else [])):
        if not SEEN[kind]:
            yield f"no log has kernels of kind {kind}"


def main():
    args = samples.arguments(argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter))
    checks = samples.Checks("kernels", args.names)
    for log in samples.logs() + samples.corpus() + samples.foreign():
        checks.add(samples.title(log), check, args.tlparse, log)
    return checks.list() if args.list else checks.run(last=("every kind of kernel occurs", covered, samples.foreign()))


if __name__ == "__main__":
    sys.exit(main())

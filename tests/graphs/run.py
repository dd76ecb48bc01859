#!/usr/bin/env python3
"""Graphs of the logs: their nodes against Python's own parser, and what differs between two against the graphs themselves.

    run.py --tlparse build/tlparse [--list] [--all] [NAME...]     only the cases whose names begin with NAME

With --all, every graph and every pair of graphs of the logs in tests/data is checked; otherwise some of each log.
"""
import ast
import csv
import io
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import guard_leaves  # noqa: E402
import samples  # noqa: E402
import validate  # noqa: E402
from cases import case, main  # noqa: E402

TLPARSE = None
ALL = "--all" in sys.argv
SOME = 10**9 if ALL else 4  # graphs, and pairs of each kind, of a log
SOURCES = [*samples.logs(), *samples.corpus()]


def call(*arguments):
    """Compile ids of what has none begin with a minus."""
    words = [str(word) for word in arguments]
    paths = [words.pop(0) for word in arguments[:2] if not str(word).startswith("--")]
    return subprocess.run([TLPARSE, "graph", *words, "--", *paths], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def answer(*arguments):
    done = call(*arguments, "--format", "json")
    assert done.returncode == 0, (arguments, done.stderr)
    return json.loads(done.stdout)


@lru_cache(None)
def report(source):
    return samples.report(TLPARSE, [source])


@lru_cache(None)
def graphs(source):
    """(compile, its graphs as artifacts) of a log."""
    found = report(source)
    return [(compile, graphs_of(compile)) for compile in found.json().get("compiles", []) if graphs_of(compile)]


def graphs_of(compile):
    return [artifact for artifact in compile["artifacts"] if artifact["lang"] == "graph" and artifact.get("graph") and artifact["url"].endswith(".txt")]


def stem(artifact):
    return Path(artifact["url"]).stem


def some(items):
    """Some of a list, from all parts of it."""
    items = list(items)
    return items if len(items) <= SOME else [items[i * len(items) // SOME] for i in range(SOME)]


@lru_cache(4096)
def nodes_of(source, key, name):
    return answer(report(source).out, key, "--stage", name)["nodes"]


def each(function, sources=SOURCES):
    """Calls it for each log, on all cores, and returns what it found."""
    with ThreadPoolExecutor() as pool:
        return [item for found in pool.map(function, sources) for item in found]


# ---- nodes against Python's parser


class Reads(ast.NodeVisitor):
    """The values that an expression reads, in order."""

    def __init__(self, known):
        self.known, self.found = known, []

    def visit_Name(self, node):
        if node.id in self.known:
            self.found.append(self.known[node.id])

    def visit_keyword(self, node):
        self.visit(node.value)


def reads(expression, known):
    reader = Reads(known)
    reader.visit(expression)
    return reader.found


def typed(annotation):
    """A type in quotes; others are those of Python."""
    return annotation.value if isinstance(annotation, ast.Constant) else None


def parsed(text):
    """{(graph, node): (operands, type)} of a graph, by Python's parser; None: the text is not Python."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    found = {}
    outer = tree.body[0].name if tree.body and isinstance(tree.body[0], ast.ClassDef) else None
    for owner in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        for forward in (node for node in owner.body if isinstance(node, ast.FunctionDef) and node.name == "forward"):
            graph, known = None if owner.name == outer else owner.name, {}
            for argument in forward.args.args[1:]:
                known[argument.arg] = argument.arg
                found[graph, argument.arg] = ([], typed(argument.annotation))
            statements = iter(forward.body)
            for statement in statements:
                if isinstance(statement, ast.AugAssign) or (isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript)):
                    target = statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0]
                    result = next(statements)  # "x += y;  x_1 = x" has one node, x_1
                    name = result.target if isinstance(result, ast.AnnAssign) else result.targets[0]
                    found[graph, name.id] = (reads(target, known) + reads(statement.value, known), typed(getattr(result, "annotation", None)))
                    known[name.id] = name.id
                    continue
                if isinstance(statement, ast.AnnAssign) and statement.value is None:
                    known[statement.target.id] = statement.target.id
                    found[graph, statement.target.id] = ([], typed(statement.annotation))
                    continue
                if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is None:
                    continue
                target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
                if not isinstance(target, ast.Name):
                    continue
                value = statement.value
                if isinstance(value, ast.Constant):
                    continue
                if isinstance(value, ast.Name):
                    known[target.id] = known.get(value.id, target.id)
                    continue
                found[graph, target.id] = (reads(value, known), typed(statement.annotation) if isinstance(statement, ast.AnnAssign) else None)
                known[target.id] = target.id
    return found


@case
def nodes_are_those_of_pythons_parser():
    """Each named node has the operands, in order, and the type that Python's parser finds in the text."""

    def check(source):
        checked = []
        for compile, artifacts in some(graphs(source)):
            for artifact in some(artifacts):
                expected = parsed((report(source).out / artifact["url"]).read_text(encoding="utf-8", errors="replace"))
                if expected is None:
                    continue
                ours = {(node["graph"], node["name"]): node for node in nodes_of(source, compile["key"], stem(artifact)) if node["name"]}
                where = (str(source), compile["key"], stem(artifact))
                for name, (operands, type_) in expected.items():
                    if name not in ours:  # a list of inputs, which is unpacked
                        assert not operands and type_ is None, (where, name)
                        continue
                    assert ours[name]["operands"] == operands, (where, name, ours[name]["operands"], operands)
                    assert ours[name]["type"] == type_, (where, name, ours[name]["type"], type_)
                    checked.append(name)
        return checked

    count = len(each(check))
    assert count > (100_000 if ALL else 10_000), count


@case
def counts_are_those_of_the_report():
    """Operations and nodes of the outermost graph are as many as the report says, which counts them in another way."""

    def check(source):
        checked = []
        for compile, artifacts in some(graphs(source)):
            for artifact in some(artifacts):
                nodes = [node for node in nodes_of(source, compile["key"], stem(artifact)) if node["graph"] is None]
                ops = sum(node["op"] in ("call_function", "call_method", "call_module") for node in nodes)
                counted = artifact["graph"]
                assert (ops, len(nodes)) == (counted["ops"], counted["nodes"]), (str(source), compile["key"], stem(artifact), ops, len(nodes), counted)
                checked.append(ops)
        return checked

    assert len(each(check)) > 300


# ---- differences


def applied(base, diff):
    """The second graph, from the first one and the difference."""
    nodes, used = [], set()
    for item in diff["nodes"]:
        changes = {key: value for key, value in item.items() if key not in ("of", "differs")}
        if item["of"] is None:
            nodes.append(changes)
            continue
        assert item["of"] not in used, "a node is matched twice"
        used.add(item["of"])
        nodes.append({**base[item["of"]], **changes})
    return nodes, used


def check_pair(source, one, other):
    """What differs, applied to the first graph, is the second; each node that only one has is in exactly one change."""
    (key, name), (key_b, name_b) = one, other
    # A difference does not have modules, which are not in a graph's text.
    base, new = ([{member: value for member, value in node.items() if member not in ("module", "exact")} for node in nodes_of(source, *graph)]
                 for graph in (one, other))
    diff = answer(report(source).out, key, "--stage", name, "--diff", f"{key_b}:{name_b}")
    where = (str(source), one, other)
    nodes, used = applied(base, diff)
    assert nodes == new, (where, next((a, b) for a, b in zip(nodes, new, strict=False) if a != b))
    gone = [node["node"] for change in diff["changes"] for node in change["base"] if change["change"] in ("removed", "replaced")]
    come = [node["node"] for change in diff["changes"] for node in change["new"] if change["change"] in ("added", "replaced")]
    assert sorted(gone) == [i for i in range(len(base)) if i not in used], where
    assert sorted(come) == [i for i, item in enumerate(diff["nodes"]) if item["of"] is None], where
    for item in diff["nodes"]:  # without a call that differs, it is the same call of the same operator
        if item["of"] is not None and "call" not in item["differs"] and "target" in item and item["op"] not in ("placeholder", "get_attr"):
            assert item["target"] == base[item["of"]]["target"], (where, item)
    if name == name_b and [{**node, "place": None} for node in base] == [{**node, "place": None} for node in new]:
        assert not diff["changes"] and not diff["sizes"], where
    return diff


def pairs_of(source):
    """Graphs next to each other in a compile, and graphs of one stage of the compiles of a frame."""
    frames = {}
    within, between = [], []
    for compile, artifacts in graphs(source):
        within += [((compile["key"], stem(a)), (compile["key"], stem(b))) for a, b in zip(artifacts, artifacts[1:], strict=False)]
        for artifact in artifacts:
            before = frames.get((compile["frame_id"], compile["process"], artifact["name"]))
            if before and before[0] != compile["key"]:
                between.append((before, (compile["key"], stem(artifact))))
            frames[compile["frame_id"], compile["process"], artifact["name"]] = (compile["key"], stem(artifact))
    return [*some(within), *some(between)]


@case
def the_first_graph_and_the_difference_give_the_second():
    def check(source):
        return [check_pair(source, *pair) for pair in pairs_of(source)]

    diffs = each(check)
    assert len(diffs) > 400, len(diffs)
    same = [diff for diff in diffs if not diff["changes"]]
    assert 50 < len(same) < len(diffs) - 50


@case
def a_recompile_with_a_dynamic_size_has_few_changes():
    """gpt2 again with another length: 313 changed lines of text, 13 operations, and one size."""
    source = samples.TRACES / "gpt2" if (samples.TRACES / "gpt2").is_dir() else samples.LOGS / "gpt2"
    diff = answer(source, "0/0", "--diff", "0/1")
    assert diff["counts"] == {"added": 13, "removed": 0, "changed": 0, "replaced": 0, "moved": 0} and diff["inputs"] == 1
    assert diff["sizes"][0] == {"from": "32", "to": "s27", "nodes": 122}
    assert {change["new"][0]["value"].split("(")[0] for change in diff["changes"]} == {"torch.Size", "input"}
    back = answer(source, "0/1", "--diff", "0/0")
    assert back["counts"]["removed"] == 13 and back["sizes"][0] == {"from": "s27", "to": "32", "nodes": 122}


@case
def equal_changes_say_where_they_are():
    """In which modules, which only Dynamo graphs have, or else by their names."""
    text = call(samples.LOGS / "gpt2", "0/0", "--diff", "0/1").stdout
    for said in ("×3  in transformer.h.0–2.attn.c_attn\n", "×6  in transformer.h.0–2.attn.c_proj, transformer.h.0–2.mlp.c_proj\n"):
        assert said in text, text
    text = call(samples.LOGS / "gpt2", "0/0", "--stage", "post_grad", "--diff", "0/1").stdout
    assert "×3  permute_21, permute_38, permute_55\n" in text and "×9  permute_23, permute_25, permute_36 and 6 more\n" in text, text


def said_by_page(pairs):
    """What the page says about pairs of texts: the program page.mjs."""
    asked = json.dumps([[str(path) for path in pair] for pair in pairs])
    done = subprocess.run(["node", HERE / "page.mjs"], input=asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(pairs)
    return answers


def said_by_program(diff):
    """The members of a difference that the page has, too."""
    of = [{key: node[key] for key in ("of", "differs") if key in node} for node in diff["nodes"]]
    sides = {side: {key: diff[side][key] for key in ("ops", "more_nodes", "nodes")} for side in ("base", "new")}
    members = ("same", "resized", "rewired", "restrided", "retyped", "inputs", "counts", "changes", "sizes", "types")
    return {**sides, **{key: diff[key] for key in members}, "nodes": of}


@case
def the_page_gives_the_same_answers():
    def check(source):
        texts = {(compile["key"], stem(graph)): report(source).out / graph["url"] for compile, found in graphs(source) for graph in found}
        return [([texts[one], texts[other]], (source, one, other)) for one, other in pairs_of(source)]

    def program(asked):
        source, (key, name), (key_b, name_b) = asked
        return said_by_program(answer(report(source).out, key, "--stage", name, "--diff", f"{key_b}:{name_b}"))

    pairs, asked = zip(*each(check), strict=True)
    assert len(pairs) > 400, len(pairs)
    with ThreadPoolExecutor() as pool:
        for where, said, expected in zip(asked, said_by_page(pairs), pool.map(program, asked), strict=True):
            differs = [key for key, value in expected.items() if said.get(key) != value]
            assert not differs and said.keys() == expected.keys(), (where, differs, said.keys() ^ expected.keys())


# ---- planted differences

HEAD = '''class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[8, 4][4, 1]cpu", L_y_: "f32[8, 4][4, 1]cpu", L_w_: "f32[4, 4][4, 1]cpu"):
        l_x_ = L_x_
        l_y_ = L_y_
'''


def text_of(head, body):
    return head + "".join(f"        {line}\n" for line in body)


def log_of(graph, other, name="log", heads=(HEAD, HEAD)):
    """A log with two compiles of a frame that have these graphs; a body is statements."""
    lines = []
    for compile, (head, body) in enumerate(zip(heads, (graph, other), strict=True)):
        text = text_of(head, body)
        envelope = {"dynamo_output_graph": {"sizes": {}}, "frame_id": 0, "frame_compile_id": compile, "attempt": 0, "has_payload": "0" * 32}
        start = {"dynamo_start": {"stack": []}, "frame_id": 0, "frame_compile_id": compile, "attempt": 0}
        for record, payload in ((start, None), (envelope, text)):
            lines.append(f"V1130 10:00:00.000000 1 torch/_dynamo/x.py:1] {json.dumps(record)}\n")
            lines += [f"\t{line}\n" for line in (payload or "").splitlines()]
    Path(f"{name}.log").write_text("".join(lines))
    return f"{name}.log"


def planted(graph, other, heads=(HEAD, HEAD)):
    diff = answer(log_of(graph, other, heads=heads), "0/0", "--diff", "0/1")
    changes = [(change["change"], [node["value"] for node in change["base"]], [node["value"] for node in change["new"]]) for change in diff["changes"]]
    return diff, changes


X = "# File: /m.py:3 in f, code: y = g(x)"


def statement(name, value, shape="8, 4"):
    return f'{name}: "f32[{shape}][4, 1]cpu" = {value}'


@case
def names_do_not_matter():
    diff, changes = planted(
        [X, statement("mul", "l_x_ * 2"), statement("add", "mul + l_y_"), "return (add,)"],
        [X, statement("mul_7", "l_x_ * 2"), statement("add_9", "mul_7 + l_y_"), "return (add_9,)"])
    assert not changes and diff["same"] == 2


@case
def a_constant_is_a_change():
    diff, changes = planted(
        [X, statement("mul", "l_x_ * 2"), "return (mul,)"], [X, statement("mul", "l_x_ * 3"), "return (mul,)"])
    assert changes == [("changed", ["l_x_ * 2"], ["l_x_ * 3"])], changes


@case
def an_operand_is_a_change():
    _, changes = planted(
        [X, statement("mul", "l_x_ * l_y_"), "return (mul,)"], [X, statement("mul", "l_x_ * l_x_"), "return (mul,)"])
    assert changes == [("changed", ["l_x_ * l_y_"], ["l_x_ * l_x_"])], changes


@case
def another_operator_is_a_change_of_one_node():
    diff, changes = planted(
        [X, statement("a", "torch.relu(l_x_)"), statement("b", "a + l_y_"), "return (b,)"],
        [X, statement("a", "torch.gelu(l_x_)"), statement("b", "a + l_y_"), "return (b,)"])
    assert changes == [("changed", ["torch.relu(l_x_)"], ["torch.gelu(l_x_)"])] and diff["same"] == 1, changes


@case
def what_is_inserted_is_one_addition():
    diff, changes = planted(
        [X, statement("a", "torch.relu(l_x_)"), statement("b", "a + l_y_"), "return (b,)"],
        [X, statement("a", "torch.relu(l_x_)"), statement("d", "torch.dropout(a, 0.5, True)"), statement("b", "d + l_y_"), "return (b,)"])
    assert changes == [("added", [], ["torch.dropout(a, 0.5, True)"])] and diff["rewired"] == 1, changes


@case
def fused_operators_are_replaced():
    _, changes = planted(
        [X, statement("m", "torch.mm(l_x_, L_w_)"), statement("a", "torch.add(m, l_y_)"), statement("r", "torch.relu(a)"), "return (r,)"],
        [X, statement("a", "torch.addmm(l_y_, l_x_, L_w_)"), statement("r", "torch.relu(a)"), "return (r,)"])
    assert changes == [("replaced", ["torch.mm(l_x_, L_w_)", "torch.add(m, l_y_)"], ["torch.addmm(l_y_, l_x_, L_w_)"])], changes


@case
def what_changes_places_is_moved():
    diff, changes = planted(
        [X, statement("a", "torch.relu(l_x_)"), statement("b", "torch.tanh(l_y_)"), statement("c", "a + b"), "return (c,)"],
        [X, statement("b", "torch.tanh(l_y_)"), statement("a", "torch.relu(l_x_)"), statement("c", "a + b"), "return (c,)"])
    assert [change[0] for change in changes] == ["moved"] and diff["counts"]["moved"] == 1, changes


WIDER = HEAD.replace("8, 4", "16, 4")


@case
def a_size_is_no_change_but_a_constant_of_that_value_is():
    """8 → 16 is a size of the inputs, and 16 → 32 follows from it; the 5 that becomes 6 does not."""
    diff, changes = planted(
        [X, statement("v", "l_x_.view(16, 2)", "16, 2"), statement("m", "v * 5", "16, 2"), "return (m,)"],
        [X, statement("v", "l_x_.view(32, 2)", "32, 2"), statement("m", "v * 6", "32, 2"), "return (m,)"], heads=(HEAD, WIDER))
    assert changes == [("changed", ["v * 5"], ["v * 6"])], changes
    assert {"from": "16", "to": "32", "nodes": 2} in diff["sizes"], diff["sizes"]


@case
def a_constant_is_a_change_whatever_sizes_results_have():
    """No input has another size: 4 → 8 in a product is a change, and so is the slice whose result is larger."""
    _, changes = planted(
        [X, statement("s", "l_x_[(slice(None, 4, None))]", "4, 4"), statement("m", "s * 4", "4, 4"), "return (m,)"],
        [X, statement("s", "l_x_[(slice(None, 8, None))]", "8, 4"), statement("m", "s * 8", "8, 4"), "return (m,)"])
    assert [change[0] for change in changes] == ["changed", "changed"], changes


@case
def another_symbol_of_the_same_graphs_is_a_change():
    heads = (HEAD.replace("self, ", 'self, s0: "Sym(s0)", s1: "Sym(s1)", '),) * 2
    _, changes = planted(
        [X, statement("m", "l_x_ * s0"), statement("n", "m * s1"), "return (n,)"], [X, statement("m", "l_x_ * s1"), statement("n", "m * s1"), "return (n,)"], heads=heads)
    assert changes == [("changed", ["l_x_ * s0"], ["l_x_ * s1"])], changes


@case
def items_are_known_by_their_index():
    _, changes = planted(
        [X, "n = torch.native_layer_norm(l_x_, [4])", "a = n[0]", "b = n[1]", "c = n[2]", "return (a, b, c)"],
        [X, "n = torch.native_layer_norm(l_x_, [4])", "a = n[0]", "return (a,)"])
    assert [change for change in changes if change[0] == "removed"] == [("removed", ["n[1]"], []), ("removed", ["n[2]"], [])] and len(changes) == 3, changes


@case
def what_is_inserted_into_a_chain_of_equals_is_found():
    _, changes = planted(
        [X, statement("a", "l_x_ + 4"), statement("b", "a + 5"), "return (b,)"],
        [X, statement("z", "l_x_ + 3"), statement("a", "z + 4"), statement("b", "a + 5"), "return (b,)"])
    assert changes == [("added", [], ["l_x_ + 3"])], changes


AOT = """class inner(torch.nn.Module):
    def forward(self, {}):
"""


@case
def numbered_inputs_are_known_by_what_reads_them():
    """One input fewer shifts the names of all later ones."""
    named = [f'primals_{i}: "f32[4, 4][4, 1]cpu"' for i in range(1, 5)]
    body = ["mm = torch.ops.aten.mm.default(primals_1, primals_2)", "add = torch.ops.aten.add.Tensor(mm, primals_3)", "mm_1 = torch.ops.aten.mm.default(add, primals_4)", "return (mm_1,)"]
    less = ["mm = torch.ops.aten.mm.default(primals_1, primals_2)", "mm_1 = torch.ops.aten.mm.default(mm, primals_3)", "return (mm_1,)"]
    _, changes = planted(body, less, heads=(AOT.format(", ".join(named)), AOT.format(", ".join(named[:3]))))
    assert changes == [("removed", ["input"], []), ("removed", ["torch.ops.aten.add.Tensor(mm, primals_3)"], [])], changes


@case
def another_weight_is_another_input():
    heads = [HEAD.replace("L_w_", name) for name in ("L_w_0_", "L_w_1_")]
    diff, changes = planted([X, statement("m", "l_x_ @ L_w_0_"), "return (m,)"], [X, statement("m", "l_x_ @ L_w_1_"), "return (m,)"], heads=heads)
    assert sorted(change[0] for change in changes) == ["added", "removed"] and diff["inputs"] == 2 and diff["rewired"] == 1, changes


@case
def a_scalar_is_no_matrix():
    """A sum of scalars and one of matrices, with nothing else in common, are not the same operation."""
    scalars = ["# File: /m.py:1 in f, code: a", 'a: "f32[][]cpu" = torch.ops.aten.mean.default(l_x_)', 'b: "f32[][]cpu" = torch.ops.aten.add.Tensor(a, 1)',
               'c: "f32[8, 4][4, 1]cpu" = torch.ops.aten.add.Tensor(l_y_, 2)', "return (b, c)"]
    matrices = ["# File: /m.py:9 in g, code: b", 'd: "f32[8, 4][4, 1]cpu" = torch.ops.aten.add.Tensor(l_x_, 1)', "return (d,)"]
    _, changes = planted(scalars, matrices)
    assert "torch.ops.aten.add.Tensor(a, 1)" in [value for _, base, _ in changes for value in base], changes


@case
def inputs_with_other_names_stay_where_they_are():
    """Lists of inputs are not removed from before an input that has another name, which is known by its place."""
    head = "class GraphModule(torch.nn.Module):\n    def forward(self, a, b, c):\n"
    path = log_of(["y = c", "c, = fx_pytree.tree_flatten_spec(a, b)", "return (y,)"], ["return (c,)"], heads=(head, head))
    nodes = answer(path, "0/0")["nodes"]
    assert [node["name"] for node in nodes] == ["a", "b", "c", None] and nodes[3]["operands"] == ["c"], nodes


def nested(names):
    """A head with the outer graph, and bodies that compute these."""
    return "".join(f"\n    class body_{i}(torch.nn.Module):\n        def forward(self, x):\n            y = torch.{name}(x)\n            return (y,)\n" for i, name in enumerate(names))


def calls(count):
    return [line for i in range(count) for line in (f"body_{i} = self.body_{i}", f"c{i} = torch.wrap(body_{i}, {'l_x_' if not i else f'c{i - 1}'})")]


@case
def nested_graphs_are_known_by_what_they_compute():
    """A call in front shifts the names of the bodies of those after it."""
    one = [*calls(2), "return (c1,)", *nested(("sin", "relu")).split("\n")]
    other = [*calls(3), "return (c2,)", *nested(("cos", "sin", "relu")).split("\n")]
    _, changes = planted(one, other)
    assert not any("changed" in change[0] for change in changes), changes
    assert [change[2] for change in changes if change[0] == "added" and change[2][0] != "input" and not change[2][0].startswith("return")] == [
        ["self.body_0"], ["torch.wrap(body_0, l_x_)"], ["torch.cos(x)"]], changes


@case
def another_dtype_is_a_type():
    """One that the operation states is a change of the operation, and is not counted again as a type."""
    diff, changes = planted(
        [X, statement("m", "l_x_.to(torch.float32)"), "return (m,)"],
        [X, 'm: "bf16[8, 4][4, 1]cpu" = l_x_.to(torch.bfloat16)', "return (m,)"])
    assert [change[0] for change in changes] == ["changed"] and not diff["types"], diff["types"]
    diff, changes = planted(
        [X, statement("m", "l_x_.float()"), statement("n", "m + 1"), "return (n,)"],
        [X, 'm: "bf16[8, 4][4, 1]cpu" = l_x_.bfloat16()', 'n: "bf16[8, 4][4, 1]cpu" = m + 1', "return (n,)"])
    assert [change[0] for change in changes] == ["changed"] and diff["types"] == [{"from": "f32", "to": "bf16", "nodes": 1}], diff


def layers(count, edit):
    """Bodies of equal layers, without and with what `edit` adds to layer i behind its result."""
    one, other = [X], [X]
    for i in range(count):
        before, name = f"r_{i}" if i else "l_x_", f"r_{i + 1}"
        one.append(statement(name, f"torch.relu({before})"))
        other += [statement(name, f"torch.relu({before})"), *edit(i, name)]
    return [*one, "return (r_1,)"], [*other, "return (r_1,)"]


def equals(diff):
    return [change["equal_to"] for change in diff["changes"]]


def printed(*options):
    return subprocess.run([TLPARSE, "graph", "log.log", "0/0", "--diff", "0/1", *options], capture_output=True, text=True, check=True).stdout


@case
def equal_changes_of_layers_are_printed_once():
    diff, changes = planted(*layers(12, lambda i, name: [statement("gelu" if not i else f"gelu_{i}", f"torch.gelu({name})")]))
    assert len(changes) == 12 and equals(diff) == [None] + [0] * 11, equals(diff)
    text = printed()
    assert text.count("  + gelu") == 1 and re.search(r"^ +×12  gelu, gelu_1, gelu_2 and 9 more$", text, re.M) and "12 added" in text, text
    text = printed("--all")
    assert text.count("  + gelu") == 12 and "×" not in text, text


@case
def changes_with_other_constants_types_lines_or_operands_are_not_equal():
    for edit in (
        lambda i, name: [statement(f"m_{i}", f"{name} * {i + 7}")],
        lambda i, name: [statement(f"m_{i}", f"torch.conv{i + 1}d({name})")],
        lambda i, name: [statement(f"m_{i}", f"{name} * 7", f"{i + 2}, 4")],
        lambda i, name: [f"# File: /m.py:{i + 10} in f, code: y", statement(f"m_{i}", f"{name} * 7")],
        lambda i, name: [statement(f"m_{i}", f"torch.mul({name}, {name if i else 'l_y_'})")],
        lambda i, name: [statement(f"m_{i}", f"torch.mul({name}, {name if i != 1 else 'r_1'})")] if i else [],
    ):
        diff, changes = planted(*layers(2 if edit(0, "r_1") else 3, edit))
        assert len(changes) == 2 and equals(diff) == [None, None], (changes, equals(diff))
        assert "×" not in printed()


@case
def many_nodes_take_no_time_that_grows_with_their_square():
    """10,000 operations in layers, every second one changed: each is found, by the page, too. Time is shown by bench/, work is limited here."""

    def body(activation):
        lines, before = [], "l_x_"
        for i in range(2500):
            lines += [f"# File: /m.py:{i % 3} in f, code: y = layer(x)", statement(f"a{i}", f"torch.nn.functional.linear({before}, L_w_)"),
                      statement(f"b{i}", f"torch.{activation(i)}(a{i})"), statement(f"c{i}", f"b{i}.view(8, 4)"), statement(f"d{i}", f"c{i} + l_y_")]
            before = f"d{i}"
        return [*lines, f"return ({before},)"]

    bodies = body(lambda i: "relu"), body(lambda i: "gelu" if i % 2 else "relu")
    diff, changes = planted(*bodies)
    assert diff["counts"] == {"added": 0, "removed": 0, "changed": 1250, "replaced": 0, "moved": 0}, diff["counts"]
    assert diff["same"] == 8750
    paths = [Path(f"{side}.txt") for side in ("base", "new")]
    for path, lines in zip(paths, bodies, strict=True):
        path.write_text(text_of(HEAD, lines))
    assert said_by_page([paths]) == [said_by_program(diff)]


# ---- lines of source

FILE = re.compile(r"#.*? File: (.*?):(\d+) in (.*?)(?:, code: (.*))?$")
STATEMENT = re.compile(r'(\w+)(?:: ".*?")? = (.*)$')


def ops_by_line(text):
    """{(file, line): operations} of a Dynamo graph, by the comments above its statements."""
    found, place, body = {}, None, False
    for line in map(str.strip, text.split("\n")):
        if line.startswith("def forward("):
            body, place = True, None
        comment, statement = FILE.search(line) if line.startswith("#") else None, STATEMENT.match(line)
        if comment:
            place = (comment[1], int(comment[2]))
        elif "No stacktrace" in line and line.startswith("#"):
            place = None
        elif body and statement and place:
            value = statement[2].split(";")[0].split("#")[0].strip()
            attribute = value.startswith(("self.", "getattr(self")) and not re.search(r"[(\[]", value.replace("getattr(", "", 1).split(")")[-1] if value.startswith("getattr(") else value)
            found[place] = found.get(place, 0) + (not re.fullmatch(r"\w+", value) and not attribute)
    return found


def guards_by_line(text):
    """{(file, line): guards} of a tree of guards, by what follows the code of each, which may go over several lines. A guard counts for each of its lines."""
    found, leaves, last = {}, guard_leaves.Leaves(), None
    for line in text.split("\n"):
        what = leaves.read(line)
        last = None if what == "check" else last
        if what == "again":
            continue
        parts = line.split("  # ")
        place = re.match(r"(.*?):(\d+) in ", parts[-1].strip()) if len(parts) > 2 and parts[-2].strip() and "Manager: " not in line else None
        if place:
            key = (place[1], int(place[2]))
            found[key] = found.get(key, 0) + (what != "condition" or key != last)
            last = key
    return found


def added(total, more):
    for key, value in more.items():
        total[key] = total.get(key, 0) + value


@case
def lines_count_what_the_artifacts_have():
    """Operations, guards, recompiles and compile time of each line are those of the artifacts and of the report's other lists."""

    def check(source):
        whole = report(source).json()
        if "lines" not in whole:
            return []
        ops, guards, compiles, folder = {}, {}, {}, report(source).out
        for compile in whole["compiles"]:
            for artifact in compile["artifacts"]:
                if artifact["name"] == "dynamo_output_graph" and artifact["url"] and artifact["url"].endswith(".txt"):
                    found = ops_by_line((folder / artifact["url"]).read_text(errors="replace"))
                    added(ops, found)
                    for place, count in found.items():
                        if count:
                            compiles.setdefault(place, set()).add(compile["key"])
                if artifact["name"] == "dynamo_cpp_guards_str" and artifact["url"] and artifact["url"].endswith(".txt"):
                    added(guards, guards_by_line((folder / artifact["url"]).read_text(errors="replace")))
        lines = whole["lines"]
        assert len({(line["file"], line["line"]) for line in lines}) == len(lines)
        assert lines == sorted(lines, key=lambda line: (line["file"].encode(), line["line"]))
        ours = {(line["file"], line["line"]): line for line in lines}
        for place, count in ops.items():
            assert not count or ours[place]["ops"] == count, (str(source), place, count, ours.get(place))
        assert sum(line["ops"] for line in lines) == sum(ops.values()), str(source)
        for (file, number), count in guards.items():
            found = sum(line["guards"] for line in lines if line["line"] == number and line["file"].endswith(file))
            assert found >= count, (str(source), file, number, count, found)
        assert sum(line["guards"] for line in lines) == sum(guards.values()), (str(source), sum(line["guards"] for line in lines), sum(guards.values()))
        for kernel in (whole.get("kernels") or {"list": []})["list"]:
            for place in kernel["sources"]:
                compiles.setdefault((place["file"], place["line"]), set()).add(kernel["compile"])
        for place, line in ours.items():
            found, listed = compiles.get(place, set()), line["compiles"]
            assert line["compile_count"] == len(found) and len(listed) == min(100, len(found)), (str(source), place, listed, found)
            assert len(set(listed)) == len(listed) and found.issuperset(listed), (str(source), place, listed, found)
        times = {}
        for compile in whole["compiles"]:
            if compile["frame"] and compile["time_us"] and compile["is_compile"]:
                added(times, {(compile["frame"]["file"], compile["frame"]["line"]): compile["time_us"]})
        assert {place: line["compile_us"] for place, line in ours.items() if line["compile_us"]} == times, str(source)
        causes = sum(cause["count"] for chain in whole["recompiles"] for cause in chain["causes"] if cause["place"])
        assert sum(line["recompiles"] for line in lines) == causes, str(source)
        return lines

    lines = each(check)
    assert len(lines) > 1000 and sum(line["guards"] for line in lines) > 1000 and any(line["recompiles"] for line in lines)


@case
def summary_by_line():
    source = samples.LOGS / "recompiles"
    done = subprocess.run([TLPARSE, "summary", "--by", "line", "--top", "50", "--format", "json", source], capture_output=True, text=True)
    listed, lines = json.loads(done.stdout)["lines"], report(source).json()["lines"]
    assert sorted(listed, key=lambda line: (line["file"], line["line"])) == lines and json.loads(done.stdout)["more_lines"] == 0
    assert [line["compile_us"] for line in listed] == sorted((line["compile_us"] for line in lines), reverse=True)
    for form in ("text", "markdown"):
        text = subprocess.run([TLPARSE, "summary", "--by", "line", "--format", form, source], capture_output=True, text=True).stdout
        assert "recompiles.py:20" in text and "return x" in text, text
    ranks = subprocess.run([TLPARSE, "summary", "--by", "line", samples.LOGS / "ranks4_desync"], capture_output=True, text=True)
    assert ranks.returncode == 2 and "--by line is for one log" in ranks.stderr


# ---- the command


@case
def formats():
    source = samples.LOGS / "recompiles"
    nodes = answer(source, "0/0")["nodes"]
    table = list(csv.DictReader(io.StringIO(call(source, "0/0", "--format", "csv").stdout, newline="")))
    assert [row["name"] or None for row in table] == [node["name"] for node in nodes]
    assert [row["operands"].split() for row in table] == [node["operands"] for node in nodes]
    dot = call(source, "0/0", "--format", "dot").stdout
    assert dot.startswith("digraph") and len(re.findall(r"^    n\d+ \[", dot, re.M)) == len(nodes)
    assert len(re.findall(r"^  n\d+ -> n\d+;", dot, re.M)) == sum(len(node["operands"]) for node in nodes)
    text = call(source, "0/0").stdout
    assert all(node["name"][:20] in text for node in nodes if node["name"])


@case
def answers_are_as_the_schema_says():
    source = samples.LOGS / "recompiles"
    schema = validate.documented("graph.schema.json")
    for arguments in ((source,), (source, "0/0"), (source, "0/0", "--diff", "0/1"), (samples.LOGS / "training", "0/0", "--diff", "joint")):
        validate.check(schema, answer(*arguments))


@case
def without_a_compile_it_lists_them():
    source = samples.LOGS / "recompiles"
    listed = answer(source)["compiles"]
    assert [item["compile"] for item in listed] == [compile["key"] for compile, _ in graphs(source)] or len(listed) > 1
    text = call(source).stdout
    assert all(item["compile"] in text for item in listed)
    first = listed[0]
    assert first["graphs"][0]["stage"] == "dynamo" and first["graphs"][0]["ops"] > 0


@case
def stages_and_artifacts():
    source = samples.LOGS / "training"
    listed = {item["compile"]: item["graphs"] for item in answer(source)["compiles"]}
    key, stages = max(listed.items(), key=lambda item: len(item[1]))
    for graph in stages:
        found = answer(source, key, "--stage", graph["stage"])
        assert (found["artifact"], found["ops"]) == (graph["artifact"], graph["ops"]), (graph, found["artifact"], found["ops"])
        assert answer(source, key, "--stage", graph["artifact"])["compile"] == key
    assert answer(source, key, "--diff", "joint")["new"]["stage"] == "joint"
    assert answer(source, key, "--stage", "joint", "--diff", f"{key}:forward")["new"]["stage"] == "forward"


@case
def two_logs():
    source = samples.LOGS / "recompiles"
    diff = answer(source, "0/0", "--diff", report(source).out)
    assert not diff["changes"] and diff["base"]["source"] != diff["new"]["source"] and diff["same"] == diff["base"]["ops"]
    assert not answer(source, "0/0", "--diff", f"{report(source).out}:dynamo")["changes"]
    assert answer(source, "0/0", "--diff", f"{report(source).out}:0/1")["new"]["compile"] == "0/1"
    assert answer(source, "0/0", "--diff", f"{report(source).out}:0/1:dynamo")["sizes"] == answer(source, "0/0", "--diff", "0/1")["sizes"]


@case
def what_differs_is_shown_though_lines_are_long():
    long = "l_x_, " + ", ".join(f"L_w_{'w' * 30}" for _ in range(4))
    log = log_of([X, statement("m", f"torch.f({long}, None)"), "return (m,)"], [X, statement("m", f"torch.f({long}, L_w_)"), "return (m,)"])
    text = subprocess.run([TLPARSE, "graph", log, "0/0", "--diff", "0/1"], capture_output=True, text=True, env={**os.environ, "COLUMNS": "80"}).stdout
    assert re.search(r"^  - m = … .*None\)$", text, re.M) and re.search(r"^  \+ m = … .*L_w_\)$", text, re.M), text


@case
def exported_programs_are_graphs():
    """The log has the program that torch.export made, and Dynamo's graph of one that it did not finish."""
    source = samples.CORPUS / "export_programs"
    listed = {compile["compile"]: [(graph["stage"], graph["artifact"]) for graph in compile["graphs"]] for compile in answer(source)["compiles"]}
    assert listed == {"-/-#2": [("export", "exported_program")], "0/0": [("dynamo", "dynamo_output_graph")], "0/0#2": [("dynamo", "dynamo_output_graph")],
                      "2/0": [("export", "exported_program")]}, listed
    for path in (source, report(source).out):
        graph = answer(path, "2/0", "--stage", "export")
        assert [(node["name"], node["target"]) for node in graph["nodes"]][1] == ("relu", "torch.ops.aten.relu.default") and graph["stage"] == "export", graph
    assert answer(source, "2/0", "--stage", "export", "--diff", "-/-#2:export")["counts"]["added"] == 0
    refused = call(source, "2/0")
    assert refused.returncode == 2 and "has no graph dynamo. It has: export" in refused.stderr, refused.stderr


@case
def what_is_not_there_is_said():
    source = samples.LOGS / "recompiles"
    for arguments, words in (
        ((source, "99/0"), "has no compile 99/0"), ((source, "0/0", "--stage", "nothing"), "has no graph nothing. It has: dynamo"),
        ((source, "0/0", "--diff", "99/0"), "has no compile 99/0"), ((source, "word"), "is no compile id"), ((source, "0/0", "--diff", "no/where"), "no/where"),
        ((source, "0/0", "--diff", "0/1", "--format", "dot"), "--diff has no such format"), ((source, "--diff", "0/1"), "name one, such as 0/0"),
        ((samples.LOGS / "ranks4_desync", "0/0"), "choose one with --rank")):
        done = call(*arguments)
        assert done.returncode == 2 and words in done.stderr and not done.stdout, (arguments, done.returncode, done.stderr)
    assert answer(samples.LOGS / "ranks4_desync", "0/0", "--rank", "1")["nodes"]


def use(tlparse, update):
    global TLPARSE
    TLPARSE = tlparse


if __name__ == "__main__":
    sys.argv = [word for word in sys.argv if word != "--all"]
    sys.exit(main(__doc__, use))

#!/usr/bin/env python3
"""Modules of operations against what PyTorch had: tests/data/module_truth has logs beside what a backend wrote while they were recorded
(tests/data/scripts/module_truth/truth.py).

    run.py --tlparse build/tlparse [--list] [NAME...]     only the cases whose names begin with NAME

No operation may have a wrong module: it is its own, or one that has it; and what is called exact is its own.
"""
import gzip
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from functools import lru_cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import samples  # noqa: E402
from cases import case, main  # noqa: E402

TLPARSE = None
DATA = HERE.parent / "data/module_truth"
NAMES = sorted(path.name for path in DATA.iterdir())
SELF = "L['self']"
EXACT = 0.85  # at least, of the operations that belong to a module
# Helper functions outside of classes, transforms and unusual calls: what a log says leaves the module open.
OPEN = {"odd", "mamba", "vision"}
EXACT_OPEN = 0.6


def as_pytorch_writes(source):
    """L['self']._modules['h'] is L['self'].h in nn_module_stack."""
    return re.sub(r"\.(?:_modules|__dict__\['_modules'\])\['([^']*)'\]", r".\1", source)


def path_of(module):
    name = module["name"]
    return as_pytorch_writes(module["root"]) + (f"{'' if name.startswith('[') else '.'}{name}" if name else "")


@lru_cache(None)
def log_of(name, guards):
    path = next((DATA / name).glob("*.log.zst"))
    if guards:
        return path
    text = subprocess.run(["zstd", "-dcq", path], check=True, capture_output=True).stdout.decode(errors="replace")
    kept, skip = [], False
    for line in text.splitlines(keepends=True):
        if not line.startswith("\t"):
            skip = '"dynamo_cpp_guards_str"' in line
        if not skip:
            kept.append(line)
    path = samples.WORK / "module_truth" / name / path.stem
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(kept))
    return path


@lru_cache(None)
def modules_of(name, guards):
    """The modules of a report by compile. Without guards, classes are unknown."""
    found = defaultdict(list)
    for module in samples.report(TLPARSE, [log_of(name, guards)]).json()["modules"]:
        found[module["compile"]].append(module)
    return found


@lru_cache(None)
def truth_of(name):
    """(the operations of each compile's last graph, the modules of the program)"""
    graphs, programs = {}, []
    with gzip.open(DATA / name / "truth.jsonl.gz", "rt") as file:
        for line in file:
            record = json.loads(line)
            if "nodes" in record:
                graphs[record["compile"]] = [node for node in record["nodes"] if node[1] != "get_attr"]
            else:
                programs.append(record)
    return graphs, programs


def object_of(key):
    """A later call of the same module has a key of its own: "140@1"."""
    return key.split("@")[0]


def judge(node, module, exact, objects, roots):
    """"exact", "inexact" or what is wrong about the module of an operation."""
    stack = [(as_pytorch_writes(path), object_of(key)) for key, path, _ in node[3]]
    ours = path_of(module)
    if not stack:  # in the compiled function: a method of self, or of a module that it calls as a function
        return "exact" if exact and ours == SELF else "inexact" if not exact and ours in roots else f"{ours}, but it has none"
    own = ours == stack[-1][0] or objects.get(ours) == stack[-1][1]
    has = ours == SELF or any(ours == path or objects.get(ours) == key or path.startswith((ours + ".", ours + "[")) for path, key in stack)
    if exact:
        return "exact" if own else f"{ours}, but it is {stack[-1][0]}"
    return "inexact" if has else f"{ours} or below, but it is {stack[-1][0]}"


def judged(name, guards):
    """How many operations are exact, inexact, of unknown modules or of no module, and all that is wrong."""
    counts, wrong = Counter(), []
    for compile, nodes in truth_of(name)[0].items():
        modules = modules_of(name, guards)[compile]
        ours = {node: (module, exact) for module in modules for exact, key in ((True, "exact_nodes"), (False, "nodes_within")) for node in module[key]}
        objects = {as_pytorch_writes(path): object_of(key) for node in nodes for key, path, _ in node[3]}
        roots = {path_of(module) for module in modules if not module["name"]}
        for node in nodes:
            known = ours.get("/".join(node[0].split("/")[-2:]))
            verdict = judge(node, *known, objects, roots) if known else "unknown" if node[3] else "outside"
            right = verdict in ("exact", "inexact", "unknown", "outside")
            counts[verdict if right else "wrong"] += 1
            if not right:
                wrong.append(f"{name} {compile} {node[0]}: {verdict}")
    return counts, wrong


@case
def no_module_is_wrong():
    counts = {True: Counter(), False: Counter()}
    for name in NAMES:
        found, wrong = judged(name, True)
        assert not wrong, wrong[:10]
        print(f"{name}: {dict(found)}")
        counts[name in OPEN] += found
    for is_open, least, ops in ((False, EXACT, 1500), (True, EXACT_OPEN, 500)):
        of_modules = counts[is_open].total() - counts[is_open]["outside"]
        assert counts[is_open]["exact"] >= least * of_modules and of_modules > ops, counts[is_open]


@case
def no_module_is_wrong_without_guards():
    for name in NAMES:
        found, wrong = judged(name, False)
        assert not wrong, wrong[:10]
        assert found["exact"] or found["outside"], (name, found)


@case
def parameters_and_buffers_are_those_of_the_program():
    """Where one compile has the whole model."""
    seen = set()
    for name, buffers in {"gpt2": True, "albert": True, "timm": True, "diffusers": True, "checkpoint": True, "llama": False}.items():
        roots = [m for modules in modules_of(name, True).values() for m in modules if not m["name"]]
        for program in truth_of(name)[1]:
            (_, elements, size), (_, held, held_size) = program["total"]
            # Llama keeps a buffer that it does not use.
            fits = [m for m in roots if (m["parameters"], m["parameter_bytes"]) == (elements, size) and (not buffers or (m["buffers"], m["buffer_bytes"]) == (held, held_size))]
            if name == "checkpoint" and not fits:
                continue  # compiled block by block
            assert fits, (name, program["total"], [(m["parameters"], m["buffers"]) for m in roots])
            seen.add(name)
    assert len(seen) == 6


@case
def each_module_has_its_own_parameters():
    """By name and class, as in named_modules()."""
    checked = 0
    for name in ("albert", "timm", "diffusers"):
        programs = iter(truth_of(name)[1])
        for modules in modules_of(name, True).values():
            if not any(m["name"] == "" and m["parameters"] for m in modules):
                continue
            theirs = {row[0]: row for row in next(programs)["modules"]}
            for module in modules:
                row = theirs[module["name"]]
                assert module["class"] in (row[1], None), (module["name"], module["class"], row[1])
                below = [r for other, r in theirs.items() if other == module["name"] or not module["name"] or other.startswith(module["name"] + ".")]
                if not any("decoder" in r[0] for r in below):  # tied to the embeddings
                    assert module["parameters"] == sum(r[2][1] for r in below), module["name"]
                checked += 1
    assert checked > 400, checked


@case
def ops_of_a_module_are_those_of_the_modules_below_it():
    for name in NAMES:
        for compile, modules in modules_of(name, True).items():
            for module in modules:
                below = [m for m in modules if m["root"] == module["root"] and (m["name"] == module["name"] or not module["name"] or m["name"].startswith((module["name"] + ".", module["name"] + "[")))]
                own = sum(len(m["exact_nodes"]) + len(m["nodes_within"]) for m in below)
                others = [m for m in modules if module["root"] == SELF and not module["name"] and m["root"] != SELF]
                own += sum(len(m["exact_nodes"]) + len(m["nodes_within"]) for m in others)
                assert module["ops"] == own and module["exact_ops"] <= own, (name, compile, module["name"], module["ops"], own)


@case
def compile_time_is_that_of_the_module_whose_method_was_compiled():
    """PyTorch has none of the modules below, nor of the modules that a function calls."""
    seen = Counter()
    for name in NAMES:
        compiles = {compile["key"]: compile for compile in samples.report(TLPARSE, [log_of(name, True)]).json()["compiles"]}
        for compile, modules in modules_of(name, True).items():
            for module in modules:
                wrapped = module["root"] == "L['fn']" and compiles[compile]["frame"]["file"].endswith("torch/_dynamo/external_utils.py")
                own = not module["name"] and (module["root"] == SELF or wrapped)
                assert module["compile_us"] == (compiles[compile]["time_us"] if own else None), (name, compile, module["root"], module["name"])
                seen[own, module["root"]] += 1
    assert seen[True, SELF] > 15 and seen[True, "L['fn']"] and seen[False, "L['args'][0]"] and seen[False, SELF] > 1000, seen


@case
def a_graph_has_the_modules_of_its_nodes():
    log = log_of("gpt2", True)
    done = subprocess.run([TLPARSE, "graph", log, "2/0", "--format", "json"], check=True, capture_output=True, text=True)
    nodes = {node["name"]: node for node in json.loads(done.stdout)["nodes"]}
    assert (nodes["logits"]["module"], nodes["logits"]["exact"]) == ("L['self'].lm_head", True)
    assert (nodes["hidden_states_21"]["module"], nodes["hidden_states_21"]["exact"]) == (SELF, False)
    inputs = [node for node in nodes.values() if node["op"] == "placeholder"]
    assert inputs and all(node["module"] is None and node["exact"] is None for node in inputs)


def use(tlparse, _update):
    global TLPARSE
    TLPARSE = tlparse


if __name__ == "__main__":
    sys.exit(main(__doc__, use))

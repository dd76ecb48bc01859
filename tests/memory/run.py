#!/usr/bin/env python3
"""The memory of compiled graphs against what torch.profiler saw: tests/data/memory has logs beside the allocations of each call
(tests/data/scripts/memory/memory.py).

    run.py --tlparse build/tlparse [--list] [NAME...]     only the cases whose names begin with NAME

What a call leaves allocated is known to the byte. So is the peak, unless an operator runs that may allocate more; then it is a lower bound.
"""
import hashlib
import json
import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import samples  # noqa: E402
from cases import case, main  # noqa: E402

TLPARSE = None
DATA = HERE.parent / "data/memory"


@lru_cache(None)
def text_of(name):
    path = next((DATA / name).glob("*.log.zst"))
    return subprocess.run(["zstd", "-dcq", path], check=True, capture_output=True).stdout.decode(errors="replace")


def report_of(text, name):
    log = Path(f"{name}_{hashlib.sha256(text.encode()).hexdigest()[:12]}.log").resolve()  # reports are kept by name
    log.write_text(text)
    return samples.report(TLPARSE, [log]).json()


@lru_cache(None)
def memory_of(name):
    return report_of(text_of(name), name)["memory"]


def measured(changes):
    """What a call leaves of its own allocations, and the most at a time."""
    live, own, peak = {}, 0, 0
    for size, address in changes:
        if size > 0:
            live[address] = size
            own += size
        else:
            own -= live.pop(address, 0)  # 0: it was there before the call
        peak = max(peak, own)
    return own, peak


def pairs(name):
    """Graphs and measured calls; both are in the order of compiling, which is that of calling."""
    calls, graphs = json.loads((DATA / name / "memory.json").read_text()), memory_of(name)
    assert len(calls) == len(graphs), (len(calls), len(graphs))
    for call, graph in zip(calls, graphs, strict=True):
        yield f"{name}: {call['case']} {graph['direction']}", graph, *measured(call["changes"])


@case
def python_code_is_known_to_the_byte():
    exact = set()
    for what, graph, net, peak in pairs("python"):
        assert graph["derived"] and graph["net_bytes"] == net, (what, graph["net_bytes"], net)
        assert graph["peak_bytes"] == peak if not graph["at_least"] else 0 < graph["peak_bytes"] <= peak, (what, graph["peak_bytes"], peak)
        assert graph["at_least"] == (graph["fallback"] is not None), what
        if not graph["at_least"]:
            exact.add(what.split()[1])
    assert len(exact) >= 14, exact


@case
def wrappers_in_cpp_are_known_or_not_derived():
    known = 0
    for what, graph, net, peak in pairs("cpp"):
        if not graph["derived"]:
            assert graph["not_derived"] and "net_bytes" not in graph and "course" not in graph, what
            continue
        known += 1
        assert graph["net_bytes"] == net, (what, graph["net_bytes"], net)
        assert graph["peak_bytes"] == peak if not graph["at_least"] else 0 < graph["peak_bytes"] <= peak, (what, graph["peak_bytes"], peak)
    assert known >= 25, known


@case
def wrappers_of_aotinductor_are_known_or_not_derived():
    """The record graph_dump has them. Attention returns a tensor that the code does not use, so that nothing states its size; without
    it, the rest is the same as measured, less what attention allocates."""
    ((_, graph, net, peak),) = pairs("aoti")
    assert (net, peak) == (192000, 219648)
    assert not graph["derived"] and "size of a tensor" in graph["not_derived"] and "peak_bytes" not in graph, graph
    sized, count = re.subn(r"(\n\t +)RAIIAtenTensorHandle (buf7|buf23)\(", r'\1assert_size_stride(\2_handle, {2L, 4L, 48L}, {192L, 48L, 1L}, "op", cached_torch_dtype_float32, "torch.float32");\g<0>', text_of("aoti"))
    assert count == 2
    (graph,) = report_of(sized, "aoti_sized")["memory"]
    assert graph["derived"] and graph["net_bytes"] == net and graph["at_least"] and graph["peak_bytes"] == peak, graph
    (graph,) = report_of(sized.replace("\n\t    buf10.reset();", "\n\t    if (x) {", 1), "aoti_block")["memory"]
    assert not graph["derived"] and "statement" in graph["not_derived"], graph


@case
def both_wrappers_say_the_same():
    for python, cpp in zip(memory_of("python"), memory_of("cpp"), strict=True):
        for key in ("net_bytes", "saved_bytes", "input_bytes"):
            assert not cpp["derived"] or cpp[key] in (python[key], None), (python["compile"], key, python[key], cpp[key])


@case
def the_lists_fit_the_sums():
    for name in ("python", "cpp"):
        for graph in memory_of(name):
            if not graph["derived"]:
                continue
            what = (name, graph["compile"], graph["direction"])
            course, buffers, saved = graph["course"], graph["buffers"], graph["saved"]
            assert max((point["bytes"] for point in course), default=0) == graph["peak_bytes"], what
            assert not course or course[-1]["bytes"] == graph["net_bytes"] or course[-1]["line"] >= graph["peak_line"], what
            if not graph["more_buffers"]:
                assert sum(row["bytes"] for row in buffers) == graph["peak_bytes"], what
            assert [row["bytes"] for row in buffers] == sorted((row["bytes"] for row in buffers), reverse=True), what
            if graph["saved_bytes"] is not None:
                assert graph["direction"] == "forward" and (graph["more_saved"] or sum(row["bytes"] for row in saved) == graph["saved_bytes"]), what
                assert graph["saved_bytes"] <= graph["net_bytes"], what
            else:
                assert not saved, what
            if graph["whole_peak_bytes"] is not None:
                assert graph["direction"] == "backward" and graph["whole_peak_bytes"] >= graph["peak_bytes"], what


@case
def what_is_saved_ends_in_the_backward():
    """Nothing else holds it: the calls of backward graphs free at least as much that was there before them."""
    calls, joined = json.loads((DATA / "python/memory.json").read_text()), 0
    for i, (call, graph) in enumerate(zip(calls, memory_of("python"), strict=True)):
        if graph["direction"] != "backward":
            continue
        forward, own, freed = memory_of("python")[i - 1], set(), 0
        assert forward["direction"] == "forward" and forward["compile"] == graph["compile"]
        for size, address in call["changes"]:
            if size > 0:
                own.add(address)
            elif address not in own:
                freed -= size
        assert freed >= forward["saved_bytes"], (call["case"], freed, forward["saved_bytes"])
        assert graph["whole_peak_bytes"] <= graph["peak_bytes"] + forward["saved_bytes"], call["case"]
        joined += 1
    assert joined >= 10, joined


@case
def what_is_saved_has_its_line():
    """Of a recomputed block only its input is saved; dropout saves its mask; a view of an input is no new memory."""
    by_case = {}
    calls = json.loads((DATA / "python/memory.json").read_text())
    for call, graph in zip(calls, memory_of("python"), strict=True):
        by_case.setdefault(call["case"], {})[graph["direction"]] = graph
    program = (HERE.parent / "data/scripts/memory/memory.py").read_text().splitlines()
    for name, graphs in by_case.items():
        for row in graphs.get("forward", {}).get("saved", []):
            if row["name"].startswith("primals_"):  # a copy of an input in another layout, which no line asked for
                assert name == "convolution" and row["place"] is None, row
                continue
            assert row["place"] and row["place"]["file"].endswith("memory.py"), (name, row)
            assert row["code"].strip() == program[row["place"]["line"] - 1].strip(), (name, row)
    recomputed = by_case["recompute"]["forward"]
    assert recomputed["saved_bytes"] == 2 * 16 * 64 * 4 and len(recomputed["saved"]) == 2, recomputed["saved"]
    masks = [row for row in by_case["dropout"]["forward"]["saved"] if row["dtype"] == "torch.bool"]
    assert sorted(row["bytes"] for row in masks) == [64 * 128, 64 * 512, 64 * 512], masks
    assert by_case["views_grad"]["forward"]["saved_bytes"] == 0 and by_case["views_grad"]["forward"]["input_bytes"] == 256 * 16 * 4
    assert by_case["mlp"]["forward"]["saved_bytes"] == 2 * 64 * 1024 * 4


def changed(pattern, replacement):
    text, count = re.subn(pattern, replacement, text_of("python"), count=1)
    assert count == 1, pattern
    return report_of(text, "changed")["memory"][0]


@case
def nothing_is_guessed():
    """A statement that is not understood, a size that nothing says, a function that never ends."""
    whole = memory_of("python")[0]
    first = r"(\n\t +)buf0 = empty_strided_cpu\(\(64, 1024\), \(1024, 1\), torch\.float32\)"
    for statement, why in [("buf0 = make_tensor(64, 1024)", "statement"), ("buf0 = empty_strided_cpu((64, n), (1024, 1), torch.float32)", "size"),
                           ("buf0 = empty_strided_cpu((64, 1024), (1024, 1), torch.float99)", "size"),
                           ("for i in range(3):", "statement"), ("buf0 = [None] * 3", "statement")]:
        graph = changed(first, lambda found: found.group(1) + statement)  # noqa: B023
        assert not graph["derived"] and why in graph["not_derived"] and "peak_bytes" not in graph, (statement, graph)
        assert isinstance(graph["line"], int) and graph["line"] > 50, graph
    graph = changed(first, r"\1buf0 = empty_strided_cpu((64, 1024 + 0), (2**10, 1), torch.float32)")
    assert graph["derived"] and graph["peak_bytes"] == whole["peak_bytes"], graph
    graph = changed(first, r"\1buf0 = empty_strided_cpu((9223372036854775807, 9223372036854775807), (9223372036854775807, 1), torch.float32)")
    assert not graph["derived"], graph


@case
def devices_round_sizes():
    text = text_of("python").replace("empty_strided_cpu((", "empty_strided_cuda((").replace("device='cpu'", "device='cuda:0'")
    for graph, cpu in zip(report_of(text, "cuda")["memory"], memory_of("python"), strict=True):
        assert graph["device"] == "cuda" and graph["net_bytes"] % 512 == 0, graph
        assert cpu["net_bytes"] <= graph["net_bytes"] <= cpu["net_bytes"] + 512 * 40, (graph["compile"], graph["net_bytes"])


ADVICE = ("none", "checkpoint", "budget")


def advised(advice):
    return report_of(text_of(f"advised/{advice}"), f"advised_{advice}")


def issues(report):
    return [finding for finding in report["findings"] if finding["kind"] == "saved_memory"]


@case
def what_is_saved_is_what_pytorch_saved():
    """The bytes of the tensors that the autograd node of each forward holds, without parameters and inputs."""
    for advice in ADVICE:
        held = json.loads((DATA / "advised" / advice / "saved.json").read_text())
        forwards = [graph for graph in advised(advice)["memory"] if graph["direction"] == "forward"]
        assert len(forwards) == len(held) == 4, (advice, len(forwards), len(held))
        for graph, row in zip(forwards, held, strict=True):
            assert graph["saved_bytes"] == row["saved_bytes"], (advice, row, graph["saved_bytes"])


@case
def the_advice_on_what_is_saved_helps():
    """Each model has an issue; with what it advises, its forward saves less, and there is no issue."""
    plain, program = advised("none"), (HERE.parent / "data/scripts/memory/saved.py").read_text().splitlines()
    found = {finding["compiles"][0]: finding for finding in issues(plain)}
    assert sorted(found) == ["0/0", "1/0", "2/0", "3/0"], found
    for graph in plain["memory"]:
        if graph["direction"] != "forward":
            continue
        finding, sums = found[graph["compile"]], {}
        for row in graph["saved"]:
            line = row["place"] and row["place"]["line"]
            sums[line] = sums.get(line, 0) + row["bytes"]
        line = max((line for line in sums if line), key=sums.get)
        assert finding["place"]["line"] == line and finding["code"].strip() == program[line - 1].strip(), finding
        share = round(100 * sums[line] / graph["saved_bytes"])
        assert re.match(rf"saved\.py:{line} saves {sums[line] / 1e6:.0f} MB for the backward$", finding["title"]), finding["title"]
        assert f"That is {share} % of the {graph['saved_bytes'] / 1e6:.0f} MB" in finding["why"], finding["why"]
        assert "torch.utils.checkpoint.checkpoint(" in finding["advice"] and "activation_memory_budget" in finding["advice"]
        assert finding["severity"] == "info" and finding["evidence"] and not finding["library"], finding
    before = [graph["saved_bytes"] for graph in plain["memory"] if graph["direction"] == "forward"]
    for advice in ADVICE[1:]:
        report = advised(advice)
        after = [graph["saved_bytes"] for graph in report["memory"] if graph["direction"] == "forward"]
        assert not issues(report), (advice, issues(report))
        assert all(new < old * (0.2 if advice == "checkpoint" else 0.75) for new, old in zip(after, before, strict=True)), (advice, before, after)


@case
def no_issue_without_evidence():
    """It needs the size, the Dynamo graph, which shows checkpoint, and fx_graph_runnable, which has the budget."""
    text = text_of("advised/none")
    assert len(issues(report_of(text, "whole"))) == 4
    for old, new, left in [
        ("fx_graph_runnable", "fx_graph_unknown", 0),
        ("dynamo_output_graph", "dynamo_unknown_graph", 0),
        ("((4096, 1024), (1024, 1), torch.float32)", "((4096, n), (n, 1), torch.float32)", 3),
    ]:
        assert old in text, old
        report = report_of(text.replace(old, new), "less")
        assert len(issues(report)) == left, (old, [finding["title"] for finding in issues(report)])
    small = issues(report_of(text_of("python"), "small"))
    assert not small, small


@case
def a_region_with_a_budget_has_no_issue():
    """torch.autograd.graph.region_activation_memory_budget() of PyTorch 2.15, which a Dynamo graph annotates."""
    text = text_of("region")
    assert not issues(report_of(text, "region"))
    (found,) = issues(report_of(text.replace("'_region_activation_memory_budget': ", "'other': "), "other"))
    assert found["title"] == "region.py:15 saves 134 MB for the backward", found


@case
def saved_bytes_are_summed_by_line_and_module():
    for report in [advised(advice) for advice in ADVICE] + [report_of(text_of("python"), "python")]:
        lines, modules = {}, {}
        for graph in report["memory"]:
            assert not graph.get("more_saved"), graph["compile"]
            for row in graph.get("saved", []):
                if row["place"]:
                    key = (row["place"]["file"], row["place"]["line"])
                    lines[key] = lines.get(key, 0) + row["bytes"]
                if row["module"]:
                    name = row["module"]["name"]
                    while True:
                        key = (graph["compile"], row["module"]["root"], name)
                        modules[key] = modules.get(key, 0) + row["bytes"]
                        if not name:
                            break
                        name = name.rpartition(".")[0]
        assert lines == {(row["file"], row["line"]): row["saved_bytes"] for row in report["lines"] if row["saved_bytes"]}, lines
        written = {(row["compile"], row["root"], row["name"]): row["saved_bytes"] for row in report["modules"] if row["saved_bytes"]}
        assert modules == written, (modules, written)
    (scores,) = {(row["module"]["name"], row["module"]["exact"]) for graph in advised("none")["memory"] for row in graph.get("saved", []) if row["place"] and row["place"]["line"] == 50}
    assert scores == ("scores", True), scores


def use(tlparse, _update):
    global TLPARSE
    TLPARSE = tlparse


if __name__ == "__main__":
    sys.exit(main(__doc__, use))

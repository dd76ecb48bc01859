#!/usr/bin/env python3
"""Profiles against what PyTorch says of them (`key_averages()`, recorded beside each), and against facts that were planted in the programs.

    run.py --tlparse build/tlparse [--list] [NAME...]     only the cases whose names begin with NAME

The logs and profiles are in tests/data/profiled, their programs in tests/data/scripts/profiled.
"""
import base64
import gzip
import json
import re
import shutil
import statistics
import subprocess
import sys
import zipfile
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "tools"))
from cases import case, main  # noqa: E402

DATA = HERE.parent / "data/profiled"
CORPUS = HERE.parent / "data/corpus"
GPU = ("gpu_gpt", "gpu_profile_breaks", "gpu_profile_train", "gpu_profile_triton")
TLPARSE = None
PROGRAMS = sorted(path.name for path in DATA.iterdir() if path.name not in ("ddp", "mixed", "uneven") and not path.name.startswith("whole_"))  # compiled before the profile
NO_LINES = {"attention"}  # a module of PyTorch itself: the log names no line of it
ROUNDED_US = 0.0005  # half of the last decimal of each event


def read(path):
    return json.loads(gzip.open(path).read())


def log_of(name):
    return next((DATA / name).glob("*.log.zst"))


def run(*arguments):
    return subprocess.run([TLPARSE, *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def report_of(log, *profiles):
    """The member `profile` of a report, and what tlparse said."""
    done = run(log, *(word for path in profiles for word in ("--profile", path)), "-o", "out", "--overwrite", "--no-browser")
    assert done.returncode == 0, done.stderr
    report = json.loads(Path("out/report.json").read_text())
    return report, report.get("profile"), done.stderr


def of_program(name):
    return report_of(log_of(name), DATA / name / f"{name}.json.gz")


def events_of(name, *kinds):
    events = read(DATA / name / f"{name}.json.gz")["traceEvents"]
    return [event for event in events if event.get("ph") == "X" and event.get("cat") in (kinds or ("cpu_op",))]


def near(found, wanted, calls):
    assert abs(found - wanted) <= ROUNDED_US * (calls + 1) + 1e-6, f"{found} us, and PyTorch says {wanted} us"


@case
def totals_are_those_of_key_averages():
    for name in PROGRAMS:
        sums = read(DATA / name / f"{name}.sums.json.gz")
        _, profile, _ = of_program(name)
        ids = defaultdict(lambda: [0, 0.0])
        for row in profile["compiles"]:
            ids[row["compile"]] = [row["calls"], row["total_us"]]
        regions = {key.split(": ")[1]: value for key, value in sums.items() if key.startswith("Torch-Compiled Region: ")}
        assert set(ids) == set(regions), (name, set(ids), set(regions))
        for key, (calls, us) in regions.items():
            assert ids[key][0] == calls, (name, key)
            near(ids[key][1], us, calls)
        graphs = {key.split(" ")[3]: value for key, value in sums.items() if key.startswith("## Call CompiledFxGraph ")}
        assert {row["key"] for row in profile["graphs"] if row["key"]} == set(graphs), name
        for row in profile["graphs"]:
            if row["key"]:
                assert row["calls"] == graphs[row["key"]][0], (name, row)
                near(row["total_us"], graphs[row["key"]][1], row["calls"])
        calls, us = sums.get("TorchDynamo Cache Lookup", [0, 0])
        assert profile["guards"]["calls"] == calls, name
        near(profile["guards"]["total_us"], us, calls)


@case
def generated_kernels_are_those_of_key_averages():
    for name in PROGRAMS:
        sums = read(DATA / name / f"{name}.sums.json.gz")
        _, profile, _ = of_program(name)
        wanted, found = defaultdict(lambda: [0, 0.0]), defaultdict(lambda: [0, 0.0])
        for key, (calls, us) in sums.items():
            if "cpp_fused" in key:
                wanted[key[key.index("cpp_fused"):]][0] += calls
                wanted[key[key.index("cpp_fused"):]][1] += us
        for row in profile["kernels"]:
            if row["name"].startswith("cpp_fused"):
                found[row["name"]][0] += row["calls"]
                found[row["name"]][1] += row["total_us"]
        assert set(found) == set(wanted), (name, set(found) ^ set(wanted))
        for key, (calls, us) in wanted.items():
            assert found[key][0] == calls, (name, key)
            near(found[key][1], us, calls)


@case
def every_call_is_aligned():
    for name in PROGRAMS:
        _, profile, _ = of_program(name)
        assert profile["graphs"], name
        for row in profile["graphs"]:
            assert row["unaligned_calls"] == 0 and row["aligned_calls"] == row["calls"], (name, row)
        assert profile["unknown_regions"] == profile["unknown_graphs"] == 0, name


@case
def a_call_that_does_not_fit_is_not_aligned():
    """One operator is missing in one call of each graph: no time of that call has a line, and all of the others has."""
    trace, seen = read(DATA / "training/training.json.gz"), set()
    graphs = [event for event in trace["traceEvents"] if event.get("name", "").startswith("## Call")]
    first = {event["name"]: event for event in reversed(graphs)}
    dropped = []
    for event in trace["traceEvents"]:
        for name, call in first.items():
            if event.get("name") in ("aten::addmm", "aten::mm") and call["ts"] < event["ts"] < call["ts"] + call["dur"] and name not in seen:
                seen.add(name)
                dropped.append(event)
    trace["traceEvents"] = [event for event in trace["traceEvents"] if event not in dropped]
    Path("cut.json").write_text(json.dumps(trace))
    _, profile, _ = report_of(log_of("training"), "cut.json")
    assert len(seen) == len(profile["graphs"]) == 2
    for row in profile["graphs"]:
        assert (row["aligned_calls"], row["unaligned_calls"]) == (3, 1), row
        near(row["unaligned_us"], next(call["dur"] for name, call in first.items() if row["key"] in name), 1)
    assert all(row["calls"] % 3 == 0 for row in profile["kernels"]), profile["kernels"]
    assert profile["without_line_us"] > 0


@case
def kernels_have_lines():
    for name in PROGRAMS:
        _, profile, _ = of_program(name)
        with_line = 1 - profile["without_line_us"] / profile["kernel_us"] if profile["kernel_us"] else 1
        assert name in NO_LINES or with_line >= 0.95, (name, with_line)
        assert abs(sum(row["total_us"] for row in profile["lines"]) + profile["without_line_us"] - profile["kernel_us"]) < 0.01, name


@case
def parts_do_not_exceed_the_whole():
    for name in PROGRAMS:
        _, profile, _ = of_program(name)
        for row in profile["graphs"]:
            assert 0 <= row["kernel_us"] <= row["total_us"], (name, row)
        for row in profile["compiles"]:
            assert 0 <= row["median_us"] <= row["max_us"] <= row["total_us"], (name, row)
            assert row["overhead_us"] >= 0 and row["eager_us"] >= 0 and row["overhead_us"] + row["eager_us"] <= row["total_us"], (name, row)
        assert 0 <= profile["without_line_us"] <= profile["kernel_us"] <= profile["graph_calls"]["total_us"], name
        assert profile["eager"]["total_us"] >= 0 and all(row["total_us"] >= 0 for row in profile["eager"]["operators"]), name


def spread_of(times):
    q1, median, q3 = statistics.quantiles(times, n=4, method="inclusive") if len(times) > 1 else 3 * times
    return {"min_us": min(times), "q1_us": q1, "median_us": median, "q3_us": q3, "max_us": max(times)}


def has_spread(row, times, name):
    for key, us in spread_of(times).items():
        assert abs(row[key] - us) < 0.002, (name, key, row, us)


@case
def spreads_are_those_of_the_events():
    for name in PROGRAMS:
        _, profile, _ = of_program(name)
        times = defaultdict(list)
        for event in events_of(name):
            times[event["name"]].append(event["dur"])
        for row in profile["compiles"]:
            has_spread(row, times[f"Torch-Compiled Region: {row['compile']}"], name)
        for row in profile["graphs"]:
            if name != "aot" and row["key"]:
                annotations = [e["dur"] for e in read(DATA / name / f"{name}.json.gz")["traceEvents"] if row["key"] in e.get("name", "") and e.get("ph") == "X"]
                has_spread(row, annotations, name)
        if times["TorchDynamo Cache Lookup"]:
            has_spread(profile["guards"], times["TorchDynamo Cache Lookup"], name)
        for row in profile["kernels"]:
            alike = [other for other in profile["kernels"] if other["name"] == row["name"]]
            if row["name"].startswith("cpp_fused") and len(alike) == 1:
                has_spread(row, [us for key, some in times.items() if key.endswith(row["name"]) for us in some], name)
    _, profile, _ = of_program("ratios")
    products = [event["dur"] for event in events_of("ratios") if event["name"] == "aten::mm"]
    for i, row in enumerate(row for row in sorted(profile["kernels"], key=lambda row: row["index"]) if row["name"] == "extern_kernels.mm"):
        has_spread(row, products[i::3], "ratios")


def steps_of(trace):
    return [event for event in trace["traceEvents"] if event.get("ph") == "X" and event["name"].startswith("ProfilerStep#")]


@case
def steps_are_those_in_which_something_runs():
    """A step that ends with the profile, after its last call, is none that can be compared; one without compiled code is."""
    trace = read(DATA / "steps_base/steps_base.json.gz")
    _, profile, _ = of_program("steps_base")
    steps = steps_of(trace)
    assert profile["step_us"]["steps"] == len(steps) == profile["steps"] == 20
    has_spread(profile["step_us"], [step["dur"] for step in steps], "steps")
    last = max(steps, key=lambda step: step["ts"])
    trace["traceEvents"].append({**last, "name": "ProfilerStep#99", "ts": last["ts"] + last["dur"] + 1, "dur": 3.0})
    Path("rest.json").write_text(json.dumps(trace))
    _, more, _ = report_of(log_of("steps_base"), "rest.json")
    assert more["step_us"] == profile["step_us"] and more["steps"] == 21
    rest = trace["traceEvents"][-1]
    trace["traceEvents"].append({**next(e for e in trace["traceEvents"] if e.get("cat") == "cpu_op" and e["tid"] == rest["tid"]), "name": "aten::mm", "ts": rest["ts"] + 1, "dur": 1.0})
    Path("eager.json").write_text(json.dumps(trace))
    assert report_of(log_of("steps_base"), "eager.json")[1]["step_us"]["steps"] == 21
    for name in set(PROGRAMS) - {"steps_base", "steps_again", "steps_slower"}:
        assert of_program(name)[1]["step_us"] is None, name


@case
def eager_operators_are_those_outside_of_graphs():
    """Against another way to find them: by the spans that contain each event."""
    for name in PROGRAMS:
        _, profile, _ = of_program(name)
        inside = ("## Call", "CompiledFunction", "TorchDynamo Cache", "Pregraph", "AOTDispatcher")
        spans, wanted = defaultdict(list), defaultdict(int)
        for event in sorted(events_of(name), key=lambda e: (e["tid"], e["ts"], -e["dur"])):
            around = [other for other in spans[event["tid"]] if event["ts"] < other["ts"] + other["dur"]]
            spans[event["tid"]] = [*around, event]
            own = event["name"].removeprefix("autograd::engine::evaluate_function: ")
            operators = [other for other in around if not other["name"].startswith("Torch-Compiled")]
            if not operators and not own.startswith((*inside, "Torch-Compiled")):
                wanted[event["name"]] += 1
        if name == "aot":
            continue  # its graphs are annotations
        assert {row["name"]: row["calls"] for row in profile["eager"]["operators"]} == dict(wanted), name


@case
def ratios_of_work_are_found():
    _, profile, _ = of_program("ratios")
    products = defaultdict(float)
    for row in profile["kernels"]:
        if row["name"] == "extern_kernels.mm":
            assert len(row["places"]) == 1, row
            products[row["places"][0]["line"]] += row["total_us"]
    source = (TOP / "tests/data/scripts/profiled/ratios.py").read_text().split("\n")
    lines = [next(i for i, text in enumerate(source, 1) if text.strip().startswith(word)) for word in ("one =", "four =", "sixteen =")]
    measured = defaultdict(float)
    for i, event in enumerate(event for event in events_of("ratios") if event["name"] == "aten::mm"):
        measured[lines[i % 3]] += event["dur"]
    assert sorted(products) == lines
    for line in lines:
        assert abs(products[line] - measured[line]) < 0.01, (line, products, measured)
    assert sorted(lines, key=lambda line: products[line]) == lines, products


@case
def lines_cost_as_much_as_their_work():
    """One, two and four products of the same shape, on a line each: times in this ratio, within 10 %."""
    _, profile, _ = of_program("products")
    source = (TOP / "tests/data/scripts/profiled/products.py").read_text().split("\n")
    times = {source[row["line"] - 1].split()[0]: row["total_us"] for row in profile["lines"]}
    for word, count in (("two", 2), ("four", 4)):
        assert abs(times[word] / times["one"] - count) <= 0.1 * count, times
    assert [row["line"] for row in profile["lines"]][:3] == [next(i for i, text in enumerate(source, 1) if f"    {word} =" in text)
                                                            for word in ("four", "two", "one")]


@case
def what_never_ran_is_named():
    for name in PROGRAMS:
        _, profile, _ = of_program(name)
        expected = {"0/3", "1/1", "1/2"} if name == "versions" else {"0/0"} if name in ("dead", "dynamic", "guards", "filtered", "huggingface") else set()
        assert set(profile["never_ran"]) == expected, (name, profile["never_ran"])


@case
def what_cannot_have_run_is_not_named():
    """A compile that starts after the profile has ended, one of another process, and any if a region is unknown."""
    text = subprocess.run(["zstd", "-dcq", log_of("dead")], capture_output=True, check=True).stdout.decode()
    process = re.search(r"^V\d{4} \S+ (\d+) ", text)[1]
    trace = read(DATA / "dead/dead.json.gz")
    Path("dead.log").write_text(text)

    def never(trace, log="dead.log"):
        Path("changed.json").write_text(json.dumps(trace))
        return report_of(log, "changed.json")[1]["never_ran"]

    assert never(trace) == ["0/0"]
    early = {**trace, "traceEvents": [event for event in trace["traceEvents"] if event.get("name") != "Torch-Compiled Region: 0/1"]}
    unknown = json.loads(json.dumps(trace).replace("Torch-Compiled Region: 0/1", "Torch-Compiled Region: 7/1"))
    assert never(unknown) == []
    assert early["traceEvents"] and never(early) == []
    other = "\n".join(re.sub(rf"^(V\d{{4}} \S+) {process} ", r"\1 99 ", line) for line in text.split("\n"))
    Path("two.log").write_text(text + other)
    assert len(never(trace, "two.log")) == 1


@case
def the_compiler_is_not_run_time():
    """A profile of a whole program has its compiles: no gap, overhead or operator has their time."""
    for name, gaps in (("whole_breaks", True), ("whole_training", False)):
        report, profile, _ = of_program(name)
        compile_us = report["totals"]["time_us"]
        assert profile["window_us"] > compile_us > 20 * (profile["overhead_us"] + profile["eager"]["total_us"] + profile["regions"]["total_us"]), name
        assert bool(profile["eager"]["gaps"]) == gaps and all(row["total_us"] < compile_us / 20 for row in profile["eager"]["gaps"]), profile["eager"]["gaps"]
        assert profile["regions"]["calls"] == len([event for event in events_of(name) if event["name"].startswith("Torch-Compiled Region")]), name


@case
def a_call_belongs_to_a_compile_that_had_started():
    """A day before the compiles, no call can be one of theirs. An id that is used again means the latest compile before the call."""
    trace = read(DATA / "dead/dead.json.gz")
    trace["baseTimeNanoseconds"] -= 86400 * 10**9
    Path("early.json").write_text(json.dumps(trace))
    profile = report_of(log_of("dead"), "early.json")[1]
    assert profile["unknown_regions"] == 4 and profile["compiles"] == [] == profile["never_ran"], profile
    text = subprocess.run(["zstd", "-dcq", log_of("dead")], capture_output=True, check=True).stdout.decode()
    moved = lambda number: str(int(number[0]) + 3600 * 10**6)  # noqa: E731
    again = re.sub(r"\b17\d{14}\b", moved, text)
    Path("again.log").write_text(text + again[again.index("{\"dynamo_start\"") - 200:][again[again.index("{\"dynamo_start\"") - 200:].index("\nV") + 1:])
    shutil.copy(DATA / "dead/dead.json.gz", "first.json.gz")
    _, first, _ = report_of("again.log", "first.json.gz")
    assert [row["compile"] for row in first["compiles"]] == ["0/1"], first["compiles"]
    trace = read(DATA / "dead/dead.json.gz")
    trace["baseTimeNanoseconds"] += 3600 * 10**9
    Path("second.json").write_text(json.dumps(trace))
    _, second, _ = report_of("again.log", "second.json")
    assert [row["compile"] for row in second["compiles"]] == ["0/1#2"], second["compiles"]


@case
def guards_are_those_before_the_call():
    report, profile, _ = of_program("dead")
    [row] = profile["compiles"]
    lookups = [event["dur"] for event in events_of("dead") if event["name"] == "TorchDynamo Cache Lookup"]
    assert row["guard_calls"] == len(lookups) == 4
    near(row["guard_us"], sum(lookups), 4)


def tried_of(profile):
    return {row["compile"]: [row["ordered_calls"], row["tried_before"]] for row in profile["compiles"]}


@case
def versions_before_the_one_that_fits_are_those_of_pytorchs_list():
    """The program looked at Dynamo's cache around each call."""
    expected = defaultdict(lambda: [0, 0])
    called = set()
    for _, tried, fitted in read(DATA / "versions/versions.order.json.gz"):
        if fitted in called:
            expected[fitted][0] += 1
            expected[fitted][1] += tried.index(fitted)
        called.add(fitted)
    assert any(before for _, before in expected.values())
    assert tried_of(of_program("versions")[1]) == expected


@case
def the_order_of_versions_is_unknown_among_threads_and_unknown_compiles():
    trace = read(DATA / "versions/versions.json.gz")
    names = [event for event in trace["traceEvents"] if event["name"].startswith("Torch-Compiled Region: 0/")]
    calls = sorted(names, key=lambda event: event["ts"])
    for event in trace["traceEvents"]:
        if event.get("ph") == "X" and calls[5]["ts"] <= event["ts"] < calls[5]["ts"] + calls[5]["dur"]:
            event["tid"] = 7
    Path("threads.json").write_text(json.dumps(trace))
    tried = tried_of(report_of(log_of("versions"), "threads.json")[1])
    assert tried["0/0"] == tried["0/1"] == tried["0/2"] == [0, 0] and tried["1/3"] != [0, 0], tried
    calls[5]["name"] = "Torch-Compiled Region: 0/99"
    Path("unknown.json").write_text(json.dumps(trace))
    tried = tried_of(report_of(log_of("versions"), "unknown.json")[1])
    assert all(one == [0, 0] for one in tried.values()), tried


def outermost(events, same=lambda one, other: True):
    """The events without those within another one of their thread, which comes first."""
    found, open_events = [], {}
    for event in sorted(events, key=lambda event: (event["ts"], -event["dur"])):
        around = [other for other in open_events.get(event["tid"], []) if event["ts"] < other["ts"] + other["dur"]]
        if not any(same(event, other) for other in around):
            found.append(event)
        open_events[event["tid"]] = [*around, event]
    return found


@case
def mixed_calls_are_told_apart():
    """A recursion, a break in an inlined function, checkpointing, another backend, equal graphs, and a compile in another thread."""
    report, profile, _ = of_program("mixed")
    regions = [event for event in events_of("mixed") if event["name"].startswith("Torch-Compiled Region: ")]
    near(profile["regions"]["total_us"], sum(event["dur"] for event in outermost(regions)), len(regions))
    assert profile["compiling_us"] == 0, profile["compiling_us"]  # the only compile is in a thread without events
    for row in profile["compiles"]:
        own = [event for event in regions if event["name"].endswith(f" {row['compile']}")]
        assert row["calls"] == len(own), row
        near(row["total_us"], sum(event["dur"] for event in outermost(own)), len(own))
        near(row["min_us"], min(event["dur"] for event in own), 1)
    prologues = ("Pregraph bytecode", "AOTDispatcher Runtime Wrapper Prologue")
    known = sum(event["dur"] for event in events_of("mixed") if event["name"] in prologues)
    assert known <= profile["overhead_us"] < 0.1 * profile["regions"]["total_us"], (known, profile["overhead_us"])
    for gap in profile["eager"]["gaps"]:
        assert gap["graphs_us"] <= profile["graph_calls"]["total_us"], gap
    source = (TOP / "tests/data/scripts/profiled/mixed.py").read_text().split("\n")
    twin = next(row["key"] for row in report["compiles"] if (row["frame"] or {}).get("function") == "twin")
    assert any(row["compile"] == twin for row in profile["kernels"]), twin
    assert not any(row["places"] for row in profile["kernels"] if row["compile"] == twin), "the code of kept() has its lines"
    assert not any(source[row["line"] - 1].strip().startswith("t =") for row in profile["lines"])


def is_compiler(event):
    return event["name"].endswith("(dynamo_timed)") or event["name"] in ("dynamo", "entire_frame_compile", "entire_backward_compile", "compiled_autograd")


def compiler_runs(events):
    """(thread, start, end) of the compiler: its events, from the end of the guard checks or the begin of the backward right before, to
    the begin of the code right after."""
    found = []
    for tid in {event["tid"] for event in events}:
        own = sorted((event for event in events if event["tid"] == tid), key=lambda event: (event["ts"], -event["dur"]))
        for event in outermost([event for event in own if is_compiler(event)]):
            at, start, end = own.index(event), event["ts"], event["ts"] + event["dur"]
            before = own[at - 1] if at else None
            if before and before["name"] == "TorchDynamo Cache Lookup" and before["ts"] + before["dur"] <= start:
                start = before["ts"] + before["dur"]
            elif before and before["name"].endswith(("CompiledFunction", "CompiledFunctionBackward")) and before["ts"] + before["dur"] >= end:
                start = before["ts"]
            after = next((other for other in own[at + 1 :] if other["ts"] >= end), None)
            if after and after["name"].startswith(("Torch-Compiled Region: ", "## Call CompiledFxGraph", "AOTDispatcher Runtime Wrapper Prologue", "Pregraph bytecode")):
                end = after["ts"]
            found.append((tid, start, end))
    return found


def compiling(events, call):
    """The time of the compiler in a call."""
    first, last = call["ts"], call["ts"] + call["dur"]
    spans = sorted((max(start, first), min(end, last)) for tid, start, end in compiler_runs(events) if tid == call["tid"] and start < last and end > first)
    total, until = 0, first
    for start, end in spans:
        total += max(end - max(start, until), 0)
        until = max(until, end)
    return total


@case
def calls_in_calls_count_once():
    """Compiled code in an operator of a graph, the compiler in calls and in another thread, a graph that folds to nothing, graphs without a key or a Python wrapper."""
    report, profile, _ = of_program("whole_nested")
    events = events_of("whole_nested")
    graphs = [event for event in events if event["name"].startswith("## Call CompiledFxGraph")]
    regions = [event for event in events if event["name"].startswith("Torch-Compiled Region: ")]
    assert len(graphs) > len(outermost(graphs)) and any(compiling(events, call) for call in graphs)
    near(profile["graph_calls"]["total_us"], sum(call["dur"] - compiling(events, call) for call in outermost(graphs)), len(graphs))
    near(profile["regions"]["total_us"], sum(call["dur"] - compiling(events, call) for call in outermost(regions)), len(regions))
    threads = [{"tid": tid, "ts": 0, "dur": 1e18} for tid in {event["tid"] for event in events}]
    near(profile["compiling_us"], sum(compiling(events, thread) for thread in threads), len(regions))
    functions = {row["key"]: (row["frame"] or {}).get("function") for row in report["compiles"]}
    for row in profile["graphs"]:
        assert row["aligned_calls"] == row["calls"] and row["kernel_events"] and row["compile"], row
        assert any(kernel["places"] for kernel in profile["kernels"] if kernel["compile"] == row["compile"]), row
    named = {functions[row["compile"]] for row in profile["graphs"]}
    assert {"around", "inner", "muted", "in_cpp", "solved", "waits", "<lambda>"} <= named and "folded" not in named, named
    assert profile["unknown_graphs"] == 0
    assert not any(event["name"].startswith("mine::") for event in events), "these operators have no events"
    source = (TOP / "tests/data/scripts/profiled/nested.py").read_text().split("\n")
    gaps = {source[row["place"]["line"] - 1].strip(): row for row in profile["eager"]["gaps"]}
    assert set(gaps) == {"y = slow(y)", "x = wait(x)"}, set(gaps)
    assert 20_000 < gaps["y = slow(y)"]["total_us"] < 24_000, "four times 5 ms"
    slowest = max(call["dur"] for call in regions)  # it waits for a thread that compiles
    assert slowest > 200_000 and gaps["x = wait(x)"]["total_us"] > 0.99 * slowest, (slowest, gaps)


@case
def what_changes_while_the_profile_runs():
    """A reset, a compile in each step, one that fails, calls of other versions of a function, a package beside compiled code."""
    report, profile, _ = of_program("whole_resets")
    events = events_of("whole_resets", "cpu_op", "user_annotation")
    compiles = {row["compile"]: row for row in profile["compiles"]}
    # each step compiles: its time is all of it
    steps = sorted(event["dur"] for event in events if event["name"].startswith("ProfilerStep#"))
    assert len(steps) == 6 and profile["step_us"]["steps"] == 6
    assert abs(profile["step_us"]["median_us"] - statistics.median(steps)) < 0.01 and profile["step_us"]["max_us"] == steps[-1]
    threads = [{"tid": tid, "ts": 0, "dur": 1e18} for tid in {event["tid"] for event in events}]
    near(profile["compiling_us"], sum(compiling(events_of("whole_resets", "cpu_op", "user_annotation"), thread) for thread in threads), 100)
    assert profile["compiling_us"] > 0.95 * sum(steps)
    # backward graphs with the same key before and after the reset
    places = {row["key"]: row["frame"]["line"] for row in report["compiles"] if row["frame"]}
    backward = [graph for graph in profile["graphs"] if graph["direction"] == "backward" and graph["compile"]]
    net = [graph for graph in backward if places[graph["compile"]] == 19]
    assert profile["unknown_graphs"] == 0 and [graph["calls"] for graph in net] == [3, 3], net
    # versions from before the reset are not unused: nothing can call them
    assert not profile["never_ran"] and not [f for f in report["findings"] if f["kind"] == "never_ran"]
    # the package's graph is no eager operator
    package = [graph for graph in profile["graphs"] if graph["compile"] == "-/-"]
    assert [graph["calls"] for graph in package] == [6] and package[0]["aligned_calls"] == 6, package
    assert not any(row["name"].startswith(("aoti_torch", "graph_")) for row in profile["eager"]["operators"])
    top = profile["lines"][0]
    assert top["code"].startswith("return torch.digamma") and top["total_us"] > 0.5 * profile["graph_calls"]["total_us"]
    # after the compile that failed nothing ran for lack of a version
    assert profile["guards"]["unmatched"] == 0 and not any(row["unmatched_us"] for row in profile["compiles"])
    # calls of a function in calls of its other versions are parts of these
    again = [row for key, row in compiles.items() if places[key] == 39]
    ids = {row["compile"].split("#")[0] for row in again}
    outer = outermost([event for event in events if event["name"].removeprefix("Torch-Compiled Region: ").split(" ")[0] in ids])
    own = sum(row["total_us"] - row["nested_us"] for row in again)
    assert sum(row["nested_us"] for row in again) > 0 and own <= sum(event["dur"] for event in outer) + 1


@case
def other_threads_than_that_of_the_steps():
    """Two threads compile at once, then call: the main thread marks the steps. A wait for the other's compiler is no time of the program."""
    report, profile, _ = of_program("whole_pool")
    events = events_of("whole_pool", "cpu_op", "user_annotation")
    steps = [event["dur"] for event in events if event["name"].startswith("ProfilerStep#")]
    assert profile["step_us"]["steps"] == len(steps) == 5 and abs(profile["step_us"]["median_us"] - statistics.median(steps)) < 0.01
    regions = [event for event in events if event["name"].startswith("Torch-Compiled Region: ")]
    assert max(event["dur"] for event in regions) > 1_000_000, "it waits for the other thread, then compiles"
    assert profile["regions"]["total_us"] < 20_000 and all(gap["total_us"] < 10_000 for gap in profile["eager"]["gaps"]), profile["eager"]
    assert all(graph["kernel_us"] <= graph["total_us"] for graph in profile["graphs"])
    said = " ".join(finding["why"] or "" for finding in report["findings"])
    assert "`torch_dynamo_resume_in_second_at_23` is a frame of its own" in said, "not `first`, which another thread calls"


@case
def gaps_are_those_of_their_break():
    report, profile, _ = of_program("breaks")
    gaps = {row["graph_break"]: row["total_us"] for row in profile["eager"]["gaps"]}
    by_line = {report["graph_breaks"][index]["place"]["line"]: us for index, us in gaps.items()}
    source = (TOP / "tests/data/scripts/profiled/breaks.py").read_text().split("\n")
    much = next(i for i, text in enumerate(source, 1) if "y = outside(y)" in text)
    little = next(i for i, text in enumerate(source, 1) if "graph_break()" in text)
    assert set(by_line) == {much, little}, by_line
    assert by_line[much] > profile["graph_calls"]["total_us"] > by_line[little] / 4, by_line
    assert by_line[much] > 10 * by_line[little], by_line
    for name in set(PROGRAMS) - {"breaks", "optimizer", "several"}:
        assert of_program(name)[1]["eager"]["gaps"] == [], name


def rows_of_timeline():
    """The spans of the page's timeline in lanes of run time: (name, compile, start, duration, self time), in microseconds since the epoch."""
    head = script("timeline.js")
    run = {i for i, lane in enumerate(head["summary"]["lanes"]) if (lane["thread"] or "").startswith("run time")}
    for chunk in range(head["chunks"]):
        row = script(f"timeline.{chunk}.js")
        for i in range(0, len(row), 8):
            start, us, own, lane, name, key = row[i : i + 6]
            if lane in run:
                yield head["names"][name], head["ids"][key] if key >= 0 else None, head["start_us"] + start, us, own


def script(name):
    text = (Path("out/data") / name).read_text()
    packed = base64.b64decode(json.loads(f"[{text[text.index('(') + 1 : text.rindex(')')]}]")[1])
    return json.loads(subprocess.run(["zstd", "-dcq"], input=packed, capture_output=True, check=True).stdout)


@case
def the_timeline_has_what_ran():
    names = {"Torch-Compiled Region: ": "call of a compiled frame", "## Call CompiledFxGraph ": "call of a graph", "TorchDynamo Cache Lookup": "guard checks"}
    for name in ("training", "breaks", "dead"):
        report, profile, _ = of_program(name)
        trace = read(DATA / name / f"{name}.json.gz")
        wanted = []
        for event in events_of(name, "cpu_op", "user_annotation"):
            title = next((title for start, title in names.items() if event["name"].startswith(start)), None)
            if title:
                wanted.append((title, trace["baseTimeNanoseconds"] / 1000 + event["ts"], event["dur"]))
        rows = list(rows_of_timeline())
        assert sorted(row[0] for row in rows) == sorted(title for title, _, _ in wanted), name
        for row, (title, start, us) in zip(sorted(rows, key=lambda row: (row[0], row[2])), sorted(wanted), strict=True):
            assert row[0] == title and abs(row[2] - start) <= 1.01 and abs(row[3] - us) <= 1.01, (name, row, start, us)
            assert 0 <= row[4] <= row[3] + 1, (name, row)
        assert {row[1] for row in rows if row[0] == "call of a compiled frame"} == {row["compile"] for row in profile["compiles"]}, name
        assert profile["start_us"] <= min(row[2] for row in rows), name
        last = report["timeline"]["start_us"] + report["timeline"]["duration_us"]
        assert last >= max(row[2] + row[3] for row in rows), name


@case
def ranks_have_their_own_profile():
    logs = sorted((DATA / "ddp").glob("*.log.zst"))
    for rank, log in enumerate(logs):
        _, profile, messages = report_of(log, DATA / "ddp")
        assert [(row["name"], row["refused"]) for row in profile["files"]] == [(f"ddp_{rank}.json.gz", None)], profile["files"]
        assert "ddp_" not in messages, messages


@case
def a_report_on_ranks_gives_each_its_profile():
    done = run(DATA / "ddp", "--profile", DATA / "ddp", "-o", "out", "--no-browser")
    assert done.returncode == 0 and ".json.gz" not in done.stderr, done.stderr
    for rank in (0, 1):
        profile = json.loads(Path(f"out/rank_{rank}/report.json").read_text())["profile"]
        assert [row["name"] for row in profile["files"]] == [f"ddp_{rank}.json.gz"] and profile["regions"]["calls"] == 12
    done = run(DATA / "ddp", "--profile", DATA / "dead/dead.json.gz", "-o", "other", "--no-browser")
    assert done.stderr.count("is of another run") == 1, done.stderr


def run_times(change=None):
    """The ranks' run time in the report on the ranks of `uneven`, and their collectives in the traces: `change` may edit each trace."""
    durations = []
    shutil.rmtree("traces", ignore_errors=True)
    Path("traces").mkdir()
    for rank in (0, 1):
        trace = read(DATA / f"uneven/uneven_{rank}.json.gz")
        if change:
            change(rank, trace["traceEvents"])
        Path(f"traces/{rank}.json").write_text(json.dumps(trace))
        works = [event for event in trace["traceEvents"] if event["name"].startswith(("gloo:", "nccl"))]
        durations.append([event["dur"] for event in sorted(works, key=lambda event: event["ts"])])
    done = run(DATA / "uneven", "--profile", "traces", "-o", "out", "--overwrite", "--no-browser")
    assert done.returncode == 0, done.stderr
    return [rank.get("run_time") for rank in json.loads(Path("out/report.json").read_text())["ranks"]], durations


def to_nccl(_rank, events):
    """As kernels of NCCL on a device."""
    for event in events:
        if event["name"].startswith("gloo:"):
            event.update(cat="kernel", name="ncclDevKernel_AllReduce_Sum_f32_RING_LL", pid=0, tid=7, args={"correlation": 1})


def drop_one(rank, events):
    if rank == 1:
        events.remove(next(event for event in events if event["name"].startswith("gloo:")))


@case
def ranks_wait_for_each_other():
    for change in (None, to_nccl):
        ranks, durations = run_times(change)
        shortest = sum(map(min, *durations))
        for rank, row in enumerate(ranks):
            assert row["collectives"] == 4 and abs(row["collectives_us"] - sum(durations[rank])) <= 1, (rank, row)
            assert abs(row["wait_us"] - (sum(durations[rank]) - shortest)) <= 1, (rank, row, durations)
        assert ranks[0]["wait_us"] > 150_000 > 10 * ranks[1]["wait_us"], ranks  # the program sleeps 4 times 50 ms in rank 1
    ranks, _ = run_times(drop_one)
    assert [row["wait_us"] for row in ranks] == [None, None], ranks


@case
def the_slowest_of_each_rank_is_named():
    ranks, _ = run_times()
    for rank, row in enumerate(ranks):
        _, profile, _ = report_of(next((DATA / "uneven").glob(f"*rank_{rank}_*")), DATA / f"uneven/uneven_{rank}.json.gz")
        assert row["slowest_kernel"]["name"] == profile["kernels"][0]["name"], row
        assert abs(row["slowest_kernel"]["total_us"] - profile["kernels"][0]["total_us"]) <= 1, row
        assert row["slowest_compile"]["compile"] == "0/0" and abs(row["regions_us"] - profile["regions"]["total_us"]) <= 1, row


def refused(log, profile, words):
    """The report is complete, and says once why the profile is not used."""
    report, found, messages = report_of(log, profile)
    assert words in messages and messages.count(str(profile)) == 1, messages
    [row] = found["files"]
    assert words in row["refused"], row
    assert not found["compiles"] and not found["graphs"] and not found["kernels"] and not found["lines"] and not found["never_ran"], found
    assert report["compiles"]


@case
def a_profile_of_another_run_is_refused():
    refused(log_of("training"), DATA / "inference/inference.json.gz", "is of another run")


@case
def a_profile_without_compiled_code_is_refused():
    trace = read(DATA / "training/training.json.gz")
    trace["traceEvents"] = [event for event in trace["traceEvents"] if "Compiled" not in event.get("name", "")]
    Path("eager.json").write_text(json.dumps(trace))
    refused(log_of("training"), "eager.json", "has guard checks, but no call of compiled code: the calls ran eagerly")


@case
def a_profile_without_compile_ids_is_refused():
    """Regions have no id in PyTorch 2.5 and before."""
    trace = read(DATA / "dead/dead.json.gz")
    for event in trace["traceEvents"]:
        event["name"] = re.sub("^Torch-Compiled Region: .*", "Torch-Compiled Region", event.get("name", ""))
    trace["traceEvents"] = [event for event in trace["traceEvents"] if not event["name"].startswith("## Call")]
    Path("old.json").write_text(json.dumps(trace))
    refused(log_of("dead"), "old.json", "does not say which compile a call is of: record it with PyTorch 2.9 or later")


@case
def without_calls_of_graphs_their_time_is_no_eager_time():
    """PyTorch 2.6 to 2.8 record calls of frames, but none of graphs."""
    for name in "breaks", "training":
        trace = read(DATA / name / f"{name}.json.gz")
        trace["traceEvents"] = [event for event in trace["traceEvents"] if not event.get("name", "").startswith("## Call")]
        Path("old.json").write_text(json.dumps(trace))
        _, profile, _ = report_of(log_of(name), "old.json")
        _, newer, _ = of_program(name)
        assert profile["eager"]["gaps"] == profile["graphs"] == profile["kernels"] == profile["lines"] == []
        assert [(row["compile"], row["calls"], row["total_us"], row["guard_us"]) for row in profile["compiles"]] == [
            (row["compile"], row["calls"], row["total_us"], row["guard_us"]) for row in newer["compiles"]]
        assert all(row["eager_us"] == 0 for row in profile["compiles"]) and profile["overhead_us"] <= newer["overhead_us"]
        assert profile["eager"]["total_us"] <= newer["eager"]["total_us"], (profile["eager"], newer["eager"])
        assert "no calls of graphs, which PyTorch 2.9" in " ".join(run("summary", log_of(name), "--profile", "old.json").stdout.split())


@case
def a_truncated_profile_is_refused():
    text = gzip.open(DATA / "dead/dead.json.gz").read()
    for size in (2, 300, len(text) // 2, len(text) - 60, len(text) - 2):
        Path("cut.json").write_bytes(text[:size])
        refused(log_of("dead"), "cut.json", "is not complete")
    packed = (DATA / "dead/dead.json.gz").read_bytes()
    Path("cut.json.gz").write_bytes(packed[: len(packed) // 2])
    refused(log_of("dead"), "cut.json.gz", "gzip")
    Path("empty.json").write_bytes(b"")
    refused(log_of("dead"), "empty.json", "is empty")


@case
def what_is_no_profile_is_refused():
    for text, words in (("hello", "is no profile"), ('{"traceEvents": [1]}', "not JSON"), ('{"traceEvents": [{"ph" "X"}]}', "not JSON"),
                        ('{"a": 1}', "has no call of compiled code"), ("[]", "has no call of compiled code"),
                        ('[{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": "x", "dur": 1}]', "no number of microseconds"),
                        ('[{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": -1}]', "no number of microseconds"),
                        ('[{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 99999999999999999999, "dur": 1}]', "no number of microseconds")):
        Path("odd.json").write_text(text)
        refused(log_of("dead"), "odd.json", words)


@case
def a_profile_that_is_not_there_is_an_error():
    Path("folder").mkdir()
    for path, words in (("missing.json", "cannot open missing.json"), ("folder", "folder has no profile")):
        done = run(log_of("dead"), "--profile", path, "-o", "out", "--no-browser")
        assert done.returncode == 1 and words in done.stderr and not Path("out").exists(), done.stderr


@case
def a_profile_is_for_logs():
    assert run(log_of("dead"), "-o", "out", "--no-browser").returncode == 0
    for command in ("summary", "share"):
        done = run(command, "out", "--profile", DATA / "dead/dead.json.gz")
        assert done.returncode == 2 and "--profile is for logs, but out is a report" in done.stderr, done.stderr


@case
def a_shared_report_has_its_profile():
    done = run("share", log_of("dead"), "--profile", DATA / "dead/dead.json.gz", "-o", "dead.zip")
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile("dead.zip") as archive:
        [name] = [name for name in archive.namelist() if name.endswith("report.json")]
        assert json.loads(archive.read(name))["profile"]["never_ran"] == ["0/0"]


@case
def the_form_of_a_trace_does_not_matter():
    """Packed or not, a list of events or an object, members in another order, events in another order, other spaces, a late clock."""
    _, wanted, _ = of_program("training")
    trace = read(DATA / "training/training.json.gz")
    events = trace["traceEvents"]
    forms = {
        "plain.json": json.dumps(trace), "dense.json": json.dumps(trace, separators=(",", ":")), "indented.json": json.dumps(trace, indent=8),
        "late.json": json.dumps({"traceEvents": events, **{k: v for k, v in trace.items() if k != "traceEvents"}}),
        "reversed.json": json.dumps({**trace, "traceEvents": events[::-1]}),
        "members.json": json.dumps({**trace, "traceEvents": [dict(reversed(event.items())) for event in events]}),
    }
    for name, text in forms.items():
        Path(name).write_text(text)
        _, found, _ = report_of(log_of("training"), name)
        for key in wanted:
            assert key == "files" or found[key] == wanted[key], (name, key)
    Path("plain.json.zst").write_bytes(subprocess.run(["zstd", "-qc", "plain.json"], capture_output=True, check=True).stdout)
    assert report_of(log_of("training"), "plain.json.zst")[1]["compiles"] == wanted["compiles"]


def with_devices(name):
    """The trace of a program as on a device: each operator of the library launches a kernel that takes 10 us, each generated kernel one of 3 us."""
    trace, launch = read(DATA / name / f"{name}.json.gz"), 0
    events = trace["traceEvents"]
    for event in [event for event in events if event.get("cat") == "cpu_op"]:
        us = 10 if event["name"] in ("aten::addmm", "aten::mm") else 3 if "cpp_fused" in event["name"] else 0
        if us:
            launch += 1
            middle = event["ts"] + event["dur"] / 2
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": event["pid"], "tid": event["tid"],
                           "ts": round(middle, 3), "dur": 0.001, "args": {"External id": 7, "correlation": launch}})
            events.append({"ph": "X", "cat": "kernel", "name": "void gemm<float>(int)", "pid": 0, "tid": 7, "ts": event["ts"] + 10000 + 20 * launch, "dur": us,
                           "args": {"stream": 7, "correlation": launch, "External id": 7}})
    return trace


@case
def work_on_devices_belongs_to_what_launched_it():
    trace = with_devices("training")
    Path("gpu.json").write_text(json.dumps(trace))
    _, profile, _ = report_of(log_of("training"), "gpu.json")
    for row in profile["kernels"]:
        us = 3 if row["name"].startswith("cpp_fused") else 10
        assert row["device_us"] == row["calls"] * us, row
        has_spread(row, [us], "on devices")
    of_graphs = sum(row["device_us"] for row in profile["graphs"])
    assert of_graphs == profile["graph_calls"]["device_us"] == sum(row["device_us"] for row in profile["kernels"])
    forward = sum(row["device_us"] for row in profile["graphs"] if row["direction"] == "forward")
    assert forward == profile["regions"]["device_us"] == sum(row["device_us"] for row in profile["compiles"])
    assert abs(sum(row["device_us"] for row in profile["lines"]) - of_graphs) < 0.01
    assert profile["lines"] == sorted(profile["lines"], key=lambda row: -row["device_us"])
    _, without, _ = of_program("training")
    assert "device_us" not in without["graph_calls"] and [row["total_us"] for row in without["compiles"]] == [row["total_us"] for row in profile["compiles"]]


def with_replays(name, library=(10,), recorded=False, change=lambda works: works):
    """The trace of a program as in CUDA graphs: each call of a graph launches one, whose kernels have no event on the CPU. A library call is as
    many of them as `library` has times in us, a generated kernel one of 3 us. recorded: the operators of the first call stay, which starts no work."""
    trace, launch = read(DATA / name / f"{name}.json.gz"), 0
    operators = [event for event in trace["traceEvents"] if event.get("cat") == "cpu_op" and event.get("ph") == "X"]
    calls = [event for event in operators if event["name"].startswith("## Call")]
    removed, added = set(), []
    for call in calls:
        launch += 1
        inner = [event for event in operators if event["tid"] == call["tid"] and call["ts"] < event["ts"] < call["ts"] + call["dur"]]
        works = []
        for child in outermost(inner):
            if child["name"] in ("aten::addmm", "aten::mm"):
                works += [("void gemm<float, (Layout)1>(int)", us) for us in library]
            elif "cpp_fused" in child["name"]:
                works.append((re.sub("^graph_[0-9]+_", "", child["name"]), 3))
        if not (recorded and launch == 1):
            removed |= {id(event) for event in inner}
        at = call["ts"] + call["dur"]
        added.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": call["pid"], "tid": call["tid"],
                      "ts": round(at - 0.5, 3), "dur": 0.4, "args": {"correlation": launch}})
        for kernel, us in change(works):
            added.append({"ph": "X", "cat": "kernel", "name": kernel, "pid": 0, "tid": 7, "ts": round(at, 3), "dur": us,
                          "args": {"stream": 7, "correlation": launch, "graph id": 3}})
            at += us + 1
    trace["traceEvents"] = [event for event in trace["traceEvents"] if id(event) not in removed] + added
    return trace


def replayed(*arguments, **options):
    Path("replays.json").write_text(json.dumps(with_replays(*arguments, **options)))
    return report_of(log_of("training"), "replays.json")[1]


@case
def a_replay_runs_the_kernels_of_its_code():
    Path("gpu.json").write_text(json.dumps(with_devices("training")))
    launched = report_of(log_of("training"), "gpu.json")[1]
    for recorded in False, True:
        profile = replayed("training", recorded=recorded)
        for row in profile["graphs"]:
            assert row["replays"] == row["calls"] == row["aligned_calls"], row
        found = {(row["name"], row["index"]): (row["calls"], row["device_us"], row["places"]) for row in profile["kernels"]}
        assert found == {(row["name"], row["index"]): (row["calls"], row["device_us"], row["places"]) for row in launched["kernels"]}
        if not recorded:
            assert all(row["total_us"] == 0 for row in profile["kernels"]) and profile["kernel_us"] == 0
        assert profile["devices"]["kernel_us"] == launched["devices"]["kernel_us"] == profile["graph_calls"]["device_us"]
        assert profile["devices"]["without_line_us"] == launched["devices"]["without_line_us"]
        assert {row["line"]: row["device_us"] for row in profile["lines"]} == {row["line"]: row["device_us"] for row in launched["lines"]}


@case
def work_of_a_library_call_is_told_apart_only_where_it_is_certain():
    """Several kernels between two generated ones: those of the only library call there, or of none."""
    profile = replayed("training", library=(1, 9))
    assert all(row["aligned_calls"] == row["calls"] for row in profile["graphs"])
    library = [row for row in profile["kernels"] if row["name"].startswith("extern_kernels.")]
    calls = {name: sum(row["calls"] for row in library if row["name"] == f"extern_kernels.{name}") for name in ("addmm", "mm")}
    assert calls["addmm"] > 0 and 0 < calls["mm"] < 2 * calls["addmm"], calls  # the backward has pairs of products
    for row in library:
        assert row["device_us"] == 10 * row["calls"] and row["min_us"] == row["max_us"] == 10, row
    lost = profile["devices"]["kernel_us"] - sum(row["device_us"] for row in profile["kernels"])
    assert lost > 0 and abs(profile["devices"]["without_line_us"] - lost) < 0.01, lost


@case
def a_replay_of_other_kernels_is_not_aligned():
    for change in (lambda works: works[1:], lambda works: works[::-1], lambda works: [*works, works[0]]):
        for row in replayed("training", change=change)["graphs"]:
            assert row["unaligned_calls"] == row["calls"] == row["replays"], row
    profile = replayed("training", change=lambda works: [("Memset (Device)", 1), *works])  # before the first generated kernel
    assert all(row["aligned_calls"] == row["calls"] for row in profile["graphs"])


def on_device(works, launches):
    """A trace of one call of [0/0], with work on a device (stream, start, time) and the launches of each, in us after the start of the call."""
    trace = read(DATA / "dead/dead.json.gz")
    region = next(event for event in trace["traceEvents"] if event["name"].startswith("Torch-Compiled Region"))
    for number, ((stream, at, us), (thread, launched)) in enumerate(zip(works, launches, strict=True), 1):
        start = region["ts"] if thread == "in" else region["ts"] + region["dur"]
        trace["traceEvents"] += [
            {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": region["pid"], "tid": region["tid"],
             "ts": round(start + launched, 3), "dur": 0.001, "args": {"correlation": number}},
            {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": stream, "ts": round(region["ts"] + at, 3), "dur": us, "args": {"correlation": number}}]
    Path("gpu.json").write_text(json.dumps(trace))
    key = region["name"].split(": ")[1]
    profile = report_of(log_of("dead"), "gpu.json")[1]
    return profile["devices"], next(row["waiting_us"] for row in profile["compiles"] if row["compile"] == key), region["dur"]


@case
def a_device_waits_for_what_is_not_started():
    devices, of_frame, _ = on_device([(7, 10, 5), (7, 15, 5), (8, 12, 4)], [("in", 1), ("in", 2), ("in", 3)])
    assert (devices["busy_us"], devices["idle_us"], devices["waiting_us"], devices["count"]) == (10, 0, 0, 1), devices
    devices, of_frame, _ = on_device([(7, 10, 5), (7, 30, 5)], [("in", 1), ("in", 2)])  # idle, but the work had been started
    assert (devices["busy_us"], devices["idle_us"], devices["waiting_us"]) == (10, 15, 0), devices
    devices, of_frame, _ = on_device([(7, 10, 5), (8, 30, 5)], [("in", 1), ("in", 25)])
    assert abs(devices["waiting_us"] - 10) < 0.01 and devices["idle_us"] == 15, devices
    assert devices["waiting_in_graphs_us"] + devices["waiting_in_frames_us"] == devices["waiting_us"] == of_frame
    devices, of_frame, _ = on_device([(7, -60, 5), (8, 30, 5)], [("in", -70), ("in", 25)])  # most of the time before the call
    assert abs(devices["waiting_us"] - 80) < 0.01 and abs(of_frame - 25) < 0.01, devices
    assert devices["waiting_in_graphs_us"] + devices["waiting_in_frames_us"] == of_frame
    devices, of_frame, us = on_device([(7, 1, 2), (7, 90000, 5)], [("in", 0.5), ("after", 1)])
    assert abs(devices["waiting_us"] - (us + 1 - 3)) < 0.01, (devices, us)
    assert of_frame == devices["waiting_in_graphs_us"] == devices["waiting_in_frames_us"] == 0, devices


@case
def a_break_has_only_its_own_time():
    """Of two breaks in a frame, the second one ends it. The rest of a function beyond its recompile limit is no part of the break before it."""
    report, profile, _ = of_program("several")
    source = (TOP / "tests/data/scripts/profiled/several.py").read_text().split("\n")
    gaps = {source[row["place"]["line"] - 1].strip(): row for row in profile["eager"]["gaps"]}
    assert set(gaps) == {"torch._dynamo.graph_break()", "loss.backward()", "return loss.item()", 'print(end="")'}, set(gaps)
    both = next(row for row in report["compiles"] if len(row["graph_breaks"]) == 2)
    eager = {row["compile"]: row["eager_us"] for row in profile["compiles"]}
    assert abs(gaps["loss.backward()"]["total_us"] - eager[both["key"]]) < 0.01
    assert gaps["return loss.item()"]["total_us"] < gaps["loss.backward()"]["total_us"] / 10
    events = events_of("several")
    calls = [event for event in events if event["name"] == "Torch-Compiled Region: 0/0"]
    rest = [event for event in events if event["name"] in ("aten::tanh", "aten::matmul") and any(call["ts"] < event["ts"] < call["ts"] + call["dur"] for call in calls)]
    ran = sum(event["dur"] for event in rest)
    gap = gaps["torch._dynamo.graph_break()"]
    assert len(rest) == 2 * 40 * 8 and ran < gap["unmatched_us"] < 1.2 * ran, (len(rest), ran, gap)
    assert gap["total_us"] < gap["unmatched_us"] / 10, gap
    assert profile["guards"]["unmatched"] == 8, profile["guards"]["unmatched"]  # two of four modes, in four steps
    for name in set(PROGRAMS) - {"several"}:
        other = of_program(name)[1]
        assert other["guards"]["unmatched"] == 0 and not any(row["unmatched_us"] for row in other["compiles"]), name


def of_gpu(name):
    return report_of(next((CORPUS / name).glob("*.log.zst")), CORPUS / name / "profile.json.gz")


def averages_of(name, on="cpu"):
    """What PyTorch itself sums up by name: of events on the CPU, with the work that they start, or of events on the device."""
    text = subprocess.run(["zstd", "-dcq", CORPUS / name / "key_averages.json.zst"], capture_output=True, check=True).stdout
    return {row["name"]: row for row in json.loads(text) if (row["cpu_us"] > 0) == (on == "cpu")}


@case
def device_totals_are_those_of_key_averages():
    for name in GPU:
        sums = averages_of(name)
        _, profile, _ = of_gpu(name)
        for row in profile["compiles"]:
            said = sums[f"Torch-Compiled Region: {row['compile']}"]
            assert row["calls"] == said["count"], row
            near(row["total_us"], said["cpu_us"], row["calls"])
            near(row["device_us"], said["device_us"], 100 * row["calls"])
        for row in profile["graphs"]:
            said = sums[f"## Call CompiledFxGraph {row['key']} ##"]
            near(row["total_us"], said["cpu_us"], row["calls"])
            near(row["device_us"], said["device_us"], 100 * row["calls"])
        sent = sum(row["device_us"] for row in profile["graphs"])
        near(profile["devices"]["kernel_us"], sent, 1000)
        events = read(CORPUS / name / "profile.json.gz")["traceEvents"]
        works = sorted((event["ts"], event["ts"] + event["dur"]) for event in events if event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"))
        busy, end = 0, works[0][0]
        for start, stop in works:
            busy, end = busy + max(0, stop - max(start, end)), max(end, stop)
        near(profile["devices"]["busy_us"], busy, len(works))
        near(profile["devices"]["busy_us"] + profile["devices"]["idle_us"], max(stop for _, stop in works) - works[0][0], len(works))


@case
def every_call_on_a_device_is_aligned():
    for name in GPU:
        _, profile, _ = of_gpu(name)
        assert not any(row["unaligned_calls"] for row in profile["graphs"]), name
        named = sum(row["device_us"] for row in profile["kernels"])
        assert named > 0.88 * profile["devices"]["kernel_us"], (name, named, profile["devices"])
        sums = averages_of(name, on="device")
        generated = defaultdict(float)
        for row in profile["kernels"]:
            if row["name"] in sums:  # a generated kernel; the user's have other names on the device
                generated[row["name"]] += row["device_us"]
        assert len(generated) >= 2, name
        for kernel, us in generated.items():
            near(us, sums[kernel]["device_us"], 100 * sums[kernel]["count"])


@case
def the_timeline_has_work_on_devices():
    """Of what compiled frames start, with the compile whose code does."""
    _, profile, _ = of_gpu("gpu_profile_breaks")
    lanes = script("timeline.js")["summary"]["lanes"]
    assert any(lane["process"] == "device 0" and lane["thread"] == "run time, stream 7" for lane in lanes), lanes
    calls = {"call of a compiled frame", "call of a graph", "guard checks", "step"}
    found = defaultdict(list)
    for name, key, start, us, _ in rows_of_timeline():
        if name not in calls:
            found[key].append((start, us, name))
    events = read(CORPUS / "gpu_profile_breaks/profile.json.gz")
    base = events["baseTimeNanoseconds"] / 1000
    starts = {(int(base + event["ts"]), event["name"][:200]) for event in events["traceEvents"] if event.get("cat") in ("kernel", "gpu_memset")}
    assert all(any((start + off, name[:200]) in starts for off in (-1, 0, 1)) for rows in found.values() for start, _, name in rows)
    assert len(found["3/0"]) == 5 * 4, "three kernels of a CUDA graph, and a copy of its input"
    whole = {row["compile"]: row["device_us"] for row in profile["compiles"]}  # with the frames that it calls
    assert sum(len(rows) for rows in found.values()) > 150 and set(found) == set(whole), set(found)
    assert abs(sum(us for _, us, _ in found["3/0"]) - whole["3/0"]) < len(found["3/0"]), whole


@case
def replays_take_as_long_as_what_they_replay():
    """A program calls the same graph with and without CUDA graphs; its products have known costs, and two of them have two kernels each."""
    _, profile, _ = of_gpu("gpu_profile_triton")
    graphs = {row["compile"]: row for row in profile["graphs"]}
    assert graphs["0/0"]["replays"] == 0 and graphs["0/1"]["replays"] == graphs["0/1"]["calls"] == 4
    copies = averages_of("gpu_profile_triton")["aten::_foreach_copy_"]["device_us"]
    near(graphs["0/1"]["copies_us"], copies, 4)
    near(profile["devices"]["without_line_us"], copies, 100)
    by_line = defaultdict(dict)
    for row in profile["kernels"]:
        if row["name"] == "extern_kernels.mm":
            by_line[row["places"][0]["line"]][row["compile"]] = row["device_us"]
    assert len(by_line) == 3 and all(set(times) == {"0/0", "0/1"} for times in by_line.values()), by_line
    for times in by_line.values():
        assert abs(times["0/0"] - times["0/1"]) < 0.05 * times["0/0"], times
    _, mixed, _ = of_gpu("gpu_profile_breaks")
    replayed = next(row for row in mixed["graphs"] if row["replays"])
    assert replayed["compile"] == "3/0" and replayed["replays"] == 5, replayed


@case
def two_profiles_add_up():
    """Unless one is a copy of the other."""
    shutil.copy(DATA / "dead/dead.json.gz", "one.json.gz")
    trace = read(DATA / "dead/dead.json.gz")
    Path("copy.json").write_text(json.dumps(trace, indent=1))
    trace["baseTimeNanoseconds"] += 10**9
    Path("two.json.gz").write_bytes(gzip.compress(json.dumps(trace).encode()))
    _, one, _ = report_of(log_of("dead"), "one.json.gz")
    _, two, said = report_of(log_of("dead"), "one.json.gz", "two.json.gz", "copy.json")
    assert "copy.json is given twice" in said, said
    for before, after in zip(one["compiles"], two["compiles"], strict=True):
        assert after["calls"] == 2 * before["calls"] and abs(after["total_us"] - 2 * before["total_us"]) < 0.01
    for before, after in zip(one["lines"], two["lines"], strict=True):
        assert abs(after["total_us"] - 2 * before["total_us"]) < 0.01


def profile_of(name):
    return DATA / name / f"{name}.json.gz"


def copy_of(log):
    """A log cannot be compared with itself."""
    Path("copy").mkdir(exist_ok=True)
    return Path(shutil.copy(log, "copy"))


def compared(base, new, *profiles, options=()):
    """The member `run_time` of a diff, which has one item."""
    new = copy_of(new) if new == base else new
    done = run("diff", base, new, *(word for path in profiles for word in ("--profile", path)), "--format", "json", *options)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout).get("run_time")
    return found[0] if found else None


def steps_compared(base, new):
    return compared(log_of(base), log_of(new), profile_of(base), profile_of(new))


def planted_line(version):
    source = (TOP / f"tests/data/scripts/profiled/steps/{version}/steps.py").read_text().split("\n")
    return next(i for i, text in enumerate(source, 1) if text.strip() == "scores = p @ q")


def is_planted(found):
    """One product has four times as many operations: its kernel, line, graph and function are slower, and nothing else."""
    lines = [planted_line("base"), planted_line("slower")]
    assert lines[1] == lines[0] + 2
    rows = {row["kind"]: row for row in found["changes"]}
    assert len(rows) == len(found["changes"]) == 4 and set(rows) == {"function", "graph", "kernel", "line"}, found["changes"]
    assert all(row["change"] == "slower" and row["calls"] == [20, 20] for row in rows.values()), rows
    assert rows["line"]["lines"] == rows["kernel"]["lines"] == lines and rows["line"]["code"] == "scores = p @ q"
    assert rows["function"]["name"] == "attend" and rows["function"]["compiles"] == ["1/0", "1/0"] and rows["kernel"]["name"] == "extern_kernels.mm"
    assert 3 < rows["line"]["us"][1] / rows["line"]["us"][0] < 5, rows["line"]
    assert found["same"] >= 12 and found["more_changes"] == 0
    return rows


@case
def a_planted_change_is_the_only_one():
    found = steps_compared("steps_base", "steps_slower")
    rows = is_planted(found)
    assert found["per"] == "step" and found["rank"] is None and found["profiles"] == [True, True] and found["devices"] == [False, False]
    for side, name in enumerate(("steps_base", "steps_slower")):
        products = [event["dur"] for event in sorted(events_of(name), key=lambda event: event["ts"]) if event["name"] == "aten::mm"]
        steps = [event["dur"] for event in steps_of(read(profile_of(name)))]
        for row, times in ((rows["line"], products[2::3]), (rows["kernel"], products[2::3]), (found["step"], steps)):
            wanted = spread_of(times)
            assert row["calls"][side] == len(times) == 20
            assert abs(row["us"][side] - wanted["median_us"]) < 0.002, (row, wanted)
            assert all(abs(x - y) < 0.002 for x, y in zip(row["ranges_us"][side], (wanted["q1_us"], wanted["q3_us"]), strict=True)), (row, wanted)
    assert found["step"]["change"] == "slower"
    back = steps_compared("steps_slower", "steps_base")
    assert [row["change"] for row in back["changes"]] == 4 * ["faster"] and back["step"]["change"] == "faster"


@case
def a_slower_step_exceeds_a_limit():
    def limited(limit, *logs, profiles=("steps_base", "steps_slower")):
        done = run("diff", *logs, *(word for name in profiles for word in ("--profile", profile_of(name))), "--fail-on", limit, "--format", "json")
        assert done.returncode in (0, 1), done.stderr
        document = json.loads(done.stdout)
        return done.returncode, document["limits"][0]["verdict"], document

    base, slower, again = (log_of(f"steps_{name}") for name in ("base", "slower", "again"))
    status, verdict, document = limited("step_time>10%", base, slower)
    assert (status, verdict) == (1, "exceeded")
    step = document["run_time"][0]["step"]["us"]
    figure = next(figure for figure in document["figures"] if figure["name"] == "step_time")
    assert figure["values"] == [int(us) for us in step] and figure["verdict"] == "worse", figure
    assert limited("step_time>1ms", base, slower)[:2] == (1, "exceeded")
    assert limited("step_time>5s", base, slower)[:2] == (0, "kept")
    assert limited("step_time>0.1%", base, again, profiles=("steps_base", "steps_again"))[:2] == (0, "kept")  # within the spread
    assert limited("step_time>10%", base, slower, profiles=())[:2] == (0, "not known")
    assert run(base, slower, "--profile", profile_of("steps_base"), "--profile", profile_of("steps_slower"), "-o", "both", "--no-browser").returncode == 0
    done = run("diff", "both", "--fail-on", "step_time>10%")
    assert done.returncode == 1 and "step_time>10%: exceeded" in done.stdout, done.stdout
    report = json.loads(Path("both/report.json").read_text())
    figures = next(figure for pair in report["comparison"]["pairs"] for figure in pair["figures"] if figure["name"] == "step_time")
    assert figures["values"] == [int(us) for us in step], figures
    for log in (base, slower):  # two finished reports: their logs, which are read again, have no steps
        assert run(log, "--profile", profile_of(log.parent.name), "-o", log.parent.name, "--no-browser").returncode == 0
    done = run("diff", base.parent.name, slower.parent.name, "--fail-on", "step_time>10%", "--format", "json")
    document = json.loads(done.stdout)
    assert done.returncode == 1 and [figure["values"] for figure in document["figures"] if figure["name"] == "step_time"] == [figures["values"]], document


@case
def equal_runs_have_no_change():
    """A run and itself, each program and itself, and two runs of one program."""
    for name in PROGRAMS:
        found = steps_compared(name, name)
        assert found["changes"] == [] and found["more_changes"] == 0 and found["same"] > 0, (name, found["changes"])
    found = steps_compared("steps_base", "steps_again")
    assert found["changes"] == [] and found["step"]["change"] == "same", found


@case
def without_steps_times_are_those_of_a_call():
    for name in ("steps_base", "steps_slower"):
        trace = read(profile_of(name))
        trace["traceEvents"] = [event for event in trace["traceEvents"] if not event.get("name", "").startswith("ProfilerStep")]
        Path(f"{name}.json").write_text(json.dumps(trace))
    base, new = log_of("steps_base"), log_of("steps_slower")
    found, wanted = compared(base, new, "steps_base.json", "steps_slower.json"), steps_compared("steps_base", "steps_slower")
    assert found["per"] == "call" and found["step"] is None, found
    # Once in a step, a call takes what it takes in the step. Without steps, the spread of totals is that of calls.
    kinds = ("function", "graph", "kernel", "line")
    one, other = ([row for row in rows["changes"] if row["kind"] in kinds] for rows in (found, wanted))
    assert one == other, (one, other)
    is_planted(found)
    assert compared(base, new, "steps_base.json", profile_of("steps_slower"))["per"] == "call"
    twice = compared(base, base, profile_of("steps_base"), "steps_base.json")
    assert twice["per"] == "call" and twice["changes"] == []


@case
def different_numbers_of_steps_can_be_compared():
    trace = read(profile_of("steps_slower"))
    ends = sorted(step["ts"] + step["dur"] for step in steps_of(trace))
    for count in (12, 4, 3, 1):
        trace["traceEvents"] = [event for event in trace["traceEvents"] if event.get("ts", 0) < ends[count - 1]]
        Path("few.json").write_text(json.dumps(trace))
        found = compared(log_of("steps_base"), log_of("steps_slower"), profile_of("steps_base"), "few.json")
        line = next(row for row in found["changes"] if row["kind"] == "line" and row["code"] == "scores = p @ q")
        assert line["calls"] == [20, count] and found["step"]["calls"] == [20, count]
        assert line["change"] == ("slower" if count > 3 else "unknown") and 3 < line["us"][1] / line["us"][0] < 5, line
        assert (line["ranges_us"][1] is None) == (count == 1)
        if count > 3:
            assert {row["lines"][1] for row in found["changes"] if row["kind"] == "line"} == {line["lines"][1]}, (count, found["changes"])
    done = run("diff", log_of("steps_base"), log_of("steps_slower"), "--profile", profile_of("steps_base"), "--profile", "few.json")
    assert "unclear  line steps.py" in done.stdout and "slower" not in done.stdout.split("Run time")[1].split("\n\n")[0], done.stdout


@case
def finished_reports_have_their_profiles():
    wanted = steps_compared("steps_base", "steps_slower")
    for name in ("steps_base", "steps_slower"):
        assert run(log_of(name), "--profile", profile_of(name), "-o", name, "--no-browser").returncode == 0
    assert compared("steps_base", "steps_slower") == compared("steps_base/report.json", "steps_slower") == wanted
    text = Path("steps_slower/report.json").read_text()
    report = json.loads(text)
    for line in report["profile"]["lines"]:
        if line["code"] == "scores = p @ q":
            line["code"] = "scores = p.matmul(q)"
    Path("steps_slower/report.json").write_text(json.dumps(report, separators=(",", ":")))
    edited = compared("steps_base", "steps_slower")
    [row] = [row for row in edited["changes"] if row["kind"] == "line"]
    assert row["lines"] == [planted_line("base"), planted_line("slower")] and row["code"] == "scores = p.matmul(q)" and row["change"] == "slower"
    for line in report["profile"]["lines"]:  # all have one text: in order
        line["code"] = "x"
    for kernel in report["profile"]["kernels"]:  # another kernel has come before them
        kernel["name"] = re.sub(r"\d+$", lambda number: str(int(number[0]) + 1), kernel["name"])
    Path("steps_slower/report.json").write_text(json.dumps(report, separators=(",", ":")))
    base = json.loads(Path("steps_base/report.json").read_text())
    for line in base["profile"]["lines"]:
        line["code"] = "x"
    Path("steps_base/report.json").write_text(json.dumps(base, separators=(",", ":")))
    moved = compared("steps_base", "steps_slower")
    assert [(row["kind"], row["lines"]) for row in moved["changes"]] == [(row["kind"], row["lines"]) for row in wanted["changes"]], moved["changes"]
    for wrong in ({"lines": 1}, {"lines": [{}, {"line": 1}], "kernels": [{}], "compiles": [{}, {}], "graphs": [{}]}):
        Path("steps_slower/report.json").write_text(json.dumps({**report, "profile": {**report["profile"], **wrong}}, separators=(",", ":")))
        assert compared("steps_base", "steps_slower")["profiles"] == [True, True]


def edited_reports(**edits):
    """The comparison of the reports of two runs of one program, base and again, after edits of their profiles."""
    for name in ("base", "again"):
        source = log_of(f"steps_{name}")
        assert run(source, "--profile", profile_of(f"steps_{name}"), "-o", name, "--no-browser", "--overwrite").returncode == 0
        report = json.loads(Path(name, "report.json").read_text())
        edits.get(name, lambda profile: None)(report["profile"])
        Path(name, "report.json").write_text(json.dumps(report, separators=(",", ":")))
    return compared("base", "again")


def rows_of(found, kind):
    return {row["name"] or row["code"]: row for row in found["changes"] if row["kind"] == kind}


@case
def operators_are_compared_by_their_calls():
    def with_operators(*operators):
        names = ("name", "calls", "total_us")
        return lambda profile: profile["eager"].update(operators=[dict(zip(names, one, strict=True)) for one in operators])
    found = edited_reports(base=with_operators(("aten::sin", 40, 400.0), ("aten::abs", 20, 100.0), ("aten::all", 20, 90.0)),
                           again=with_operators(("aten::sort", 20, 9000.0), ("aten::sin", 240, 2400.0), ("aten::abs", 20, 900.0)))
    rows = rows_of(found, "operator")
    assert {name: (row["change"], row["often"], row["us"]) for name, row in rows.items()} == {
        "aten::sort": ("new", [0, 1], [None, 450]), "aten::sin": ("slower", [2, 12], [20, 120]), "aten::all": ("gone", [1, 0], [4.5, None])}, rows
    text = " ".join(run("diff", "base", "again").stdout.split())
    assert "slower eager aten::sin, 2 → 12 calls 20.0 µs → 120 µs" in text, text
    done = run("check", "again", "--max", "step_time_s=0.000001", "--format", "json")
    causes = json.loads(done.stdout)
    assert done.returncode == 1 and "forward graph" in str(causes) and "the rest of the step" in str(causes), causes


@case
def kernels_without_a_line_are_the_same_kernels():
    def without_line(profile):
        for kernel in profile["kernels"]:
            if kernel["name"] == "cpp_fused_sum_0":
                kernel["places"] = []
        profile["lines"] = [line for line in profile["lines"] if line["line"] != 23]
        profile["without_line_us"] = profile["kernel_us"] / 3
    found = edited_reports(again=without_line)
    assert not [row for row in found["changes"] if row["kind"] == "kernel" and row["change"] in ("new", "gone")], found["changes"]
    [row] = rows_of(found, "line").values()
    assert (row["change"], row["lines"]) == ("unknown", [23, None]), row
    assert found["without_line_percent"] == [0, 33.3], found["without_line_percent"]
    text = " ".join(run("diff", "base", "again").stdout.split())
    assert "0 % of the time of kernels has no line in the first run, 33 % in the second." in text, text


@case
def kernels_of_a_line_in_several_functions_are_joined_once():
    """Without lines, kernels of two functions are told apart, which one line held together: one of them has no partner."""
    def two_functions(places):
        def edit(profile):
            [one, other] = profile["graphs"][:2]
            assert one["compile"] != other["compile"]
            like = next(kernel for kernel in profile["kernels"] if kernel["name"] == "cpp_fused_sum_0")
            profile["kernels"] = [
                {**like, "index": i, "compile": compile, "graph": "0_forward", "places": places}
                for i, compile in enumerate((one["compile"], one["compile"], one["compile"], other["compile"]))]
        return edit
    line = [{"file": "/home/user/src/steps.py", "line": 23}]
    for base, again, change in ((line, [], "new"), ([], line, "gone")):
        found = edited_reports(base=two_functions(base), again=two_functions(again))
        kernels = [row["change"] for row in found["changes"] if row["kind"] == "kernel"]
        assert kernels.count(change) == 1 and not {"new", "gone"} - {change} & set(kernels), found["changes"]


@case
def files_of_the_program_have_other_names_in_each_run():
    def written(name):
        def edit(profile):
            for place in (*profile["lines"], *(place for kernel in profile["kernels"] for place in kernel["places"])):
                place["file"] = f"/tmp/{name}/steps_{name}.py"
        return edit
    found = edited_reports(base=written("a1b2"), again=written("c3d4"))
    assert not [row for row in found["changes"] if row["change"] in ("new", "gone")], found["changes"]


@case
def equal_lines_that_have_not_moved_are_different_lines():
    def only(number):
        def edit(profile):
            for one in (*profile["lines"], *(place for kernel in profile["kernels"] for place in kernel["places"])):
                one["line"] = number if one["line"] in (15, 16) else one["line"]
            profile["lines"] = [{**line, "code": "return self.norm(x)"} if line["line"] == number else line for line in profile["lines"]]
        return edit
    found = edited_reports(base=only(15), again=only(16))
    assert {(row["change"], *row["lines"]) for row in found["changes"] if row["kind"] == "line"} == {("gone", 15, None), ("new", None, 16)}, found["changes"]


@case
def both_runs_need_a_profile():
    base, new, profiles = log_of("steps_base"), log_of("steps_slower"), [profile_of("steps_base"), profile_of("steps_slower")]
    for wrong, words in (((base, new, profiles[0]), "but was given 1 time"), ((base, new, *profiles, profiles[0]), "but was given 3 times"),
                         ((base, *profiles), "--profile is for two runs, and cannot be used with one path")):
        paths = [path for path in wrong if str(path).endswith(".zst")]
        done = run("diff", *paths, *(word for path in wrong[len(paths):] for word in ("--profile", path)))
        assert done.returncode == 2 and words in done.stderr and done.stderr.count("tlparse: ") == 1, done.stderr
    done = run("diff", base, new, "--new", new, *(word for path in profiles for word in ("--profile", path)))
    assert done.returncode == 2 and "cannot be used with --base and --new" in done.stderr, done.stderr
    assert compared(base, new) is None
    for given, which, words in (([profiles[0], profiles[0]], [True, False], "only the first run has a profile that fits"),
                                ([profiles[1], profiles[1]], [False, True], "only the second run has a profile that fits"),
                                (profiles[::-1], [False, False], "no run has a profile that fits")):
        assert compared(base, new, *given) == {"rank": None, "profiles": which}
        for options in ((), ("--format", "markdown")):
            done = run("diff", base, new, *(word for path in given for word in ("--profile", path)), *options)
            assert done.returncode == 0 and f"cannot be compared: {words}" in done.stdout and "is of another run" in done.stderr, done.stdout


@case
def work_on_devices_is_not_compared_with_that_on_the_cpu():
    Path("gpu.json").write_text(json.dumps(with_devices("training")))
    both, one = [compared(log_of("training"), log_of("training"), path, "gpu.json") for path in ("gpu.json", profile_of("training"))]
    assert both["devices"] == [True, True] and both["changes"] == []
    assert one["devices"] == [False, True] and one["changes"] == [] and one["same"] < both["same"]
    done = run("diff", log_of("training"), copy_of(log_of("training")), "--profile", profile_of("training"), "--profile", "gpu.json")
    assert "only one profile has work on devices" in re.sub(r"\s+", " ", done.stdout)


@case
def ranks_are_compared_with_ranks():
    shutil.copytree(DATA / "ddp", "again")
    done = run("diff", DATA / "ddp", "again", "--profile", DATA / "ddp", "--profile", DATA / "ddp", "--format", "json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["run_time"]
    assert [row["rank"] for row in found] == [0, 1] and all(row["changes"] == [] and row["same"] > 0 for row in found), found


@case
def annotations_of_the_user_change_nothing():
    """They need not end before the call does in which they begin, and may have the name of anything."""
    for name in "breaks", "training":
        trace = read(DATA / name / f"{name}.json.gz")
        _, without, _ = of_program(name)
        regions = [event for event in trace["traceEvents"] if event.get("name", "").startswith("Torch-Compiled Region")]
        for number, region in enumerate(regions):
            for title in "block", f"Torch-Compiled Region: {number}/0", "## Call CompiledFxGraph abcd ##", "TorchDynamo Cache Lookup", "dynamo", "Pregraph bytecode", "ProfilerStep#x":
                trace["traceEvents"].append({"ph": "X", "cat": "user_annotation", "name": title, "pid": region["pid"], "tid": region["tid"],
                                             "ts": round(region["ts"] + region["dur"] / 2, 3), "dur": region["dur"] * 2})
        Path("annotated.json").write_text(json.dumps(trace))
        _, profile, _ = report_of(log_of(name), "annotated.json")
        for member in set(without) - {"files", "window_us"}:
            assert profile[member] == without[member], (name, member)


def without_steps(value):
    """The same without the times of each step."""
    if isinstance(value, list):
        return [without_steps(item) for item in value]
    return {key: without_steps(item) for key, item in value.items() if key != "by_step_us"} if isinstance(value, dict) else value


@case
def a_step_may_end_in_a_call():
    trace = read(DATA / "breaks/breaks.json.gz")
    _, without, _ = of_program("breaks")
    outer = outermost([event for event in trace["traceEvents"] if event.get("name", "").startswith("Torch-Compiled Region")])
    for number, (one, other) in enumerate(zip(outer, outer[1:], strict=False)):
        middle = one["ts"] + one["dur"] / 2
        trace["traceEvents"].append({"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{number}", "pid": one["pid"], "tid": one["tid"],
                                     "ts": round(middle, 3), "dur": round(other["ts"] + other["dur"] / 2 - middle, 3)})
    Path("steps.json").write_text(json.dumps(trace))
    _, profile, _ = report_of(log_of("breaks"), "steps.json")
    assert profile["steps"] == profile["step_us"]["steps"] == len(outer) - 1
    for member in "regions", "graph_calls", "guards", "overhead_us", "eager", "compiles", "graphs", "lines":
        assert without_steps(profile[member]) == without_steps(without[member]), member
    steps = sorted(event["ts"] for event in steps_of(trace))
    for compile in profile["compiles"]:
        calls = [event for event in trace["traceEvents"] if event.get("name") == f"Torch-Compiled Region: {compile['compile']}"]
        sums = [sum(call["dur"] for call in calls if start <= call["ts"] < end) for start, end in zip(steps, [*steps[1:], steps[-1] + steps_of(trace)[-1]["dur"]], strict=True)]
        assert compile["compiling_us"] or all(abs(a - b) < 0.01 for a, b in zip(sums, compile["by_step_us"], strict=True)), (sums, compile)
    for item in (profile["guards"], profile["eager"], *profile["compiles"], *profile["graphs"], *profile["kernels"]):
        assert len(item["by_step_us"]) == len(steps) and sum(item["by_step_us"]) <= item["total_us"] + 0.01, item


@case
def a_profile_counts_once():
    path = DATA / "training/training.json.gz"
    _, once, _ = of_program("training")
    Path("link.json.gz").symlink_to(path)
    for again in (path, "link.json.gz"):
        _, twice, messages = report_of(log_of("training"), path, again)
        assert twice["regions"] == once["regions"] and [row["refused"] for row in twice["files"]] == [None, "is given twice"], twice["files"]
        assert "is given twice" in messages, messages


@case
def a_report_without_a_profile_has_none():
    assert report_of(log_of("dead"))[1] is None


@case
def threads_and_blocks_do_not_matter():
    log, profile, texts = log_of("training"), DATA / "training/training.json.gz", set()
    for options in (("--threads", "0"), ("--threads", "3"), ("--threads", "2", "--block-bytes", "4096")):
        done = run(log, "--profile", profile, "-o", "out", "--overwrite", "--no-browser", *options)
        assert done.returncode == 0, done.stderr
        texts.add(Path("out/report.json").read_text())
    assert len(texts) == 1


def use(tlparse, _update):
    global TLPARSE
    TLPARSE = tlparse


if __name__ == "__main__":
    sys.exit(main(__doc__, use))

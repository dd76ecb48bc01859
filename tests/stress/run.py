#!/usr/bin/env python3
"""Logs of unusual size or shape: the report must be complete, and memory within a limit. Time is not limited.

    run.py --tlparse build/tlparse [NAME...]

Each case generates its log, runs tlparse, and checks the result; those of growth.py and merge_growth.py compare the cost of two sizes. The limits apply to peak resident memory;
they are about twice the measured value, so that a change that keeps too much fails.
"""
import argparse
import hashlib
import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import fact_lines
import growth
import instructions
import merge_growth

MIB = 1 << 20
CASES = {}


def case(bound_mib):
    def add(function):
        CASES[function.__name__] = (function, bound_mib)
        return function

    return add


def record(envelope, payload=None, second=0):
    """One record as PyTorch writes it."""
    if payload is not None:
        envelope = {**envelope, "has_payload": hashlib.md5(payload.encode()).hexdigest()}
        payload = "\n\t" + payload.replace("\n", "\n\t")
    clock = f"{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}.000000"
    return f"V0102 {clock} 77 torch/_logging/_internal.py:1200] {json.dumps(envelope)}{payload or ''}\n"


def identity(i, attempt=0):
    return {"frame_id": i, "frame_compile_id": 0, "attempt": attempt}


def artifact(i, name, payload):
    return record({"artifact": {"name": name, "encoding": "string"}, **identity(i)}, payload, i)


class Report:
    def __init__(self, out, peak):
        self.out, self.peak = out, peak

    def json(self, name):
        return json.loads((self.out / name).read_text(encoding="utf-8"))

    def text(self, name):
        return (self.out / name).read_text(encoding="utf-8")


def expect(what, found, wanted):
    if found != wanted:
        raise AssertionError(f"{what}: {found!r}, not {wanted!r}")


def in_child(function):
    """Calls it in another process: the peak of a started program includes the memory that its parent ever had."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            function()
            status = 0
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
        finally:
            sys.stdout.flush()
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def parse(args, work, pieces, *options):
    """Writes the pieces (an iterator: generated as they are written) to a log, runs tlparse on it, and returns a Report.
    Pieces that are pairs of a path and a text become the files of a folder."""
    log, out = work / "log", work / "out"

    def write():
        first = next(pieces)
        if isinstance(first, tuple):
            for path, text in itertools.chain([first], pieces):
                (log / path).parent.mkdir(parents=True, exist_ok=True)
                (log / path).write_text(text, encoding="utf-8", newline="\n")
            return
        with open(log, "w", encoding="utf-8", newline="\n") as f:
            f.write(first)
            f.writelines(pieces)

    expect("status of writing", in_child(write), 0)
    argv = [str(args.tlparse), str(log), "-o", str(out), "--no-browser", "--threads", "2", *options]
    actions = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=actions)
    _, status, usage = os.wait4(pid, 0)
    expect("exit status", os.waitstatus_to_exitcode(status), 0)
    return Report(out, usage.ru_maxrss / 1024)


@case(128)
def many_compiles(args, work):
    """10,000 compile ids, each with a start, a graph, a cache result, and metrics."""
    count = 10_000

    def log():
        yield record({"str": ["/home/user/model.py", 0]})
        yield record({"str": ["/home/user/other.py", 1]})
        for i in range(count):
            stack = [{"line": 1 + i % 50, "name": f"f{i % 97}", "filename": 0}, {"line": 7, "name": "g", "filename": 1}]
            yield record({"dynamo_start": {"stack": stack}, **identity(i)}, second=i)
            yield record({"dynamo_output_graph": {"sizes": {"x": [i, 4]}}, **identity(i)}, f"def forward(self, x):\n    return x + {i}\n", i)
            yield artifact(i, "fx_graph_cache_miss" if i % 3 else "fx_graph_cache_hit", f"key {i}")
            metrics = {"co_name": f"f{i}", "co_filename": "model.py", "co_firstlineno": i, "graph_op_count": i % 7, "duration_us": 1000 + i,
                       **{f"counter_{n}": n * i for n in range(40)}}
            yield record({"compilation_metrics": metrics, **identity(i)}, second=i)

    report = parse(args, work, log())
    directory = report.json("compile_directory.json")
    expect("compile ids", len(directory), count)
    expect("artifacts", sum(len(entry["artifacts"]) for entry in directory.values()), 3 * count)
    expect("the last graph", report.text("-_9999_0_0/dynamo_output_graph_29997.txt"), "def forward(self, x):\n    return x + 9999\n")
    expect("report.json", len(report.json("report.json")["compiles"]), count)
    return report


@case(64)
def long_log(args, work):
    """Memory does not grow with the size of a log: 256 MiB with two compile ids."""
    line = "        buf0 = empty_strided_cpu((8, 8), (8, 1), torch.float32)\n"
    payload = line * (MIB // len(line))
    report = parse(args, work, (artifact(i % 2, f"part{i}", f"# {i}\n{payload}") for i in range(256)))
    expect("artifacts", len(report.json("compile_directory.json")["[1/0]"]["artifacts"]), 128)
    size = len(payload) + len("# 255\n")
    expect("size of the last", (report.out / "-_1_0_0/part255_255.txt").stat().st_size, size)
    return report


@case(512)
def large_payload(args, work):
    """A payload of 64 MiB on one line, and one of 64 MiB on two million lines."""

    def one():
        return "x" * (64 * MIB)

    def many():
        return "\n".join(["def f(x): return (x, x, x, x)"] * 2_200_000)

    def log():
        yield artifact(0, "one", one())
        yield artifact(0, "many", many())
        yield artifact(1, "last", "end")

    report = parse(args, work, log())
    expect("long line", report.text("-_0_0_0/one_0.txt") == one(), True)
    expect("many lines", report.text("-_0_0_0/many_1.txt") == many(), True)
    expect("last", report.text("-_1_0_0/last_2.txt"), "end")
    return report


@case(176)
def many_strings(args, work):
    """100,000 interned strings, and stacks of 300 frames that use them."""
    count = 100_000

    def log():
        for i in range(count):
            yield record({"str": [f"/home/user/package/module_{i}.py", i]})
        for i in range(300):
            stack = [{"line": n, "name": f"f{n}", "filename": (i * 331 + n) % count} for n in range(300)]
            yield record({"dynamo_start": {"stack": stack}, **identity(i)})
            yield artifact(i, "text", "x")

    report = parse(args, work, log())
    with open(report.out / "raw.jsonl", encoding="utf-8") as f:
        table = json.loads(f.readline())["string_table"]
    expect("strings", (len(table), table[-1]), (count, f"/home/user/package/module_{count - 1}.py"))
    expect("records", report.json("report.json")["log"]["counters"]["ok"], 600)
    return report


@case(128)
def noise(args, work):
    """200 MiB of other text between two records, some of it in lines of 1 MiB."""

    def log():
        yield artifact(0, "first", "1")
        for i in range(2_000_000):
            yield f"step {i}: loss = {i / 7:.4f}\n"
        for _ in range(150):
            yield "y" * MIB + "\n"
        yield artifact(1, "last", "2")

    report = parse(args, work, log())
    expect("both records", (report.text("-_0_0_0/first_0.txt"), report.text("-_1_0_0/last_1.txt")), ("1", "2"))
    expect("unrecognized lines", report.json("report.json")["log"]["counters"]["fail_glog"], 2_000_150)
    return report


@case(128)
def many_attempts(args, work):
    """A frame that is compiled 3,000 times, with three attempts each: long chains, many folders."""

    def log():
        yield record({"str": ["model.py", 0]})
        for i in range(3000):
            for attempt in range(3):
                ids = {"frame_id": 0, "frame_compile_id": i, "attempt": attempt}
                yield record({"dynamo_start": {"stack": [{"line": 3, "name": "f", "filename": 0}]}, **ids})
                yield record({"artifact": {"name": "recompile_reasons", "encoding": "json"}, **ids}, json.dumps([f"L['n'] == {i}"]))
            yield record({"compilation_metrics": {"co_name": "f", "restart_reasons": ["a", "b"]}, **ids})

    report = parse(args, work, log())
    expect("compiles", len(report.json("report.json")["compiles"]), 3000)
    return report


@case(128)
def high_string_ids(args, work):
    """3,000 processes, each with one string with the highest id: tables grow with their definitions, not with ids."""
    report = parse(args, work, (record({"str": ["model.py", (1 << 20) - 1]}).replace(" 77 ", f" {i + 1000} ") for i in range(3000)))
    expect("processes", len(report.json("report.json")["log"]["processes"]), 3000)
    return report


@case(160)
def many_processes(args, work):
    """A folder with 5,000 logs in subfolders, each of another process."""

    def logs():
        for i in range(5000):
            ids = {"frame_id": 0, "frame_compile_id": 0, "attempt": 0}
            text = "".join((record({"str": [f"model{i}.py", 0]}, None, i),
                            record({"dynamo_start": {"stack": [{"line": 3, "name": f"f{i}", "filename": 0}]}, **ids}, None, i),
                            record({"chromium_event": {}, **ids}, json.dumps({"name": "dynamo", "ph": "X", "ts": i, "dur": 1, "pid": 0, "tid": 0})),
                            record({"compilation_metrics": {"co_name": f"f{i}"}, **ids}, None, i)))
            yield f"{i % 90}/dedicated_log_torch_trace_{i}.log", text.replace(" 77 ", f" {i + 1000} ")

    report = parse(args, work, logs())
    found = report.json("report.json")
    expect("compiles", len([c for c in found["compiles"] if c["status"] != "missing"]), 5000)
    expect("processes", (len(found["log"]["processes"]), found["log"]["more_process_records"]), (4096, 3 * (5000 - 4096)))
    expect("files", len(found["log"]["files"]), 5000)
    expect("the file name of the last process", found["stacks"][-1]["file"] in {f"model{i}.py" for i in range(5000)}, True)
    return report


def cost(args, work, pieces):
    """Instructions of a run on one thread."""
    log, out = work / "log", work / "out"

    def write():
        with open(log, "w", encoding="utf-8", newline="\n") as f:
            f.writelines(pieces)

    expect("status of writing", in_child(write), 0)
    return instructions.count([args.tlparse, log, "-o", out, "--overwrite", "--no-browser", "--threads", "0"])


def cost_of_merge(args, work, ranks):
    """Instructions of `tlparse merge` for the facts of these logs."""
    folder, facts = Path(tempfile.mkdtemp(dir=work)), work / "job.facts"
    for rank, pieces in enumerate(ranks):
        (folder / f"dedicated_log_torch_trace_rank_{rank}_a.log").write_text("".join(pieces), encoding="utf-8", newline="\n")
    subprocess.run([args.tlparse, "facts", folder, "-o", facts, "--overwrite"], stdin=subprocess.DEVNULL, capture_output=True, check=True)
    return instructions.count([args.tlparse, "merge", facts, "-o", work / "out", "--overwrite", "--full", "none", "--threads", "0"])


def cost_of_facts(args, work, lines):
    """Instructions of `tlparse merge` for these facts, which must all be read."""
    fact_lines.write(work / "job.facts", lines)
    return instructions.count([args.tlparse, "merge", work / "job.facts", "-o", work / "out", "--overwrite", "--full", "none", "--threads", "0", "--strict"])


def check_growth(args, name):
    with tempfile.TemporaryDirectory(prefix="stress-") as work:
        if name in growth.JOBS:
            function, size = growth.JOBS[name]
            start, small, large = (cost_of_merge(args, Path(work), function(n)) for n in (1, size, size * growth.TIMES))
        elif name in merge_growth.SHAPES:
            function, size = merge_growth.SHAPES[name]
            start, small, large = (cost_of_facts(args, Path(work), lines) for lines in (merge_growth.empty(), function(size), function(size * growth.TIMES)))
        else:
            function, size = growth.SHAPES[name]
            start, small, large = (cost(args, Path(work), pieces) for pieces in ((), function(size), function(size * growth.TIMES)))
    grows = (large - start) / (small - start)
    print(f"{name}: {grows:.1f} times the instructions, at most {growth.AT_MOST}, for {growth.TIMES} times the log")
    if grows > growth.AT_MOST:
        raise AssertionError("the cost grows faster than the log")


def check(args, name):
    if name not in CASES:
        check_growth(args, name)
        return
    function, bound = CASES[name]
    with tempfile.TemporaryDirectory(prefix="stress-") as work:
        report = function(args, Path(work))
    print(f"{name}: peak {report.peak:.0f} MiB of {bound}")
    if report.peak > bound:
        raise AssertionError("memory exceeds the limit")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tlparse", type=Path, required=True)
    parser.add_argument("--list", action="store_true", help="list the cases and exit")
    parser.add_argument("names", nargs="*", help="run the cases whose names begin with NAME")
    args = parser.parse_args()
    if args.list:
        print(*CASES, *growth.SHAPES, *growth.JOBS, *merge_growth.SHAPES, sep="\n")
        return
    args.tlparse = args.tlparse.resolve()
    chosen = [name for name in [*CASES, *growth.SHAPES, *growth.JOBS, *merge_growth.SHAPES] if not args.names or name.startswith(tuple(args.names))]
    failed = 0
    for name in chosen:
        if in_child(lambda name=name: check(args, name)):
            failed += 1
            print(f"FAIL {name}")
    print(f"{len(chosen) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not chosen else 0)


if __name__ == "__main__":
    main()

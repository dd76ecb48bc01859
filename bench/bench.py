#!/usr/bin/env python3
"""Measure tlparse against the reference, side by side in one run.

    bench.py           the gpt2 log, a 1 GiB log, and 64 and 256 ranks; writes the table in doc/performance.md
    bench.py --quick   the gpt2 log, and answers, only; prints the figures and writes no file

The programs take turns on the same log, which is in the page cache, and write to the same disk. The figures are medians of
the rounds: user and system time, wall time, peak memory, and output. make_scale.py creates the log of 1 GiB and the ranks
once from logs of tests/data, in .cache/bench/. The output is removed after all runs of a log (about 3 GB per run), because
ext4 allocates inodes slowly for minutes after many were freed. The reference is TLPARSE_PEER, or where the set-up installs
it; without it, only this tlparse is measured. `./dev bench` builds build-release first and calls this.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "tests/tools"))
import samples  # noqa: E402

PEER = Path(os.environ.get("TLPARSE_PEER", TOP / ".cache/peer/bin/tlparse"))
OURS = TOP / "build-release/tlparse"
WORK = TOP / ".cache/bench"
PAGE = TOP / "doc/performance.md"
RANKS = ("ranks4", "fsdp", "ddp")
SCALE = ("gpt2", "resnet", "training", "recompiles", "graph_breaks", "dynamic_shapes")
MIB = 1 << 20


def trace(name):
    """The first log of a folder of tests/data/logs, decompressed."""
    return samples.plain(sorted((samples.LOGS / name).glob("*.log*"))[0])


def scale_log():
    log = WORK / "scale-1GiB.log"
    if not log.exists():
        print(f"making {log.relative_to(TOP)} …", file=sys.stderr)
        half = log.with_suffix(".part")
        make = [sys.executable, TOP / "bench/make_scale.py", "--size", "1G", "-o", half, *map(trace, SCALE)]
        subprocess.run([str(a) for a in make], check=True)
        half.rename(log)
    return log


def scale_ranks(ranks):
    folder = WORK / f"ranks-{ranks}"
    if not folder.exists():
        print(f"making {folder.relative_to(TOP)} …", file=sys.stderr)
        half = folder.with_suffix(".part")
        shutil.rmtree(half, ignore_errors=True)
        make = [sys.executable, TOP / "bench/make_scale.py", "--ranks", ranks, "-o", half, *map(trace, RANKS)]
        subprocess.run([str(a) for a in make], check=True)
        half.rename(folder)
    return folder


def logs_of(log):
    return sorted(log.glob("*.log")) if log.is_dir() else [log]


def report_of(program, log):
    """The command of a report, of all ranks if the log is a folder."""
    return [*program, *(["--all-ranks-html"] if log.is_dir() else []), log, "--no-browser"]


def measure(command, out):
    """One run that writes to `out`, unless that is None: (user s, system s, wall s, peak MiB, files, MiB written). The floor of the peak is this script's own memory."""
    quiet = os.open(os.devnull, os.O_RDWR)
    argv = [*map(str, command), *(["-o", str(out)] if out else [])]
    actions = [(os.POSIX_SPAWN_DUP2, quiet, fd) for fd in (0, 1, 2)]
    start = time.monotonic()
    pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=actions)
    _, status, usage = os.wait4(pid, 0)
    wall = time.monotonic() - start
    os.close(quiet)
    if status:
        sys.exit(f"bench.py: {' '.join(argv)} ended with status {os.waitstatus_to_exitcode(status)}")
    written = [] if out is None else [out] if out.is_file() else out.rglob("*")
    sizes = [p.stat().st_size for p in written if p.is_file()]
    return usage.ru_utime, usage.ru_stime, wall, usage.ru_maxrss / 1024, len(sizes), sum(sizes) / MIB


def compare(log, title, programs, rounds):
    """The rows of one log: each program runs once per round."""
    for path in logs_of(log):
        with open(path, "rb") as f:
            while f.read(16 * MIB):
                pass
    (WORK / "out").mkdir(exist_ok=True)
    runs = {name: [] for name in programs}
    for n in range(rounds):
        for name, command in programs.items():
            runs[name].append(measure(report_of(command, log), Path(tempfile.mkdtemp(dir=WORK / "out")) / "report"))
            print(f"{title}, round {n + 1}, {name}: {runs[name][-1][0]:.2f} s user, {runs[name][-1][2]:.2f} s wall", file=sys.stderr)
    shutil.rmtree(WORK / "out")
    medians = {name: [statistics.median(column) for column in zip(*found, strict=True)] for name, found in runs.items()}
    peer = medians.get("reference")
    lines = [
        f"### {title}, {sum(p.stat().st_size for p in logs_of(log)) / MIB:.1f} MiB",
        "",
        "| | user CPU | system | wall | peak memory | files | written |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, (user, system, wall, peak, files, written) in medians.items():
        cells = [f"{user:.2f} s", f"{system:.2f} s", f"{wall:.2f} s", f"{peak:.0f} MiB"]
        if peer and name != "reference":
            cells = [f"{c} (1/{p / v:.1f})" if p >= v > 0 else f"{c} (×{v / p:.1f})" if p else c
                     for c, v, p in zip(cells, (user, system, wall, peak), peer[:4], strict=True)]
        lines.append(f"| {name} | {' | '.join(cells)} | {files:.0f} | {written:.1f} MiB |")
    return lines + [""]


LAYERS = 2500


def layers_log():
    """A log with two compiles of a graph of 10,000 operations, every second layer of which differs."""

    def graph(activation):
        lines, before = [HEAD], "L_x_"
        for i in range(LAYERS):
            for name, value in (("a", f"torch.nn.functional.linear({before}, L_w_)"), ("b", f"torch.{activation(i)}(a{i})"), ("c", f"b{i}.view(8, 4)"), ("d", f"c{i} + L_y_")):
                lines += [f"        # File: /m.py:{'abcd'.index(name) + 4 * (i % 3)} in f, code: y = layer(x)", f'        {name}{i}: "f32[8, 4][4, 1]cpu" = {value}']
            before = f"d{i}"
        return [*lines, f"        return ({before},)"]

    path = WORK / "layers.log"
    with open(path, "w", encoding="utf-8") as log:
        for compile, lines in enumerate((graph(lambda i: "relu"), graph(lambda i: "gelu" if i % 2 else "relu"))):
            ids = {"frame_id": 0, "frame_compile_id": compile, "attempt": 0}
            for envelope, payload in (({"dynamo_start": {"stack": []}, **ids}, []), ({"dynamo_output_graph": {"sizes": {}}, **ids, "has_payload": "0" * 32}, lines)):
                log.write(f"V1130 10:00:00.000000 1 torch/_dynamo/x.py:1] {json.dumps(envelope)}\n")
                log.writelines(f"\t{line}\n" for line in payload)
    return path


HEAD = """class GraphModule(torch.nn.Module):
\t    def forward(self, L_x_: "f32[8, 4][4, 1]cpu", L_y_: "f32[8, 4][4, 1]cpu", L_w_: "f32[4, 4][4, 1]cpu"):"""


def answers(logs, rounds):
    """Commands that answer about lines and graphs, beside a summary, which reads the same log."""
    layers = layers_log()
    commands = [(f"{what}, {log.stat().st_size / MIB:.1f} MiB", [OURS, "summary", *options, log]) for log in logs
                for what, options in (("summary", []), ("summary --by line", ["--by", "line"]), ("summary --by module", ["--by", "module"]))]
    commands += [("graph, 10,000 operations", [OURS, "graph", layers, "0/0", "--format", "json"]),
                 ("graph --diff, two of them", [OURS, "graph", layers, "0/0", "--diff", "0/1"])]
    lines = ["### Answers", "", "| | user CPU | system | wall | peak memory |", "|---|---:|---:|---:|---:|"]
    for name, command in commands:
        user, system, wall, peak, *_ = (statistics.median(column) for column in zip(*(measure(command, None) for _ in range(rounds)), strict=True))
        lines.append(f"| {name} | {user:.2f} s | {system:.2f} s | {wall:.2f} s | {peak:.0f} MiB |")
    return lines + [""]


def page():
    """The figures of the page, from page.mjs, or none if node, chromium or the page's packages are missing."""
    argv = ["node", TOP / "bench/page.mjs", OURS, trace("gpt2")]
    try:
        done = subprocess.run([str(a) for a in argv], stdout=subprocess.PIPE, text=True)
    except FileNotFoundError:
        done = None
    if not done or "|" not in done.stdout:
        print("bench.py: the page cannot be measured (it needs node, chromium and npm ci in web/)", file=sys.stderr)
        return []
    return ["### The page, in headless chromium", "", *done.stdout.strip().splitlines(), ""]


def machine():
    model = re.search(r"(?m)^model name\s*:\s*(.*)$", Path("/proc/cpuinfo").read_text())
    return f"{os.cpu_count()} cores" + (f", {re.sub(r'[(]R[)]|[(]TM[)]|CPU ', '', model[1])}" if model else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)

    programs = {"tlparse": [OURS], "tlparse, 1 thread": [OURS, "--threads", "1"]}
    if os.access(PEER, os.X_OK):
        programs["reference"] = [PEER]
    else:
        print("bench.py: the reference is not installed (it needs cargo): measuring without it", file=sys.stderr)
    lines = compare(trace("gpt2"), "gpt2", programs, max(5, args.rounds))
    if not args.quick:
        lines += compare(scale_log(), "1 GiB log", programs, args.rounds)
        for ranks in (64, 256):
            lines += compare(scale_ranks(ranks), f"{ranks} ranks", programs, args.rounds)
    lines += answers([trace("gpt2")] if args.quick else [trace("gpt2"), scale_log()], args.rounds)
    lines += page()
    lines = [f"Measured on {machine()}. In parentheses: relative to the reference.", "", *lines]
    print("\n".join(lines))
    if not args.quick and "reference" in programs:
        start, end = "<!-- table -->", "<!-- end of table -->"
        before, rest = PAGE.read_text(encoding="utf-8").split(start)
        PAGE.write_text(before + start + "\n\n" + "\n".join(lines) + "\n" + end + rest.split(end)[1], encoding="utf-8")
        print(f"written to {PAGE.relative_to(TOP)}")


if __name__ == "__main__":
    main()

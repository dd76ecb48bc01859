#!/usr/bin/env python3
"""Measure facts of 64 ranks, and merge of up to 100,000 ranks; write the tables in doc/performance.md.

    many_ranks.py [--quick]      --quick: up to 1,000 ranks; prints the figures and writes no file
    many_ranks.py --make RANKS FOLDER [--tlparse PROGRAM]      only makes facts files of so many ranks

The facts of the many ranks are those of eight ranks of a recorded training, whose compiles make_scale.py repeats, with other
ranks, hosts, file names, clocks, and times of each compile. One rank in 1,000 compiles more functions than the others, one
takes three times as long. A facts file has the eight ranks of a node. The sizes are in .cache/bench/. `./dev bench --ranks`
builds build-release first and calls this.
"""
import argparse
import copy
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import bench
from bench import MIB, OURS, PEER, TOP, WORK, measure, trace

PAGE = TOP / "doc/performance.md"
PER_NODE, COPIES, ODD = 8, 10, 1000
SIZES = (10, 100, 1000, 10_000, 100_000)
COUNT = "import json, sys; print(sum(rank['compiles'] for rank in json.load(open(sys.argv[1]))['ranks']))"
START, END = "<!-- ranks -->", "<!-- end of ranks -->"


def facts_of(program, logs, work):
    """The lines of the facts of logs: head, definitions, and the logs as values."""
    out = work / "base.facts"
    subprocess.run([program, "facts", logs, "-o", out, "--overwrite"], check=True, stderr=subprocess.DEVNULL)
    lines = subprocess.run(["zstd", "-dcq", out], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    return json.loads(lines[0]), [x for x in lines if x[0] == "["], [json.loads(x) for x in lines if x.startswith('{"log":')]


def base(program, work):
    """Facts of eight ranks, the last of which compiles more functions."""
    for name, copies in (("same", COPIES), ("odd", COPIES + 1)):
        make = [sys.executable, TOP / "bench/make_scale.py", "--ranks", PER_NODE, "--per-rank", copies, "-o", work / name, trace("training")]
        subprocess.run([str(a) for a in make], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    odd = next((work / "odd").glob(f"*rank_{PER_NODE - 1}_*"))
    for path in (work / "same").glob(f"*rank_{PER_NODE - 1}_*"):
        path.unlink()
    odd.rename(work / "same" / odd.name)
    return facts_of(program, work / "same", work)


def clone(log, rank, ranks, dice):
    """The log of another rank, at most as different as ranks of a job are."""
    log = copy.deepcopy(log)
    own, name = log["log"], f"dedicated_log_torch_trace_rank_{rank}_{dice.getrandbits(32):08x}.log"
    own.update(rank=rank, own_rank=rank, has_rank=True, has_own_rank=True, file=name, paths=[f"/tmp/trace/{name}"],
               modified_ns=1_700_000_000_000_000_000 + rank)
    own["files"][0]["name"] = name
    pace = dice.uniform(0.95, 1.05) * (3 if rank == ranks // 3 else 1)
    log["times_us"] = [int(t * pace * dice.uniform(0.98, 1.02)) if t > 0 else t for t in log["times_us"]]
    log["timeline"]["totals"] = [n if i % 4 == 0 else int(n * pace) for i, n in enumerate(log["timeline"]["totals"])]
    own["first_us"] += dice.randrange(2_000_000)
    own["last_us"] += dice.randrange(2_000_000, 4_000_000)
    return log


def make(program, ranks, folder):
    """Facts files of so many ranks."""
    dice = random.Random(ranks)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        head, definitions, logs = base(program, Path(work))
    start, dump = "\n".join(definitions), json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
    for node, first in enumerate(range(0, ranks, PER_NODE)):
        own = [dump(clone(logs[-1] if rank % ODD == ODD // 2 else logs[rank % (len(logs) - 1)], rank, ranks, dice))
               for rank in range(first, min(first + PER_NODE, ranks))]
        text = "\n".join([dump({**head, "host": f"node{node:05d}"}), start, *own, dump({"logs": len(own)}), ""]).encode()
        subprocess.run(["zstd", "-3q", f"--stream-size={len(text)}", "-o", folder / f"node{node:05d}.facts"], input=text, check=True)


def facts_rows(rounds):
    """Facts of 64 ranks next to what else reads the same logs."""
    logs = bench.scale_ranks(64)
    for path in bench.logs_of(logs):
        path.read_bytes()
    programs = {"tlparse facts": [OURS, "facts"], "tlparse summary, which writes no report": [OURS, "summary"],
                "tlparse, the report": [OURS, "--all-ranks-html", "--no-browser"]}
    if PEER.exists():
        programs["reference, the report"] = [PEER, "--all-ranks-html", "--no-browser"]
    runs = {name: [] for name in programs}
    for _ in range(rounds):
        for name, command in programs.items():
            runs[name].append(measure_to(command, logs))
    medians = {name: [statistics.median(column) for column in zip(*found, strict=True)] for name, found in runs.items()}
    size = sum(p.stat().st_size for p in bench.logs_of(logs)) / MIB
    lines = [f"### Facts of 64 ranks, {size:.0f} MiB", "", "| | user CPU | system | wall | peak memory | files | written |",
             "|---|---:|---:|---:|---:|---:|---:|"]
    for name, (user, system, wall, peak, files, written) in medians.items():
        lines.append(f"| {name} | {user:.2f} s | {system:.2f} s | {wall:.2f} s | {peak:.0f} MiB | {files:.0f} | {written:.1f} MiB |")
    return [*lines, ""]


def measure_to(command, logs):
    """bench.measure() with a command that is complete but for its logs and the output."""
    with tempfile.TemporaryDirectory(dir=WORK) as out:
        names = {"facts": "out.facts", "summary": None}
        name = names.get(command[1], "report")
        return measure([*command, logs], Path(out) / name if name else None)


def other(*argv):
    """What another process prints: the memory of this one is the least that a measured program seems to take."""
    return subprocess.run([sys.executable, *map(str, argv)], check=True, stdout=subprocess.PIPE, text=True).stdout


def merged(files):
    """Measures one merge without full reports: what measure() returns, and the number of compiles."""
    with tempfile.TemporaryDirectory(dir=WORK) as out:
        report = Path(out) / "report"
        return [*measure([OURS, "merge", "--full", "none", *files], report), int(other("-c", COUNT, report / "report.json"))]


def merge_rows(sizes, rounds):
    """Each round measures all sizes, so a machine that becomes slower meanwhile does not change how cost grows."""
    lines = ["### Merge", "", "| ranks | compiles | facts | user CPU | wall | peak memory | user CPU per rank | files written |",
             "|---:|---:|---:|---:|---:|---:|---:|---:|"]
    files, found = {}, {ranks: [] for ranks in sizes}
    for ranks in sizes:
        folder = WORK / f"facts-{ranks}"
        if not folder.exists():
            print(f"making {folder.relative_to(TOP)} …", file=sys.stderr)
            half = folder.with_suffix(".part")
            shutil.rmtree(half, ignore_errors=True)
            other(__file__, "--make", ranks, half, "--tlparse", OURS)
            half.rename(folder)
        files[ranks] = sorted(folder.glob("*.facts"))
        other("-c", "import sys\nfor path in sys.argv[1:]: open(path, 'rb').read()", *files[ranks])
    for n in range(rounds):
        for ranks in sizes:
            found[ranks].append(merged(files[ranks]))
            print(f"merge of {ranks:,}, round {n + 1}: {found[ranks][-1][0]:.2f} s user, {found[ranks][-1][2]:.2f} s wall", file=sys.stderr)
    for ranks in sizes:
        size = sum(f.stat().st_size for f in files[ranks]) / MIB
        user, _, wall, peak, written, _, compiles = [statistics.median(column) for column in zip(*found[ranks], strict=True)]
        lines.append(f"| {ranks:,} | {compiles:,.0f} | {size:.1f} MiB in {len(files[ranks]):,} | {user:.2f} s | {wall:.2f} s | {peak:.0f} MiB "
                     f"| {user / ranks * 1e6:.0f} µs | {written:.0f} |")
    return [*lines, ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--make", nargs=2, metavar=("RANKS", "FOLDER"))
    parser.add_argument("--tlparse", type=Path, default=OURS)
    args = parser.parse_args()
    if args.make:
        make(args.tlparse, int(args.make[0]), Path(args.make[1]))
        return
    WORK.mkdir(parents=True, exist_ok=True)
    lines = [f"Measured on {bench.machine()}.", "", *([] if args.quick else facts_rows(args.rounds)),
             *merge_rows(SIZES[:3] if args.quick else SIZES, args.rounds)]
    print("\n".join(lines))
    if not args.quick:
        before, rest = PAGE.read_text(encoding="utf-8").split(START)
        PAGE.write_text(before + START + "\n\n" + "\n".join(lines) + "\n" + END + rest.split(END)[1], encoding="utf-8")
        print(f"written to {PAGE.relative_to(TOP)}")


if __name__ == "__main__":
    main()

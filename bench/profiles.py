#!/usr/bin/env python3
"""Measure how long a report with a large profile takes, beside a plain yyjson pass over the same file; write the table in doc/performance.md.

    profiles.py [--quick] [--tlparse PROGRAM]      --quick: 100 MB only; prints the figures and writes no file

The profile repeats a recorded one (make_profile.py); the log is small, so nearly all of the time is for the profile. The programs take
turns. `./dev bench --profiles` builds build-release first and calls this.
"""
import argparse
import gzip
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import bench
from bench import OURS, TOP, WORK, measure

PAGE = TOP / "doc/performance.md"
DATA = TOP / "tests/data/profiled/training"
START, END = "<!-- profiles -->", "<!-- end of profiles -->"


def profile_of(size):
    path = WORK / f"profile-{size}.json"
    if not path.exists():
        half = path.with_suffix(".part")
        subprocess.run([sys.executable, TOP / "bench/make_profile.py", "-o", half, "--size", size, DATA / "training.json.gz"], check=True)
        half.rename(path)
    packed = path.with_suffix(".json.gz")
    if not packed.exists():
        half = packed.with_suffix(".part")
        with open(path, "rb") as plain, gzip.open(half, "wb", compresslevel=6) as out:
            shutil.copyfileobj(plain, out, 16 << 20)
        half.rename(packed)
    return path, packed


def medians(commands, rounds):
    found = {name: [] for name in commands}
    for n in range(rounds):
        for name, (command, writes) in commands.items():
            out = Path(tempfile.mkdtemp(dir=WORK)) / "out"
            found[name].append(measure(command, out if writes else None))
            shutil.rmtree(out.parent)
            print(f"round {n + 1}, {name}: {found[name][-1][2]:.2f} s wall", file=sys.stderr)
    return {name: [statistics.median(column) for column in zip(*runs, strict=True)] for name, runs in found.items()}


def rows(program, size, rounds):
    plain, packed = profile_of(size)
    log = next(DATA.glob("*.log.zst"))
    with tempfile.TemporaryDirectory() as folder:
        plain_pass = Path(folder) / "plain_pass"
        subprocess.run(["cc", "-O2", "-o", plain_pass, TOP / "bench/plain_pass.c", "-lyyjson"], check=True)
        commands = {
            "tlparse": ([program, log, "--profile", plain, "--no-browser"], True),
            "tlparse, gz": ([program, log, "--profile", packed, "--no-browser"], True),
            "gzip -dc": (["/bin/gzip", "-dc", packed], False),
            "read and yyjson": ([plain_pass, plain], False),
        }
        found = medians(commands, rounds)
    base = found["read and yyjson"][2]
    yield from (f"### A profile of {plain.stat().st_size / 1e6:.0f} MB", "", "| | user CPU | system | wall | peak memory |", "|---|---:|---:|---:|---:|")
    for name, (user, system, wall, peak, *_) in found.items():
        yield f"| {name} | {user:.2f} s | {system:.2f} s | {wall:.2f} s ({wall / base:.2f}) | {peak:.0f} MiB |"
    yield ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--tlparse", default=OURS)
    args = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    lines = [line for size in (("100M",) if args.quick else ("100M", "1G")) for line in rows(args.tlparse, size, 3 if args.quick else 5)]
    table = "\n".join(["", f"Measured on {bench.machine()}. In parentheses: relative to a plain pass.", "", *lines])
    print(table)
    if not args.quick:
        text = PAGE.read_text(encoding="utf-8")
        head, rest = text.split(START)
        PAGE.write_text(head + START + "\n" + table + END + rest.split(END)[1], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

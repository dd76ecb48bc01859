#!/usr/bin/env python3
"""Compares the speed of the program of a wheel with that of a native build.

    wheel.py [--native build-release/tlparse] [--wheel FILE] [--rounds N] LOG

The programs take turns: one run of each to warm up, then N rounds (7), in alternating order. The table has the medians of user time,
system time, both and elapsed time. On a busy machine, user time is the figure to trust.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
FIGURES = ("user", "system", "user + system", "elapsed")


def program(wheel, folder):
    """The program `tlp` of the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        (member,) = [name for name in archive.namelist() if name.endswith(".data/scripts/tlp")]
        path = Path(folder, "tlp")
        path.write_bytes(archive.read(member))
    path.chmod(0o755)
    return path


def measure(path, log, out):
    """The FIGURES of one report, in seconds."""
    begin = time.monotonic()
    with open(os.devnull, "wb") as null:
        child = subprocess.Popen([path, log, "-o", out, "--overwrite", "--no-browser"], stdin=subprocess.DEVNULL, stdout=null, stderr=null)
        _, status, usage = os.wait4(child.pid, 0)
    elapsed = time.monotonic() - begin
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"wheel.py: {path} {log}: exit status {child.returncode}")
    return usage.ru_utime, usage.ru_stime, usage.ru_utime + usage.ru_stime, elapsed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--native", type=Path, default=TOP / "build-release/tlparse")
    parser.add_argument("--wheel", type=Path, help="default: the one for x86-64 in build/wheels")
    parser.add_argument("--rounds", type=int, default=7, metavar="N")
    parser.add_argument("log", type=Path, metavar="LOG")
    args = parser.parse_args()
    wheel = args.wheel or next((TOP / "build/wheels").glob("*x86_64.whl"), None)
    if not wheel:
        parser.error("no wheel in build/wheels: run ./dev wheel, or name one with --wheel")
    for path in (args.native, wheel, args.log):
        if not path.is_file():
            parser.error(f"no file {path}")
    if args.rounds < 1:
        parser.error("--rounds needs a number above 0")
    with tempfile.TemporaryDirectory() as folder:
        pair = [args.native.resolve(), program(wheel, folder)]
        rounds = [[], []]
        for i in range(-1, args.rounds):
            for which in (0, 1) if i % 2 else (1, 0):
                found = measure(pair[which], args.log, Path(folder, "out"))
                if i >= 0:
                    rounds[which].append(found)
    print(f"{args.log.stat().st_size / 1e6:.0f} MB, medians of {args.rounds} runs\n\n| time | native | wheel | ratio |\n|---|---:|---:|---:|")
    for i, figure in enumerate(FIGURES):
        native, packed = (statistics.median(found[i] for found in one) for one in rounds)
        print(f"| {figure} | {native:.3f} s | {packed:.3f} s | {packed / native if native else float('nan'):.2f} |")


if __name__ == "__main__":
    main()

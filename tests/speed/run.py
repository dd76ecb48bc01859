#!/usr/bin/env python3
"""What the work costs on one thread, as valgrind counts it: instructions, and the peak of the heap.

    run.py --tlparse build/tlparse [--list] [--update] [NAME...]     only the cases whose names begin with NAME

A figure may be at most 2 % (instructions) or 5 % (memory) above that in figures.json. A change that costs more has its reason in the commit that
changes the figure, which --update writes. What costs 10 % less fails too, until its figure is written: so it stays so. Instructions are the same
on a busy machine, but not in programs that choose functions by the processor: valgrind shows each processor with AVX2 as the same one.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "tools"), str(TOP / "bench")]
import instructions  # noqa: E402
import samples  # noqa: E402
from cases import Skipped, case, main  # noqa: E402

FIGURES = HERE / "figures.json"
MOST = {"instructions": 1.02, "heap_kib": 1.05}
LEAST = 0.9
TLPARSE = None
UPDATE = False


def peak_kib(argv):
    """The most heap that a run of the program has at once. Resident memory also has the mapped pages of the program and its libraries, whose number
    depends on what the system has read before."""
    valgrind = ["valgrind", "--tool=massif", "--massif-out-file=massif", "--max-snapshots=10", "--depth=1", "--peak-inaccuracy=0.0"]
    subprocess.run([*valgrind, *map(str, argv)], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    sizes = re.findall(r"(?m)^mem_heap_B=(\d+)\nmem_heap_extra_B=(\d+)$", Path("massif").read_text())
    return max(int(heap) + int(extra) for heap, extra in sizes) // 1024


def costs(*arguments):
    """Compares what a run of tlparse costs with the figures of the case that calls this."""
    name = sys._getframe(1).f_code.co_name
    if " avx2 " not in Path("/proc/cpuinfo").read_text().replace("\n", " "):
        raise Skipped("the processor has no AVX2")
    argv = [TLPARSE, *arguments, "--threads", "0"]
    found = {"instructions": instructions.count(argv), "heap_kib": peak_kib(argv)}
    figures = json.loads(FIGURES.read_text())
    if UPDATE:
        FIGURES.write_text(json.dumps({**figures, name: found}, indent=1, sort_keys=True) + "\n")
        return
    expected = figures[name]
    for what in MOST:
        print(f"{name}: {found[what]:,} {what}, {found[what] / expected[what]:.3f} of the figure")
    wrong = [f"{found[what]:,} {what}, and {expected[what]:,} in {FIGURES.relative_to(TOP)}" for what, most in MOST.items()
             if not LEAST * expected[what] <= found[what] <= most * expected[what]]
    assert not wrong, "; ".join(wrong)


def large_log(*more):
    """A log of 48 MiB, made of real ones."""
    sources = [samples.plain(sorted((samples.LOGS / name).glob("*.log*"))[0]) for name in ("gpt2", "resnet", "training", "recompiles", "graph_breaks", "dynamic_shapes")]
    subprocess.run([sys.executable, TOP / "bench/make_scale.py", "--size", "48M", "-o", "large.log", *sources], check=True, stdout=subprocess.DEVNULL)
    return "large.log"


@case
def report_of_gpt2():
    costs(samples.plain(next((samples.LOGS / "gpt2").glob("*.log*"))), "-o", "out", "--overwrite", "--no-browser")


@case
def report_of_48_mib():
    costs(large_log(), "-o", "out", "--overwrite", "--no-browser")


@case
def report_of_four_ranks():
    for log in (samples.LOGS / "ranks4").glob("*.log*"):
        Path("ranks").mkdir(exist_ok=True)
        Path("ranks", samples.plain_name(log).name).write_bytes(samples.read(log))
    costs("ranks", "--all-ranks-html", "-o", "out", "--overwrite", "--no-browser")


@case
def summary_of_48_mib():
    costs("summary", large_log())


@case
def merge_of_100_ranks():
    subprocess.run([sys.executable, TOP / "bench/many_ranks.py", "--make", "100", "facts", "--tlparse", TLPARSE], check=True, stdout=subprocess.DEVNULL)
    costs("merge", *sorted(Path("facts").glob("*.facts")), "-o", "out", "--overwrite", "--full", "none")


def use(tlparse, update):
    global TLPARSE, UPDATE
    TLPARSE, UPDATE = tlparse, update


if __name__ == "__main__":
    sys.exit(main(__doc__, use, updates=True))

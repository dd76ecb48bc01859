#!/usr/bin/env python3
"""Compare what a report says that a change saves of compile time with what the change saves.

    follow_advice.py --root PYROOT --site SITE --tlparse TLPARSE [--times N] [CASE...]

Each case is a program of tests/data/scripts/advice_time, recorded (../shared/tools/record.sh, needs root) without and with what the
report advises. Wall times on a shared machine are noise, so shares are compared: `saves at most` as a part of the compile time of the
first log, and the CPU time that the second run did not take. Threads save no CPU time: there, the compile times are compared.
"""
import argparse
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
SCRIPTS = TOP / "tests/data/scripts/advice_time"
ISA = "TORCHINDUCTOR_VEC_ISA_OK=1"  # no test builds, which would take most of the time
OFF = "TORCHINDUCTOR_FX_GRAPH_CACHE=0 TORCHINDUCTOR_AUTOGRAD_CACHE=0"
CASES = {  # what is advised: (program, environment without and with it; None: the same with the caches of the first run)
    "discarded": ("discarded.py", "", ""),
    "gc": ("many_frames.py", "", "TORCH_DYNAMO_RUN_GC_AFTER_COMPILE=0"),
    "graph_breaks": ("small_graphs.py", ISA, ISA),
    "equal_graphs": ("equal.py", f"{ISA} {OFF}", ISA),
    "equal_modules": ("blocks.py", ISA, ISA),
    "recompiles": ("sizes.py", ISA, ISA),
    "autotuning": ("autotune.py", ISA, ISA),
    "cold_caches": ("layers.py", "", None),
    "cpp_kernels": ("layers.py", ISA, f"{ISA} TORCHINDUCTOR_COMPILE_THREADS=2"),
    "cpu_probes": ("layers.py", "", ISA),
}


def record(args, work, name, script, env, arguments=()):
    """(report, CPU time) of a program."""
    out = work / name
    call = {"PYROOT": args.root, "SITE": args.site, "SCRATCH": str(work / "scratch"), "KEEPTMP": "1", "HIDE": "", "XENV": env, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    python = "/usr/local/python3.11/bin/python3"
    subprocess.run([args.recorder, SCRIPTS, out, python, "measure.py", script, *arguments], env=call, check=True, capture_output=True)
    made = subprocess.run([args.tlparse, *out.glob("*.log"), "-o", work / f"{name}.report", "--no-browser"], check=False, capture_output=True)
    if made.returncode:
        raise RuntimeError(made.stderr.decode())
    return json.loads((work / f"{name}.report/report.json").read_text()), json.loads((out / "cpu.json").read_text())


def predicted(report, key):
    """What the advice saves at most: of all functions that recompile, or of the line."""
    if key == "recompiles":
        return sum(finding["saves_us"] or 0 for finding in report["findings"] if finding["kind"] == key[:-1])
    lines = report["compile_time"]["parts"] + report["compile_time"]["hints"]
    return next((line["saves_us"] or line["time_us"] for line in lines if line["key"] == key), 0)


def follow(args, key):
    script, without, with_ = CASES[key]
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        before, cpu = record(args, work, "without", script, without)
        if with_ is not None:
            shutil.rmtree(work / "scratch")
        after, left = record(args, work, "with", script, without if with_ is None else with_, () if with_ is None else ("with",))
    whole = before["totals"]["time_us"]
    saved = 1 - (after["totals"]["time_us"] / whole if key == "cpp_kernels" else left / cpu)
    print(f"{key}: predicted at most {predicted(before, key) / whole:.1%}, measured {saved:.1%}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", required=True, help="the Python installation")
    parser.add_argument("--site", required=True, help="the site-packages folder with torch")
    parser.add_argument("--tlparse", required=True)
    parser.add_argument("--recorder", default=TOP.parent / "shared/tools/record.sh", type=Path, help="record.sh")
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("cases", nargs="*", metavar="CASE", default=list(CASES))
    args = parser.parse_args()
    for _ in range(args.times):
        for key in args.cases:
            follow(args, key)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs the fuzz targets for a while, and shows what they executed and reached.

    ./dev fuzz MINUTES [TARGET...] [--merge]

MINUTES is the time for all targets together. They run under the address and undefined behavior sanitizers, one per processor, on
the corpus in tests/fuzz/corpus.zip and on what earlier runs found (build-fuzz/found). --merge then adds to the corpus what reaches
something new, and to tests/fuzz/executions.json how often each target was executed. An input that makes a target fail is kept in
build-fuzz/failed.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
BUILD = TOP / "build-fuzz"
ARCHIVE = TOP / "tests/fuzz/corpus.zip"  # TARGET/NAME
CORPUS = BUILD / "corpus"  # what it has, and what --merge adds
COUNTS = TOP / "tests/fuzz/executions.json"
OPTIONS = ("-Db_sanitize=address,undefined", "-Db_lundef=false", "-Dc_args=-fsanitize=fuzzer-no-link", "-Doptimization=1")
LIMITS = ("-timeout=20", "-rss_limit_mb=2048")
# Without -entropic=0, libFuzzer's schedule takes twenty times as long as a report of a small log.
STRATEGY = ("-entropic=0", "-max_len=4096")
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1:detect_stack_use_after_return=1:quarantine_size_mb=8",
               "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"}
CORPUS_BYTES = 5 << 20


def build(names):
    if not (BUILD / "build.ninja").exists():
        subprocess.run(["meson", "setup", BUILD, *OPTIONS], cwd=TOP, env={**os.environ, "CC": "clang"}, stdout=subprocess.DEVNULL, check=True)
    subprocess.run(["ninja", "-C", BUILD, *(f"tests/fuzz/fuzz_{name}" for name in names)], stdout=subprocess.DEVNULL, check=True)


def unpack():
    shutil.rmtree(CORPUS, ignore_errors=True)
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(CORPUS)


def pack():
    """Equal files make equal archives."""
    with zipfile.ZipFile(ARCHIVE, "w") as archive:
        for path in sorted(p for p in CORPUS.rglob("*") if p.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(CORPUS).as_posix())
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)


def targets():
    return sorted(p.stem.removeprefix("fuzz_") for p in (TOP / "tests/fuzz").glob("fuzz_*.c"))


def fuzz(name, seconds):
    """Runs a target: (executions, edges, features, how many inputs failed, the end of its output)."""
    found, failed = BUILD / "found" / name, BUILD / "failed"
    found.mkdir(parents=True, exist_ok=True)
    failed.mkdir(exist_ok=True)
    before = set(failed.iterdir())
    argv = [BUILD / f"tests/fuzz/fuzz_{name}", f"-max_total_time={max(1, round(seconds))}", *LIMITS, *STRATEGY, "-print_final_stats=1",
            f"-dict={TOP}/tests/fuzz/envelope.dict", f"-artifact_prefix={failed}/{name}-", found]
    done = subprocess.run([*argv, *[p for p in [CORPUS / name] if p.is_dir()]], cwd=BUILD, env=ENVIRONMENT,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    executed = re.search(r"number_of_executed_units: (\d+)", done.stdout)
    reached = re.findall(r"cov: (\d+) ft: (\d+)", done.stdout)
    edges, features = reached[-1] if reached else (0, 0)
    failures = max(len(set(failed.iterdir()) - before), int(done.returncode != 0))
    return int(executed[1]) if executed else 0, int(edges), int(features), failures, done.stdout[-4000:]


def merge(name):
    """Adds what was found to the corpus of a target: a small set of inputs that together reach every edge. What is there stays: it may be an
    input that failed once."""
    known = {p.read_bytes() for p in (CORPUS / name).iterdir()} if (CORPUS / name).is_dir() else set()
    (CORPUS / name).mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD) as work:
        subprocess.run([BUILD / f"tests/fuzz/fuzz_{name}", "-set_cover_merge=1", "-use_counters=0", *LIMITS, work, CORPUS / name, BUILD / "found" / name],
                       cwd=BUILD, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        for path in Path(work).iterdir():
            if path.read_bytes() not in known:
                shutil.copy(path, CORPUS / name / path.name[:12])


def keep(executions):
    """Adds to the count over the life of the project. {target: executions}"""
    counts = json.loads(COUNTS.read_text())
    for name, executed in executions.items():
        counts[name] = counts.get(name, 0) + executed
    COUNTS.write_text(json.dumps(counts, indent=2, sort_keys=True) + "\n")
    return sum(counts.values())


def main():
    parser = argparse.ArgumentParser(prog="./dev fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("minutes", metavar="MINUTES", type=float)
    parser.add_argument("targets", metavar="TARGET", nargs="*", help="one of " + ", ".join(targets()))
    parser.add_argument("--merge", action="store_true", help="afterwards, add what reaches something new to tests/fuzz/corpus.zip, and the executions to tests/fuzz/executions.json")
    args = parser.parse_args()
    unknown = set(args.targets) - set(targets())
    if unknown:
        parser.error(f"no such target: {', '.join(sorted(unknown))}")
    chosen, jobs = args.targets or targets(), len(os.sched_getaffinity(0))
    build(chosen)
    unpack()
    seconds = args.minutes * 60 * jobs / len(chosen)
    executions, failures = {}, 0
    print(f"{'target':<12} {'executions':>12} {'per second':>10} {'edges':>7} {'features':>8}  failed", flush=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, (executed, edges, features, failed, said) in zip(chosen, pool.map(lambda name: fuzz(name, seconds), chosen), strict=True):
            print(f"{name:<12} {executed:>12,} {executed / seconds:>10,.0f} {edges:>7,} {features:>8,}  {failed}", flush=True)
            if failed:
                print(said)
            executions[name], failures = executed, failures + failed
    print(f"{'all':<12} {sum(executions.values()):>12,}")
    if args.merge:
        for name in chosen:
            merge(name)
        size = sum(p.stat().st_size for p in CORPUS.rglob("*") if p.is_file())
        pack()
        print(f"tests/fuzz/corpus.zip: {size:,} bytes before compression, at most {CORPUS_BYTES:,}")
        print(f"executions over the life of the project: {keep(executions):,}")
    if failures:
        sys.exit(f"{failures} inputs failed: see build-fuzz/failed")


if __name__ == "__main__":
    main()

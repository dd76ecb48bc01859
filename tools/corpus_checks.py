#!/usr/bin/env python3
"""Checks what tlparse makes of the logs that tools/corpus.sh recorded: corpus_checks.py LOGS TLPARSE [--sanitized TLPARSE].

Each log: the exit status, `checks` in report.json, the facts and times that two scripts read from the log
independently, report.json and the page's data against their schemas, the files of the reference, and a build with
sanitizers. results.txt beside LOGS has each finding; the totals are printed.
"""
import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
from multiprocessing import Pool
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
PEER = Path(os.environ.get("TLPARSE_PEER", TOP / ".cache/peer/bin/tlparse"))
LIMIT_S = 300
SANITIZERS = {
    "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=1:detect_stack_use_after_return=1:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "halt_on_error=1:abort_on_error=1:print_stacktrace=1",
}
sys.path[:0] = [str(TOP / "tests/tools"), str(TOP / "tests/schema")]
import check as schema  # noqa: E402
import compat  # noqa: E402
import report_facts  # noqa: E402
import report_truth  # noqa: E402
import samples  # noqa: E402
import schemas  # noqa: E402


def compared(tlparse, log):
    """The differences from the reference, if that is installed."""
    if not os.access(PEER, os.X_OK):
        return []
    return compat.compare(argparse.Namespace(tlparse=tlparse, peer=PEER, limit=LIMIT_S, keep=None), log, [], None)


def sanitized(tlparse, log):
    """What the sanitizers of a build say."""
    with tempfile.TemporaryDirectory() as work:
        done = subprocess.run(
            [tlparse, log, "-o", f"{work}/out", "--no-browser"], env={**os.environ, **SANITIZERS}, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S)
    return [done.stderr.decode("utf-8", "replace")[-2000:]] if done.returncode else []


WORKER = {}  # what every log of a worker process needs


def prepare(tlparse, other, work):
    samples.WORK = Path(work)
    WORKER.update(members=schema.Members(tlparse, schemas.load()), sanitized=other)


def findings(log):
    """(check, text) of everything that is wrong with a log."""
    members, other = WORKER["members"], WORKER["sanitized"]
    made = samples.report(members.tlparse, log)
    if made.status:
        return [("run", f"exit status {made.status}: {made.stderr[-600:]}")]
    found = {
        "checks": lambda: map(json.dumps, made.json()["checks"]),
        "truth": lambda: report_truth.check(members.tlparse, log),
        "facts": lambda: report_facts.check(members.tlparse, log),
        "schema": lambda: members.check(log),
        "compat": lambda: compared(members.tlparse, log),
        "sanitizers": lambda: sanitized(other, log) if other else [],
    }
    texts = []
    for name, check in found.items():
        try:
            texts += [(name, text) for text in check()]
        except Exception as error:  # one check does not end the others
            texts.append((name, f"{type(error).__name__}: {error}"))
    shutil.rmtree(made.out.parent)
    return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", type=Path)
    parser.add_argument("tlparse", type=Path)
    parser.add_argument("--sanitized", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    folder = args.logs.resolve()
    logs = sorted(p for p in folder.rglob("*.log") if p.stat().st_size)
    totals = collections.Counter()
    with tempfile.TemporaryDirectory() as work, open(folder.parent / "results.txt", "w", encoding="utf-8") as results:
        with Pool(args.jobs, prepare, (args.tlparse.resolve(), args.sanitized, work)) as pool:
            for log, found in zip(logs, pool.imap(findings, logs, 4), strict=True):
                totals.update(check for check, _ in found)
                results.writelines(f"{log.relative_to(folder)}: {check}: {text}\n" for check, text in found)
    print(f"{len(logs)} logs, {sum(totals.values())} findings", *(f"{n} of {c}" for c, n in sorted(totals.items())), sep=", ")
    return 1 if totals or not logs else 0


if __name__ == "__main__":
    sys.exit(main())

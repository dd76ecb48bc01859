#!/usr/bin/env python3
"""Checks what tlparse makes of the logs that tools/corpus.sh recorded: corpus_checks.py LOGS TLPARSE.

Each log: the exit status, `checks` in report.json, the facts and times that two scripts read from the log
independently, the files of the reference. results.txt beside LOGS has each finding; the totals are printed.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
PEER = Path(os.environ.get("TLPARSE_PEER", TOP / ".cache/peer/bin/tlparse"))
LIMIT_S = 300
sys.path.insert(0, str(TOP / "tests/tools"))


def compared(tlparse, log):
    """What compat.py prints of a log whose files differ from the reference, if that is installed."""
    if not os.access(PEER, os.X_OK):
        return []
    command = [sys.executable, TOP / "tests/tools/compat.py", "--tlparse", tlparse, "--peer", PEER, "--log", log]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    return [(done.stdout + done.stderr)[-600:].strip()] if done.returncode else []


def findings(tlparse, log):
    """(check, text) of everything that is wrong with a log."""
    import report_facts
    import report_truth
    import samples

    made = samples.report(tlparse, log)
    if made.status:
        return [("run", f"exit status {made.status}: {made.stderr[-600:]}")]
    found = {
        "checks": made.json()["checks"],
        "truth": report_truth.check(tlparse, log),
        "facts": report_facts.check(tlparse, log),
        "compat": compared(tlparse, log),
    }
    return [(check, str(text)) for check, texts in found.items() for text in texts]


def guarded(tlparse, log):
    try:
        return findings(tlparse, log)
    except Exception as error:  # one log does not end the others
        return [("run", f"{type(error).__name__}: {error}")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", type=Path)
    parser.add_argument("tlparse", type=Path)
    args = parser.parse_args()
    folder, tlparse = args.logs.resolve(), args.tlparse.resolve()
    logs = sorted(p for p in folder.rglob("*.log") if p.stat().st_size)
    totals = {}
    work = tempfile.TemporaryDirectory()
    os.environ["TLPARSE_TEST_WORK"] = work.name  # for the reports that the scripts share
    with open(folder.parent / "results.txt", "w", encoding="utf-8") as results, ThreadPoolExecutor(2) as pool:
        for log, found in zip(logs, pool.map(lambda log: guarded(tlparse, log), logs), strict=True):
            for check, text in found:
                totals[check] = totals.get(check, 0) + 1
                results.write(f"{log.relative_to(folder)}: {check}: {text}\n")
    print(f"{len(logs)} logs, {sum(totals.values())} findings", *(f"{n} of {c}" for c, n in sorted(totals.items())), sep=", ")
    return 1 if totals or not logs else 0


if __name__ == "__main__":
    sys.exit(main())

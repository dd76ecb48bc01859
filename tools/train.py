#!/usr/bin/env python3
"""Run a program that counts how often each branch is taken, so that the compiler can lay out the code for it: train.py TLPARSE.

`./dev install`, `./dev bench` and packagers (doc/packaging.md) build twice: with counters, and with what these runs counted. The logs are those of
tests/data, which real programs wrote: reports of all of them, and what else takes long on many logs or large ones. Nothing is compared or kept.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
LOGS = TOP / "tests/data/logs"
LARGE = ("gpt2", "resnet", "training", "recompiles", "graph_breaks", "dynamic_shapes")  # as in bench/bench.py: the shapes of large logs
JOB = "ranks4"


def main():
    program = Path(sys.argv[1]).resolve()
    folders = sorted({log.parent for log in LOGS.rglob("*.log*")})
    with tempfile.TemporaryDirectory() as work:

        def run(*arguments):
            # In one thread: threads that count at the same time lose counts, and the compiler refuses what does not add up.
            done = subprocess.run([program, *arguments, "--threads", "0"], cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if done.returncode:
                sys.exit(f"train: exit status {done.returncode} of tlparse {' '.join(map(str, arguments))}\n{done.stderr.decode(errors='replace')}")

        for folder in folders:
            run(folder, "-o", "out", "--overwrite", "--no-browser")
        for name in LARGE * 3:
            run(LOGS / name, "-o", "out", "--overwrite", "--no-browser")
        for name in LARGE:
            run("summary", LOGS / name)
        run(LOGS / JOB, "--all-ranks-html", "-o", "ranks", "--overwrite", "--no-browser")
        run("facts", LOGS / JOB, "-o", "job.facts", "--overwrite")
        run("merge", "job.facts", "-o", "merged", "--overwrite")
        run("share", "out", "-o", "one.html", "--overwrite")


if __name__ == "__main__":
    main()

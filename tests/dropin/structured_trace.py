#!/usr/bin/env python3
"""PyTorch's own test of its structured logs, test/dynamo/test_structured_trace.py, with our program as the `tlparse` on PATH.

    structured_trace.py [--tlparse build-release/tlparse] [--python PROGRAM] [--only NAME]... [FILE]

Without FILE, the test of PyTorch 2.6 is taken from Debian's source package. Without --python, which names a Python with PyTorch and
expecttest, PyTorch 2.6 is installed into build/dropin. Both need a network, and 5 GB: `./dev test` does not run this.

Each test compiles something and runs `tlparse --strict` on the log. It also compares the log with an expected text, which changes with
versions of PyTorch and says nothing about tlparse: only that comparison is left out. Tests that need CUDA are skipped without a GPU. The
last line is `N passed, N failed, N skipped, N runs of tlparse`.
"""
import argparse
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "packaging"))
import libraries  # noqa: E402

OUT = TOP / "build/dropin"
PACKAGES = ["torch==2.6.0", "expecttest==0.3.0", "numpy<3"]
SOURCE = "pool/main/p/pytorch/pytorch_2.6.0+dfsg.orig.tar.xz"  # of Debian 13
SHA256 = "099a9601bc40d67656e75735c44abedb0fbe92d08817852ab7472eebb7e6ddff"
MEMBER = "pytorch-v2.6.0/test/dynamo/test_structured_trace.py"
LIMIT_S = 1800
RUNNER = """
import sys, unittest
from torch.testing._internal.common_utils import TestCase
TestCase.assertExpectedInline = lambda *_, **__: None
unittest.main(module="test_structured_trace", verbosity=2)
"""


def fetched():
    """The test from the pinned source package."""
    file = OUT / "test_structured_trace.py"
    if not file.exists():
        OUT.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=OUT) as folder:
            archive = Path(folder, "source.tar.xz")
            subprocess.run(["curl", "-fsSL", "--retry", "3", "-o", archive, f"{libraries.mirror()}/{SOURCE}"], check=True)
            found = libraries.sha256(archive)
            if found != SHA256:
                sys.exit(f"structured_trace.py: {SOURCE} has the SHA-256 {found}, expected {SHA256}")
            with tarfile.open(archive) as source:
                file.write_bytes(source.extractfile(MEMBER).read())
    return file


def installed():
    """A Python with PyTorch, in an environment of its own."""
    folder = OUT / "torch"
    done = folder / "installed"
    if not done.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin/pip", "install", "--quiet", "--only-binary", ":all:", *PACKAGES], check=True)
        done.touch()
    return folder / "bin/python"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tlparse", type=Path, default=TOP / "build-release/tlparse")
    parser.add_argument("--python", type=Path, help="a Python with PyTorch and expecttest")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="run only tests whose names contain NAME")
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="test_structured_trace.py of the same version")
    args = parser.parse_args()
    if not os.access(args.tlparse, os.X_OK):
        parser.error(f"no program {args.tlparse}: name one with --tlparse")
    if args.file and not args.file.is_file():
        parser.error(f"no file {args.file}")
    python = args.python or installed()
    file = args.file or fetched()
    with tempfile.TemporaryDirectory() as folder:
        # Records each run: tests that find no tlparse, or another one, must not count.
        program, runs = Path(folder, "bin/tlparse"), Path(folder, "runs")
        program.parent.mkdir()
        program.write_text('#!/bin/sh\necho "$*" >>"$TLPARSE_RUNS"\nexec "$TLPARSE_TESTED" "$@"\n')
        program.chmod(0o755)
        (Path(folder) / "test_structured_trace.py").write_bytes(file.read_bytes())
        env = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": folder, "TLPARSE_RUNS": str(runs),
               "TLPARSE_TESTED": str(args.tlparse.resolve())}
        command = [python, "-c", RUNNER, *(word for name in args.only for word in ("-k", name))]
        done = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=LIMIT_S)
        counted = len(runs.read_text().splitlines()) if runs.exists() else 0
    print(done.stdout)
    ran = int((re.findall(r"(?m)^Ran (\d+) tests?", done.stdout) or [0])[0])
    result = (re.findall(r"(?m)^(?:OK|FAILED)(?: \(.*\))?$", done.stdout) or [""])[-1]
    failed = sum(int(n) for n in re.findall(r"(?:(?<!expected )failures|errors|unexpected successes)=(\d+)", result))
    skipped = int((re.findall(r"skipped=(\d+)", result) or [0])[0])
    expected = int((re.findall(r"expected failures=(\d+)", result) or [0])[0])
    passed = ran - failed - skipped - expected
    if not failed and (done.returncode or passed <= 0 or not counted):
        failed = 1  # nothing ran, or nothing ran tlparse
    print(f"{passed} passed, {failed} failed, {skipped} skipped, {counted} runs of tlparse")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""clang-tidy over C files. Exit status 1 if it reports anything.

    tools/tidy.py FILE...

Needs an up-to-date build/. A file that was clean is not checked again until it, a header that it includes, its flags, .clang-tidy or
clang-tidy itself changes: build/tidy/ keeps a hash of these. Files that gcc does not build (fuzz targets) are always checked, with the
flags of the most similar file.
"""
import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
BUILD = TOP / "build"


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def dependencies():
    """Of each source that was built: itself and its headers, as ninja recorded them."""
    found = {}
    for block in output_of("ninja", "-C", str(BUILD), "-t", "deps").split("\n\n"):
        paths = [(BUILD / line.strip()).resolve() for line in block.splitlines() if line.startswith(" ")]
        if paths and "(VALID)" in block.splitlines()[0]:
            found[paths[0]] = paths
    return found


@cache
def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def key(command, headers, version):
    lines = [version, command, digest(TOP / ".clang-tidy"), *(f"{path} {digest(path)}" for path in headers)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def check(path, known):
    """What clang-tidy reports about the file, or "". `known` is its key, or None."""
    stamp = BUILD / "tidy" / f"{path.relative_to(TOP)}.sha256"
    if known and stamp.exists() and stamp.read_text() == known:
        return ""
    done = subprocess.run(["clang-tidy", "--quiet", "-p", BUILD, path], capture_output=True, text=True)
    if done.returncode:
        return f"{done.stdout}{done.stderr}" or f"{path}: clang-tidy ended with status {done.returncode}\n"
    if known:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(known)
    return ""


def main():
    version, headers = output_of("clang-tidy", "--version"), dependencies()
    entries = json.loads((BUILD / "compile_commands.json").read_text())
    commands = {(BUILD / entry["file"]).resolve(): entry["command"] for entry in entries}
    # One large file can take as long as twenty small ones.
    files = sorted((Path(name).resolve() for name in sys.argv[1:]), key=lambda path: path.stat().st_size, reverse=True)
    keys = [key(commands[path], headers[path], version) if path in headers and path in commands else None for path in files]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = "".join(pool.map(check, files, keys))
    print(said, end="")
    return 1 if said else 0


sys.exit(main())

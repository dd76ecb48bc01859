#!/usr/bin/env python3
"""gcc -fanalyzer with the flags of build/compile_commands.json. Exit status 1 if it reports anything.

    tools/analyze.py [FILE...]      all C files of src/ if none is named
"""
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# gcc 12 loses track of structs that functions return by value (struct slice) and of arrays that a loop fills; clang-tidy finds
# uninitialized values.
OFF = ["-Wno-analyzer-use-of-uninitialized-value"]
TOP = Path(__file__).resolve().parent.parent
BUILD = TOP / "build"


def analyze(entry):
    words = iter(shlex.split(entry["command"])[1:])
    flags = []
    for word in words:
        if word in ("-o", "-MF", "-MQ"):
            next(words)
        elif word not in ("-MD", "-c"):
            flags.append(word)
    command = ["gcc", "-fanalyzer", "-S", "-o", os.devnull, *flags, *OFF, "-fdiagnostics-color=never"]
    done = subprocess.run(command, cwd=entry["directory"], stderr=subprocess.PIPE, text=True)
    return done.stderr or (f"{entry['file']}: gcc ended with status {done.returncode}\n" if done.returncode else "")


entries = {(BUILD / e["file"]).resolve(): e for e in json.loads((BUILD / "compile_commands.json").read_text())}
files = [Path(name).resolve() for name in sys.argv[1:]] or [f for f in entries if f.is_relative_to(TOP / "src") and f.suffix == ".c"]
if not files or not entries.keys() >= set(files):
    sys.exit("analyze.py: not in build/compile_commands.json: " + (", ".join(str(f) for f in files if f not in entries) or "src/"))
files.sort(key=lambda f: f.stat().st_size, reverse=True)  # one large file can take as long as twenty small ones
with ThreadPoolExecutor(os.cpu_count()) as pool:
    said = "".join(pool.map(analyze, (entries[f] for f in files)))
print(said, end="")
sys.exit(1 if said else 0)

#!/usr/bin/env python3
"""gcc -fanalyzer over every C file of src/, with the flags of build/compile_commands.json. Exit status 1 if it reports anything."""
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BUILD = Path(__file__).resolve().parent.parent / "build"


def analyze(entry):
    words = iter(shlex.split(entry["command"])[1:])
    flags = []
    for word in words:
        if word in ("-o", "-MF", "-MQ"):
            next(words)
        elif word not in ("-MD", "-c"):
            flags.append(word)
    command = ["gcc", "-fanalyzer", "-S", "-o", os.devnull, *flags]
    return subprocess.run(command, cwd=entry["directory"], stderr=subprocess.PIPE, text=True).stderr


entries = json.loads((BUILD / "compile_commands.json").read_text())
with ThreadPoolExecutor(os.cpu_count()) as pool:
    said = "".join(pool.map(analyze, (e for e in entries if e["file"].startswith("../src/") and e["file"].endswith(".c"))))
print(said, end="")
sys.exit(1 if said else 0)

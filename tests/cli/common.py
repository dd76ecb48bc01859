"""What the tests of the command line share: logs, calls of the program in a clean environment, and what they leave behind."""
import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import zstandard

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
from cases import LIMIT_S, Skipped, case, main, small_disk, wait_until  # noqa: F401  # for the files with cases

tlparse = None  # the path of the program
DEDICATED = "dedicated_log_torch_trace_"


def record(name="text", payload="hello", rank=None, ids='"frame_id": 0, "frame_compile_id": 0, "attempt": 0'):
    """The record of one artifact, which becomes one file."""
    body = "".join(f"\t{line}\n" for line in payload.split("\n"))
    digest = hashlib.md5(payload.encode()).hexdigest()
    rank = "" if rank is None else f'"rank": {rank}, '
    return (f'V0101 12:00:00.000000 7 torch/a.py:1] {{"artifact": {{"name": "{name}", "encoding": "string"}}, '
            f'{rank}{ids}, "has_payload": "{digest}"}}\n{body}')


TOP = Path(__file__).resolve().parents[2]


def open_file(content):
    """(index, {path: bytes}) of an HTML file."""
    text = content.decode("utf-8")
    blocks = [zstandard.decompress(base64.b64decode(b)) for b in re.findall(r'<script type="text/x-tlparse">([^<]*)</script>', text)]
    index = json.loads(blocks[0])
    return index, {path: blocks[block][at : at + size] for path, (block, at, size) in index["files"].items()}


def environment(**more):
    keep = {name: os.environ[name] for name in ("PATH", "HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")
            if name in os.environ}
    return {**keep, "LC_ALL": "C", "XDG_CONFIG_HOME": str(Path("config").absolute()), "XDG_STATE_HOME": str(Path("state").absolute()), **more}


def call(*arguments, stdin=b"", env=None, cwd=None, before=None, inherit=()):
    return subprocess.run([tlparse, *map(str, arguments)], input=stdin, capture_output=True, env=environment(**(env or {})), cwd=cwd, timeout=LIMIT_S, preexec_fn=before, pass_fds=inherit)


def said(done):
    return done.stderr.decode()


def last_line(done):
    return said(done).rstrip("\n").split("\n")[-1]


def makes(*arguments, out="out", **how):
    """Runs a call that must succeed and leave a report and nothing else."""
    done = call(*arguments, "-o", out, "--no-browser", **how)
    assert done.returncode == 0, said(done)
    assert done.stdout == b"", done.stdout
    assert last_line(done).startswith("Stats { "), said(done)
    assert (Path(how.get("cwd") or ".") / out / "index.html").exists()
    assert not hidden(), hidden()
    return done


def fails(status, text, *arguments, **how):
    done = call(*arguments, **how)
    assert done.returncode == status, (done.returncode, said(done))
    assert text in said(done), said(done)
    assert done.stdout == b"", done.stdout
    return done


def hidden(folder="."):
    return [str(p) for p in Path(folder).glob(".*")]


def raw(out="out"):
    return (Path(out) / "raw.log").read_bytes()


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(Path(folder).rglob("*")) if p.is_file()}


def process(number, function, hour=12, generation=1):
    """The log of a process that compiles one function `generation` times."""
    lead = f"V0101 {hour:02}:00:00.000000 {number} torch/a.py:1] "
    stack = json.dumps([{"line": number % 1000, "name": function, "filename": 0}])
    ids = '"frame_id": 0, "frame_compile_id": 0, "attempt": 0'
    metrics = json.dumps({"co_name": function, "co_filename": "a.py", "co_firstlineno": 1, "graph_op_count": 1,
                          "start_time": 1767265200.5, "duration_us": 1000})
    return (lead + json.dumps({"str": [f"/src/{function}.py", 0]}) + "\n"
            + (lead + f'{{"dynamo_start": {{"stack": {stack}}}, {ids}}}\n'
               + lead + f'{{"compilation_metrics": {metrics}, {ids}}}\n') * generation)


def report(out="out"):
    return json.loads(Path(out, "report.json").read_text())


def compiles(out="out"):
    return [(c["process"], c["key"], c["frame"]["function"]) for c in report(out)["compiles"] if c["frame"]]


def files_of(out="out"):
    """Maps the function of each stack frame to its file."""
    return {node["function"]: node["file"] for node in report(out)["stacks"]}


def without_strings(text):
    return "".join(line for line in text.splitlines(True) if '"str"' not in line)

#!/usr/bin/env python3
"""Check the source lines of kernels against those that PyTorch's own records name, in logs with provenance tracking.

    kernels_lines.py [--tlparse build/tlparse] [--list] [LOG...]

A LOG is named by its path in tests/data/logs or tests/data (--list prints them); without one, every log with such records is checked.

  recorded  a kernel has every line of the nodes that inductor_provenance_tracking_node_mappings gives it
  inferred  without these records, no line is added that PyTorch's stack traces do not have, and one is only missing if
            its nodes are of another kernel or of a library call: PyTorch also gives a kernel what its inputs were computed from

Exit status 0 if all checks pass; the last line is the total.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
import samples

RECORD = re.compile(r"[VIWEC]\d{4} \S+ \d+ [^\]]+\] (\{.*)")
COMMENT = re.compile(r"# (?:Backward of forward node: )?File: (.+?):(\d+) in ")
NODE = re.compile(r"\s+(\w+)(?:: \"[^\"]*\")? = ")
FRAME = re.compile(r'File "(.+?)", line (\d+), in')
OURS = re.compile(r"/site-packages/torch/|/lib/python3")
MAPPING, STACKS = "inductor_provenance_tracking_node_mappings", "inductor_provenance_tracking_kernel_stack_traces"


def records(text):
    """(name, compile, payload) of each artifact."""
    last = None
    for line in text.split("\n"):
        record = RECORD.match(line)
        if record:
            if last:
                yield last
            try:
                envelope = json.loads(record[1])
            except ValueError:
                last = None
                continue
            last = ((envelope.get("artifact") or {}).get("name", ""), f"{envelope.get('frame_id')}/{envelope.get('frame_compile_id')}", [])
        elif last and line.startswith("\t"):
            last[2].append(line[1:])
    if last:
        yield last


def lines_of(graph):
    """{node: (file, line)} of a graph's text."""
    found, place = {}, None
    for line in graph:
        comment = COMMENT.search(line) if line.lstrip().startswith("#") else None
        node = NODE.match(line)
        if comment:
            place = (comment[1], int(comment[2]))
        elif "No stacktrace" in line:
            place = None
        elif node and place:
            found[node[1]] = place
    return found


def innermost(trace):
    """The innermost frame that is not of a library."""
    frames = FRAME.findall(trace)
    own = [frame for frame in frames if not OURS.search(frame[0])] or frames
    return (own[-1][0], int(own[-1][1])) if own else None


def read(payload):
    """A hit of a cache logs the records without text."""
    return json.loads("\n".join(payload)) if payload else {}


def said(text):
    """What PyTorch says: {(compile, kernel): {node: line}}, and the same for {line} of stack traces."""
    graph, mapped, traced = {}, {}, {}
    for name, key, payload in records(text):
        if name == "inductor_post_grad_graph":
            graph[key] = lines_of(payload)
        elif name == MAPPING:
            for kernel, nodes in read(payload).get("cppCodeToPost", {}).items():
                known = graph.get(key, {})
                mapped.setdefault((key, kernel.rsplit(":", 1)[0]), {}).update({n: known[n] for n in nodes if n in known})
        elif name == STACKS:
            for kernel, traces in read(payload).items():
                places = {innermost(trace) for trace in traces} - {None}
                traced.setdefault((key, kernel.rsplit(":", 1)[0]), set()).update(places)
    return mapped, traced


def rows_of(report):
    """{(compile, kernel): (lines, nodes)}"""
    found = {}
    for row in report["kernels"]["list"]:
        lines, nodes = found.setdefault((row["compile"].split("#")[0].split(":")[-1], row["name"]), (set(), set()))
        lines.update((source["file"], source["line"]) for source in row["sources"])
        nodes.update(row["post_nodes"])
    return found


def short(places):
    return ", ".join(f"{Path(file).name}:{line}" for file, line in sorted(places))


def recorded(tlparse, log):
    mapped, _ = said(samples.read(log).decode("utf-8", "replace"))
    rows = rows_of(samples.report(tlparse, log).json())
    for key, nodes in mapped.items():
        missing = set(nodes.values()) - rows[key][0] if key in rows else set()
        if missing:
            yield f"[{key[0]}] {key[1]} lacks {short(missing)}"


def inferred(tlparse, log):
    text = samples.read(log).decode("utf-8", "replace")
    mapped, traced = said(text)
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder, "without.log"), Path(folder, "out")
        kept, keep = [], True
        for line in text.split("\n"):
            if not line.startswith("\t"):
                keep = "provenance_tracking" not in line
            if keep:
                kept.append(line)
        path.write_text("\n".join(kept), encoding="utf-8")
        subprocess.run([tlparse, path, "-o", out, "--no-browser"], check=True, capture_output=True)
        rows = rows_of(json.loads((out / "report.json").read_text(encoding="utf-8")))
    for key, places in traced.items():
        lines, own = rows.get(key, (set(), set()))
        if key not in rows or key[1].startswith(("extern_kernels", "aten", "torch")):
            continue
        if places and lines - places:
            yield f"[{key[0]}] {key[1]} has {short(lines - places)}, which PyTorch does not give it"
        others = {n for other, (_, nodes) in rows.items() if other[0] == key[0] and other != key for n in nodes}
        lost = {n: place for n, place in mapped.get(key, {}).items() if place not in lines and n not in others and n not in own}
        if lost:
            yield f"[{key[0]}] {key[1]} lacks {short(set(lost.values()))} of {', '.join(lost)}"


def main():
    args = samples.arguments(argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter))
    checks = samples.Checks("lines of kernels", args.names)
    for log in samples.logs() + samples.corpus():
        if any(said(samples.read(log).decode("utf-8", "replace"))):
            checks.add(samples.title(log), recorded, args.tlparse, log)
            checks.add(samples.title(log), inferred, args.tlparse, log)
    return checks.list() if args.list else checks.run()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Run the programs that `tlparse extract` writes for every graph of logs, and compare their kernels with those of the log.

    with_torch.py --tlparse build/tlparse --torch SITE [--python PYTHON] [--json OUT] [--jobs N] [--kind inductor|dynamo] [--sample N] LOG...

SITE is the folder with PyTorch. Run by hand: CI has no PyTorch. doc/reliability.md has the table of results.

A program passes if it exits with 0 and, if Inductor compiled the graph in the log, compiles the same kernels, by name and number; or, if the compile
failed in the log, if it fails with the same type of exception. Programs for a GPU run with --cpu, so their kernels are not compared.
"""
import argparse
import collections
import concurrent.futures
import gzip
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

RECORD = re.compile(rb"^V\d{4} [\d:.]+ (\d+) \S+\] (\{.*)$")
KERNEL = re.compile(r"^(\w+) = async_compile\.(?:.*?)'''(.*?)^'''", re.M | re.S)


def read(path):
    if path.suffix == ".zst":
        return subprocess.run(["zstd", "-dcq", path], capture_output=True, check=True).stdout
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def kernels_of(text):
    """Name and code of each kernel. The code does not depend on names, addresses and paths."""
    return sorted((name, re.sub(r"\s+", " ", re.sub(r"#include .*|# .*|//.*|\bcpp_fused\w*|\btriton_\w+", "", code))) for name, code in KERNEL.findall(text))


def records(data):
    """(process, envelope, payload) of each record."""
    found, payload = None, []
    for line in data.split(b"\n"):
        match = RECORD.match(line)
        if match:
            if found:
                yield *found, b"\n".join(payload).decode(errors="replace")
            try:
                found, payload = (match[1].decode(), json.loads(match[2])), []
            except ValueError:
                found = None
        elif line.startswith(b"\t"):
            payload.append(line[1:])
    if found:
        yield *found, b"\n".join(payload).decode(errors="replace")


def graphs_of(log):
    """The graphs of a log: what to ask for, and what the log says of each."""
    compiles = collections.OrderedDict()
    for process, envelope, text in records(read(log)):
        if envelope.get("frame_compile_id") is None or envelope.get("frame_id") is None:
            continue
        autograd = envelope.get("compiled_autograd_id")
        key = process, (f"!{autograd}/" if autograd is not None else "") + f"{envelope['frame_id']}/{envelope['frame_compile_id']}"
        one = compiles.setdefault(key, {"attempt": 0, "programs": [], "graphs": 0, "fail": None, "done": False, "aot": False})
        attempt = envelope.get("attempt") or 0
        if one["done"] and "dynamo_start" in envelope:
            one["again"] = True # after a reset
        if one.get("again"):
            continue
        name = (envelope.get("artifact") or {}).get("name")
        if attempt > one["attempt"] and (name == "fx_graph_runnable" or "dynamo_output_graph" in envelope):
            one.update(attempt=attempt, programs=[], graphs=0)
        if name == "fx_graph_runnable":
            forward = text.partition("class Repro(")[2].partition("def forward(")[2].partition("\n")[0]
            one["programs"].append({"backward": "tangents_" in forward, "kernels": None, "gpu": "cuda" in text.partition("class Repro(")[2]})
        elif "dynamo_output_graph" in envelope:
            one["graphs"] += 1
            one["gpu"] = one.get("gpu") or "cuda:" in text
        elif "inductor_output_code" in envelope and one["programs"]:
            one["programs"][-1]["kernels"] = kernels_of(text)
            one["programs"][-1]["threads"] = "#pragma omp parallel" in text
        for kind in "compilation_metrics", "bwd_compilation_metrics":
            if kind in envelope:
                one["fail"] = one["fail"] or envelope[kind].get("fail_type")
                one["done"] |= kind == "compilation_metrics"
    for (process, compile_id), one in compiles.items():
        asked = collections.Counter()
        for program in one["programs"]:
            asked[program["backward"]] += 1
            yield {"log": str(log), "compile": f"{process}:{compile_id}", "kind": "inductor", "fail": one["fail"], **program,
                   "part": asked[program["backward"]]}
        for part in range(0 if one["programs"] else one["graphs"]):
            yield {"log": str(log), "compile": f"{process}:{compile_id}", "kind": "dynamo", "fail": one["fail"], "backward": False, "kernels": None,
                   "gpu": one.get("gpu", False), "part": part + 1}


LOCAL = threading.local()


def forked(options, program, arguments):
    if not hasattr(LOCAL, "server"):
        LOCAL.server = subprocess.Popen([options.python, __file__, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=dict(os.environ, PYTHONPATH=options.torch, OMP_NUM_THREADS="1"))
    LOCAL.server.stdin.write(json.dumps([str(program), [str(a) for a in arguments], options.timeout]) + "\n")
    LOCAL.server.stdin.flush()
    status, errors = json.loads(LOCAL.server.stdout.readline())
    return subprocess.CompletedProcess([], status, "", errors)


def run(options, case):
    with tempfile.TemporaryDirectory(prefix="tlparse-truth-") as folder:
        program, trace = Path(folder) / "program.py", Path(folder) / "trace"
        call = [options.tlparse, "extract", case["log"], case["compile"], "--part", str(case["part"]), "-o", program]
        made = subprocess.run(call + ["--backward"] * case["backward"], capture_output=True, text=True, timeout=60)
        if made.returncode:
            return {"result": "not extracted", "error": made.stderr.strip().splitlines()[-1]}
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TORCH")} | {
            "PYTHONPATH": options.torch, "OMP_NUM_THREADS": str(options.threads if case.get("threads") else 1), "HOME": folder, "TMPDIR": folder}
        before = sorted(os.listdir(folder))
        call = [options.python, program] + ["--trace", trace] * (case["kind"] == "inductor") + ["--cpu"] * case["gpu"] + (["--cache", options.cache] if options.cache else [])
        try:
            done = forked(options, program, call[2:]) if case["kind"] == "dynamo" and options.fork else subprocess.run(
                call, capture_output=True, text=True, env=environment, cwd=folder, timeout=options.timeout)
        except subprocess.TimeoutExpired:
            return {"result": "timeout"}
        left = sorted(set(os.listdir(folder)) - set(before) - {"trace"})
        error = (re.findall(r"^([\w.]+(?:Error|Exception|Unsupported|Exit|Failed)\w*)(?:: (.*))?$", done.stderr, re.M) or [("", "")])[-1]
        lines = done.stderr.strip().splitlines() or [""]
        result = {"rc": done.returncode, "error": ": ".join(error)[:200] if done.returncode else "", "last": lines[-1][:200] if done.returncode else ""}
        if left:
            return {"result": "writes files", **result, "last": str(left)}
        if case["kind"] == "inductor" and trace.exists():
            codes = [text for log in trace.iterdir() for _, envelope, text in records(log.read_bytes()) if "inductor_output_code" in envelope]
            result["kernels"] = sorted(kernel for code in codes for kernel in kernels_of(code))
        if done.returncode:
            same = case["fail"] and case["fail"].split(".")[-1] in done.stderr
            return {"result": "fails as the log" if same else "fails", **result}
        if case["kernels"] is None or case["gpu"]:
            return {"result": "runs", **result}
        ours, theirs = result.pop("kernels"), case["kernels"]
        same_code = sorted(code for _, code in ours) == sorted(code for _, code in theirs)
        same_names = [name for name, _ in ours] == [name for name, _ in theirs]
        result["names"] = [[name for name, _ in ours], [name for name, _ in theirs]]
        return {"result": "same kernels" if same_code else "same number" if len(ours) == len(theirs) else "other kernels", "same_names": same_names, **result}


def serve():
    """Run programs in children that have PyTorch already: lines of JSON with a path and arguments; answers: status and stderr."""
    import atexit
    import runpy
    import traceback

    import torch  # noqa: F401

    for line in sys.stdin:
        path, arguments, limit = json.loads(line)
        with tempfile.TemporaryFile("w+") as errors:
            child = os.fork()
            if not child:
                os.dup2(errors.fileno(), 1)
                os.dup2(errors.fileno(), 2)
                signal.alarm(limit)
                status, sys.argv = 0, [path, *arguments]
                try:
                    runpy.run_path(path, run_name="__main__")
                except SystemExit as end:
                    status = end.code or 0
                except BaseException:
                    traceback.print_exc()
                    status = 1
                atexit._run_exitfuncs()
                sys.stderr.flush()
                os._exit(status)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            errors.seek(0)
            print(json.dumps([status, errors.read()[-20000:]]), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tlparse", required=True, type=os.path.abspath)
    parser.add_argument("--torch", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=300)
    parser.add_argument("--kind", choices=["inductor", "dynamo"])
    parser.add_argument("--cache", help="share compiled code, above all precompiled headers, in this folder")
    parser.add_argument("--threads", type=int, default=2, help="threads of the recorded runs whose kernels run in parallel")
    parser.add_argument("--fork", action="store_true", help="run graphs from Dynamo in processes that have imported PyTorch")
    parser.add_argument("--sample", type=int, help="only so many graphs, at random")
    parser.add_argument("logs", nargs="+", type=Path)
    options = parser.parse_args()
    cases = [case for log in options.logs for case in graphs_of(log.resolve()) if options.kind in (None, case["kind"])]
    random.Random(0).shuffle(cases)
    del cases[options.sample or len(cases) :]
    print(len(cases), "graphs", flush=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda case: run(options, case), cases)
        done = []
        for case, result in zip(cases, results, strict=True):
            done.append({**case, **result, "kernels": None})
            if result["result"] not in ("runs", "same kernels", "fails as the log"):
                print(result["result"], Path(case["log"]).parent.name, case["compile"], case["part"], "backward" if case["backward"] else "",
                      result.get("last") or result.get("error"), flush=True)
            if options.json:
                options.json.write_text(json.dumps(done, indent=1))
    print("names:", collections.Counter(case.get("same_names") for case in done if case["result"] in ("same kernels", "same number", "other kernels")))
    print(collections.Counter((case["kind"], "gpu" if case["gpu"] else "cpu", case["result"]) for case in done))


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["--serve"] else main()

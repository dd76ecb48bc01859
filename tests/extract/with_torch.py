#!/usr/bin/env python3
"""Run the programs that `tlparse extract` writes for every graph of logs, and compare their kernels with those of the log.

    with_torch.py --tlparse build/tlparse --torch SITE [--python PYTHON] [--json OUT] [--jobs N] [--kind inductor|dynamo] [--sample N] [--codegen] LOG...

SITE is the folder with PyTorch. Run by hand: CI has no PyTorch. doc/reliability.md has the table of results.

A program passes if it exits with 0 and, if Inductor compiled the graph in the log, compiles the same kernels, by name and number; or, if the compile
failed in the log, if it fails with the same type of exception. Programs for a GPU run with --cpu, so their kernels are not compared.

The names of kernels come from the log, so they prove little. With --codegen, Inductor writes code for the vector instructions of the log, whatever
this machine has, and the code of kernels is compared, too; then no C++ is compiled and no kernel runs. Programs of equal graphs run once.
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
FUNCTION = re.compile(r'^extern "C"\s+void\s+(cpp_\w+)(\([^;{]*\{.*?^\})', re.M | re.S)  # of the C++ wrapper


def read(path):
    if path.suffix == ".zst":
        return subprocess.run(["zstd", "-dcq", path], capture_output=True, check=True).stdout
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def numbered(code):
    """The code with its sizes, ks7, numbered as they occur: Inductor numbers them in another order each time."""
    names = {name: f"ks{i}" for i, name in enumerate(dict.fromkeys(re.findall(r"\bks\d+", code.partition("{")[2])))}
    head, brace, body = code.partition("{")
    body = re.sub(r"\bks\d+", lambda match: names[match[0]], body)
    return re.sub(r"const int64_t ks\d+", "const int64_t ks", head) + brace + body


def kernels_of(text):
    """Name and code of each kernel. The code does not depend on names, addresses and paths, nor on how many graphs there were before."""
    found = KERNEL.findall(text) or list(dict(FUNCTION.findall(text)).items())
    return sorted(
        (name, numbered(re.sub(r"\s+", " ", re.sub(r"#include .*|# .*|//.*|torch::aot_inductor::RAIIAtenRecordFunctionHandle .*|\bcpp_fused\w*|\btriton_\w+|\bcpp_CppWrapper\w*", "", code)))) for name, code in found
    )


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
    compiles, generation = collections.OrderedDict(), collections.Counter()
    for process, envelope, text in records(read(log)):
        if envelope.get("frame_compile_id") is None or envelope.get("frame_id") is None:
            continue
        autograd = envelope.get("compiled_autograd_id")
        key = process, (f"!{autograd}/" if autograd is not None else "") + f"{envelope['frame_id']}/{envelope['frame_compile_id']}"
        if "dynamo_start" in envelope and compiles.get((*key, generation[key]), {}).get("done"):
            generation[key] += 1  # after a reset
        one = compiles.setdefault((*key, generation[key]), {"attempt": 0, "programs": [], "graphs": 0, "fail": None, "done": False})
        attempt = envelope.get("attempt") or 0
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
            one["programs"][-1]["threads"] = re.search(r"#pragma omp parallel|atomic_add|scatter_reduce_.*reduce='sum'", text) is not None
        for kind in "compilation_metrics", "bwd_compilation_metrics":
            if kind in envelope:
                one["fail"] = one["fail"] or envelope[kind].get("fail_type")
                one["done"] |= kind == "compilation_metrics"
    for (process, compile_id, number), one in compiles.items():
        compile_id += f"#{number + 1}" if number else ""
        asked = collections.Counter()
        for program in one["programs"]:
            asked[program["backward"]] += 1
            yield {"log": str(log), "compile": f"{process}:{compile_id}", "kind": "inductor", "fail": one["fail"], **program,
                   "part": asked[program["backward"]]}
        for part in range(0 if one["programs"] else one["graphs"]):
            yield {"log": str(log), "compile": f"{process}:{compile_id}", "kind": "dynamo", "fail": one["fail"], "backward": False, "kernels": None,
                   "gpu": one.get("gpu", False), "part": part + 1}


LOCAL = threading.local()


def forked(options, program, arguments, vector=None, threads=1):
    """Run the program in a child of a process that has PyTorch. vector: the instructions to write code for, without compiling it."""
    if not hasattr(LOCAL, "server"):
        LOCAL.server = subprocess.Popen([options.python, __file__, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=dict(os.environ, PYTHONPATH=options.torch, OMP_NUM_THREADS="1"))
    LOCAL.server.stdin.write(json.dumps([str(program), [str(a) for a in arguments], options.timeout, vector, threads]) + "\n")
    LOCAL.server.stdin.flush()
    status, errors, codes = json.loads(LOCAL.server.stdout.readline())
    done = subprocess.CompletedProcess([], status, "", errors)
    done.codes = codes
    return done


def written_only(path, vector, threads):
    """In the child: Inductor writes code, but does not compile it, and the program calls nothing. Returns what it writes and the program."""
    import torch._inductor.async_compile
    import torch._inductor.cpu_vec_isa as isa
    import torch._inductor.graph

    codes, log = [], torch._inductor.graph.trace_structured

    def note(name, *arguments, **named):
        if name == "inductor_output_code":
            codes.append(named["payload_fn"]())
        return log(name, *arguments, **named)

    def nothing(*_, **__):
        return lambda *_: None

    torch._inductor.graph.trace_structured = note
    torch._inductor.async_compile.AsyncCompile.cpp_pybinding = torch._inductor.async_compile.AsyncCompile.cpp = nothing
    torch._inductor.config.fx_graph_cache = False
    torch.set_num_threads(threads)
    kind = getattr(isa, vector)
    kind.__bool__, kind.__hash__ = lambda _: True, isa.VecISA.__hash__
    one = kind()
    for module in [*sys.modules.values()]:
        if getattr(module, "__name__", "").startswith("torch._inductor"):
            for name, value in ("pick_vec_isa", lambda: one), ("valid_vec_isa_list", lambda: [one]):
                if name in vars(module):
                    setattr(module, name, value)
    text = Path(path).read_text()
    called = "def tl_call(graph, call):\n"
    assert called in text
    Path(path).write_text(text.replace(called, called + "    return []\n", 1))
    return codes


def written_for(kernels):
    """The vector instructions of kernels: AVX-512 has 16 floats, AVX2 has 8."""
    code = " ".join(code for _, code in kernels)
    if "amx" in code:
        return "VecAMX"
    return "VecAVX2" if re.search(r"\+=static_cast<int64_t>\(8L\)", code) and not re.search(r"\+=static_cast<int64_t>\((16|32)L\)", code) else "VecAVX512"


def extracted(options, case, program):
    """Write the program. The message if it cannot be."""
    call = [options.tlparse, "extract", case["log"], case["compile"], "--part", str(case["part"]), "-o", program, "--overwrite"]
    made = subprocess.run(call + ["--backward"] * case["backward"], capture_output=True, text=True, timeout=60)
    return made.stderr.strip().splitlines()[-1] if made.returncode else None


def identity(options, case, program):
    """What programs of equal graphs have in common: the code from the log, without the names of storages, and the kernels."""
    if extracted(options, case, program):
        return None
    text = program.read_text().partition("# ======== From the log")[2]
    return case["kind"], case["fail"], re.sub(r"storage\(\S+, |/\S+", "", text), json.dumps(case["kernels"])


def judged(case, result, codes):
    """The result with what the kernels say."""
    if result["rc"]:
        same = case["fail"] and result.pop("told").startswith("failed as in the log")
        return {"result": "fails as the log" if same else "fails", **result}
    if case["kernels"] is None or case["gpu"]:
        return {"result": "runs", **result}
    ours, theirs = sorted(kernel for code in codes for kernel in kernels_of(code)), case["kernels"]
    same_code = sorted(code for _, code in ours) == sorted(code for _, code in theirs)
    same_names = [name for name, _ in ours] == [name for name, _ in theirs]
    result["names"] = [[name for name, _ in ours], [name for name, _ in theirs]]
    return {"result": "same kernels" if same_code else "same number" if len(ours) == len(theirs) else "other kernels", "same_names": same_names, **result}


def run(options, case):
    with tempfile.TemporaryDirectory(prefix="tlparse-truth-") as folder:
        program, trace = Path(folder) / "program.py", Path(folder) / "trace"
        message = extracted(options, case, program)
        if message:
            return {"result": "not extracted", "error": message}
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TORCH")} | {
            "PYTHONPATH": options.torch, "OMP_NUM_THREADS": str(options.threads if case.get("threads") else 1), "HOME": folder, "TMPDIR": folder}
        before = sorted(os.listdir(folder))
        inductor = case["kind"] == "inductor"
        arguments = ["--trace", trace] * inductor + ["--cpu"] * case["gpu"] + (["--cache", options.cache] if options.cache else [])
        codes = []
        try:
            if options.codegen and inductor:
                done = forked(options, program, arguments, written_for(case["kernels"] or []), options.threads if case.get("threads") else 1)
                codes = done.codes
            elif options.fork and not inductor:
                done = forked(options, program, arguments)
            else:
                done = subprocess.run([options.python, program, *arguments], capture_output=True, text=True, env=environment, cwd=folder, timeout=options.timeout)
        except subprocess.TimeoutExpired:
            return {"result": "timeout"}
        if done.returncode == -signal.SIGALRM:
            return {"result": "timeout"}
        left = sorted(set(os.listdir(folder)) - set(before) - {"trace"})
        error = (re.findall(r"^([\w.]+(?:Error|Exception|Unsupported|Exit|Failed)\w*)(?:: (.*))?$", done.stderr, re.M) or [("", "")])[-1]
        lines = done.stderr.strip().splitlines() or [""]
        told = next((line for line in lines if line.startswith(("failed as in the log", "note: failed with"))), "")
        result = {"rc": done.returncode, "error": ": ".join(error)[:200] if done.returncode else "", "last": lines[-1][:200] if done.returncode else "",
                  "told": told, "notes": [line[:200] for line in lines if line.startswith("note: ")]}  # fmt: skip
        if left:
            return {"result": "writes files", **result, "last": str(left)}
        if inductor and trace.exists() and not options.codegen:
            codes = [text for log in trace.iterdir() for _, envelope, text in records(log.read_bytes()) if "inductor_output_code" in envelope]
        return judged(case, result, codes)


def distinct(options, cases):
    """One case of each graph, with its number of copies."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="tlparse-truth-") as folder:
        for i, case in enumerate(cases):
            key = identity(options, case, Path(folder) / "program.py") or i
            if key not in found:
                found[key] = {**case, "copies": 0}
            found[key]["copies"] += 1
    return list(found.values())


def serve():
    """Run programs in children that have PyTorch already: lines of JSON with a path and arguments; answers: status and stderr."""
    import atexit
    import runpy
    import traceback

    import torch
    import torch._dynamo.debug_utils
    import torch._inductor.async_compile
    import torch._inductor.codegen.cpp
    import torch._inductor.compile_fx  # noqa: F401

    for line in sys.stdin:
        path, arguments, limit, vector, threads = json.loads(line)
        with tempfile.TemporaryFile("w+") as errors, tempfile.TemporaryFile("w+") as written:
            child = os.fork()
            if not child:
                os.dup2(errors.fileno(), 1)
                os.dup2(errors.fileno(), 2)
                signal.alarm(limit)
                status, sys.argv = 0, [path, *arguments]
                codes = written_only(path, vector, threads) if vector else []
                try:
                    runpy.run_path(path, run_name="__main__")
                except SystemExit as end:
                    status = end.code or 0
                except BaseException:
                    traceback.print_exc()
                    status = 1
                json.dump(codes, written)
                written.flush()
                atexit._run_exitfuncs()
                sys.stderr.flush()
                os._exit(status)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            errors.seek(0)
            written.seek(0)
            print(json.dumps([status, errors.read()[-20000:], json.loads(written.read() or "[]")]), flush=True)


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
    parser.add_argument("--codegen", action="store_true", help="do not compile C++ and do not run kernels: compare the code that Inductor writes")
    parser.add_argument("--gpu", action="store_true", help="also graphs for a GPU, on the CPU")
    parser.add_argument("--sample", type=int, help="only so many graphs, at random")
    parser.add_argument("logs", nargs="+", type=Path)
    options = parser.parse_args()
    cases = [case for log in options.logs for case in graphs_of(log.resolve()) if options.kind in (None, case["kind"])]
    gpu = sum(case["gpu"] for case in cases)
    cases = distinct(options, [case for case in cases if options.gpu or not case["gpu"]])
    print(sum(case["copies"] for case in cases), "graphs,", len(cases), "of them different;", gpu, "for a GPU", "" if options.gpu else "left out", flush=True)
    random.Random(0).shuffle(cases)
    del cases[options.sample or len(cases) :]
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

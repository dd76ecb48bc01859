#!/usr/bin/env python3
"""Seeds for the fuzz targets that read logs and reports: small records of each kind, from the recorded logs, and small reports.

    seeds.py --tlparse build/tlparse FOLDER

Writes FOLDER/TARGET/NAME. `./dev fuzz --merge` keeps those that reach something new.
"""
import argparse
import gzip
import itertools
import json
import re
import subprocess
import tempfile
from pathlib import Path

LOGS = Path(__file__).resolve().parents[1] / "data/logs"
MODULES = LOGS.parent / "module_truth"
RECORD_BYTES, SEED_BYTES = 3000, 6000
HEAD = re.compile(rb"(?m)^[VIWEC]\d{4} [^\n]*?\] \{")


def text_of(path):
    raw = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(raw)
    return subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, check=True).stdout if path.suffix == ".zst" else raw


def records(text):
    starts = [m.start() for m in HEAD.finditer(text)] + [len(text)]
    return (text[a:b] for a, b in itertools.pairwise(starts))


def kind_of(record):
    """The kind and, of an artifact, its name without digits."""
    try:
        envelope = json.loads(record.split(b"] ", 1)[1].split(b"\n", 1)[0])
    except (json.JSONDecodeError, UnicodeDecodeError, IndexError):
        return None
    key = next((key for key in envelope if key not in ("rank", "stack")), "")
    value = envelope[key] if key else None
    name = value.get("name", "") if isinstance(value, dict) else ""
    return re.sub(r"\W|\d", "_", f"{key}-{name}")[:60]


def small_facts(text, logs):
    """The text of a facts file with the first logs, without settings, cache keys, timelines and long definitions."""
    kept, numbers, at, out = {"program", "compile", "graphs", "order", "finding"}, {}, 0, []
    for line in text.splitlines():
        value = json.loads(line)
        if "host" in value:
            value["host"] = "node1"
        if isinstance(value, list):
            if value[1] in kept and len(line) < 1200:
                if value[1] == "compile":
                    value[2].pop("traced", None)
                    value[2].pop("stated", None)
                numbers[at] = len(numbers)
                out.append(json.dumps(value, separators=(",", ":")))
            at += 1
            continue
        if "log" in value:
            value["log"]["paths"] = [f"/logs/{Path(path).name}" for path in value["log"].get("paths", [])]
        logs -= "log" in value
        if logs < 0 and "log" in value:
            continue
        for key in ("configuration", "lookups", "lookup_times_us", "timeline"):
            value.pop(key, None)
        for key in ("program", "schedules", "runtimes", "code_calls", "graph_calls", "execution"):
            if key in value and value[key] not in numbers:
                value.pop(key)
            elif key in value:
                value[key] = numbers[value[key]]
        for key in ("compiles", "findings"):
            if key in value:
                value[key] = [numbers[n] for n in value[key] if n in numbers]
        if "times_us" in value:
            value["times_us"] = value["times_us"][: len(value["compiles"])]
        out.append(json.dumps(value, separators=(",", ":")))
    return "\n".join(out).encode()


def small_profiles():
    """Traces of the program of fuzz_profile.c, by name: bytes without the first one, which selects the block size."""
    def event(name, at, us, category="cpu_op", **more):
        return {"ph": "X", "cat": category, "name": name, "pid": 77, "tid": 78, "ts": at, "dur": us, **more}

    graph = [event("## Call CompiledFxGraph fkey ##", 40, 50), event("aten::mm", 41, 9), event("aten::resolve_conj", 42, 1),
             event("graph_0_cpp_fused_add_0", 51, 3), event("aten::mm", 61, 9), event("graph_0_cpp_fused_add_0", 71.25, 3)]
    call = [event("TorchDynamo Cache Lookup", 10, 5.125), event("Torch-Compiled Region: 0/0", 20, 80), event("Pregraph bytecode", 21, 2),
            event("AOTDispatcher Runtime Wrapper Prologue", 25, 2), event("CompiledFunction", 30, 65), *graph]
    eager = [event("aten::add", 200, 9), event("Torch-Compiled Region: 0/1", 201, 5), event("ProfilerStep#1", 0, 300, "user_annotation")]
    gpu = [event("cudaLaunchKernel", 42.5, 1, "cuda_runtime", args={"correlation": 5}), event("gemm", 90, 7, "kernel", args={"correlation": 5, "stream": 7})]
    trace = {"schemaVersion": 1, "baseTimeNanoseconds": 3000000000, "traceEvents": call + eager + gpu}
    return {
        "trace": trace, "list": call, "late_base": {"traceEvents": call[::-1], "baseTimeNanoseconds": 3000000000}, "no_base": {"traceEvents": call},
        "rank": {"distributedInfo": {"backend": "nccl", "rank": 1, "world_size": 2}, "traceEvents": call},
        "other_order": {"traceEvents": call[:5] + [event("graph_0_cpp_fused_add_0", 41, 1)] + graph}, "package": {"traceEvents": [event("AOTIModelContainerRunner::boxed_run", 1, 90, "user_annotation"), *graph[1:]]},
        "escapes": {"traceEvents": [event('a "quoted" \\ \u00e9\n', 1, 2), event("Torch-Compiled Region: 9/9", 1, 2, args={"a": [1, {"b": "}"}]})]},
        "nested": {"traceEvents": [event("Torch-Compiled Region: 0/0", 1, 99), *eager, event("Torch-Compiled Region: 0/1 x", 2, 9), event("## Call CompiledFxGraph None ##", 3, 5)]},
    }


def small_modules(path):
    """The guards, sources and graph of each compile of a log, cut to what a fuzzer can change, by compile id."""
    guards, sources, graphs = {}, {}, {}
    for record in records(text_of(path)):
        head, _, body = record.partition(b"\n")
        envelope = json.loads(head.split(b"] ", 1)[1])
        key = f"{envelope.get('frame_id')}_{envelope.get('frame_compile_id')}"
        if "describe_source" in envelope:
            sources.setdefault(key, []).append(envelope["describe_source"]["source"].encode())
        elif "dynamo_cpp_guards_str" in envelope:
            lines = [line[1:401] for line in body.split(b"\n") if b"_modules" in line or b"L['self']" in line]
            guards[key] = b"\n".join(lines)[:RECORD_BYTES]
        elif "dynamo_output_graph" in envelope:
            graphs[key] = re.sub(rb'"f32[^"]*"', b'"f32[2]"', b"\n".join(line[1:] for line in body.split(b"\n")))[:RECORD_BYTES]
    return {key: b"\n----\n".join((guards[key], b"\n".join(sources.get(key, []))[:RECORD_BYTES // 2], graphs[key])) for key in graphs.keys() & guards.keys()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tlparse", type=Path, required=True)
    parser.add_argument("folder", type=Path)
    args = parser.parse_args()

    def write(target, name, content):
        (args.folder / target).mkdir(parents=True, exist_ok=True)
        (args.folder / target / name).write_bytes(content)

    smallest, small_logs = {}, []
    for path in sorted(p for p in LOGS.rglob("*") if ".log" in p.name):
        log = list(records(text_of(path)))
        for record in log:
            kind = kind_of(record)
            if kind and len(record) <= RECORD_BYTES and len(record) < len(smallest.get(kind, b"x" * (RECORD_BYTES + 1))):
                smallest[kind] = record
        brief = b""
        for record in log:  # the small records, as many as fit
            if len(record) <= RECORD_BYTES and len(brief) + len(record) <= SEED_BYTES:
                brief += record
        small_logs.append((path.parent.name, brief))
    start = smallest.get("dynamo_start-", b"")
    for kind, record in smallest.items():
        write("pipeline", kind, b"\0\x08" + start + record)
        write("decode", kind, record)
    for name, brief in small_logs:
        write("pipeline", f"log-{name}", b"\0\x08" + brief)
        write("follow", f"log-{name}", b"\x40" + brief)
        write("extract", f"log-{name}", brief)
    for (name, a), (_, b) in itertools.pairwise(small_logs):
        write("ranks", f"ranks-{name}", b"\0" + a + b"\x1e" + b)
        write("ranks", f"runs-{name}", b"\1" + a + b"\x1e" + b)
    with tempfile.TemporaryDirectory() as work:
        for name, brief in small_logs:
            log, out = Path(work) / f"{name}.log", Path(work) / "out"
            log.write_bytes(brief)
            for options in ([log], [log, log, "--compare"]):
                subprocess.run([args.tlparse, *options, "-o", out, "--overwrite", "--no-browser"], capture_output=True, check=True)
                write("answers", f"{'runs-' if len(options) > 1 else ''}{name}", b"\3" + (out / "report.json").read_bytes())
    for folder in sorted(p for p in (LOGS / "rank_causes").iterdir() if p.is_dir()):
        done = subprocess.run([args.tlparse, "facts", folder, "-o", "-"], capture_output=True, check=True)
        text = subprocess.run(["zstd", "-dcq"], input=done.stdout, stdout=subprocess.PIPE, check=True).stdout.decode()
        one, two = (small_facts(text, logs) for logs in (1, 2))
        write("facts", folder.name, two)
        write("facts", f"{folder.name}-twice", one + b"\x1e" + one)
    for path in sorted(MODULES.rglob("*.log.zst")):
        for key, text in sorted(small_modules(path).items())[:2]:
            write("modules", f"{path.parent.name}-{key}", text)
    for name, trace in small_profiles().items():
        write("profile", name, b"\7" + json.dumps(trace).encode())
        write("profile", f"{name}-indented", b"\40" + json.dumps(trace, indent=1).encode())
    for name, text in (("path", b"\0/rank_0/a%20b.txt?x=1"), ("url", b"\0http://localhost:80/a/"), ("range", b"\1bytes=0-99"),
                       ("suffix", b"\1bytes=-5"), ("etag", b'\x02"1-2-3", W/"x", *'), ("date", b"\x22Sun, 06 Nov 1994 08:49:37 GMT"),
                       ("old_date", b"\x22Sunday, 06-Nov-94 08:49:37 GMT"), ("asctime", b"\x22Sun Nov  6 08:49:37 1994"),
                       ("host", b"\3localhost:8000"), ("address", b"\x0b[::1]:8000")):
        write("serve", name, text)
    for name, text in (("shell", b"-c\0x --token=S -H \"Authorization: Bearer S\" 'a b' $(y --key S)"), ("json", b'{"api_key": "S", "a": [1, {"pass": \'x\'}]}'),
                       ("yaml", b"a: 1\npassword: |\n  S\nb: 2"), ("url", b"https://u:p@h/x?a=1&sig=S"), ("options", b"--api-keys\0a\0b\0-u\0a:b\0Bearer\0x"),
                       ("shapes", b"hf_abc1 eyJhbGciOiJI.x AKIAABCD <token>x</token> -----BEGIN PRIVATE KEY-----")):
        write("secret", name, text)
    first = next(iter(small_logs))[1][:400]
    rank = b"dedicated_log_torch_trace_rank_%d_abc.log\x1f" + first.replace(b"%", b"%%")
    write("choose", "ranks", b"\0" + rank % 0 + b"\x1e" + rank % 1 + b"\x1e" + rank % 12)
    write("choose", "hosts", b"\0a/" + rank % 0 + b"\x1eb/" + rank % 1)
    write("choose", "runs", b"\2dedicated_log_torch_trace_a.log\x1f" + first + b"\x1etrain.log.1\x1f" + first + b"\x1etrain.log\x1f" + first)
    write("choose", "report", b"\0index.html\x1f\x1ereport.json\x1f{}\x1edata/manifest.txt\x1ftlparse-manifest 1\ndata/\ndata/manifest.txt\n"
          b"index.html\nreport.json\n")


if __name__ == "__main__":
    main()

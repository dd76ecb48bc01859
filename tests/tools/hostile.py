#!/usr/bin/env python3
"""Run tlparse on corrupt and hostile logs, and check the result.

    hostile.py [--tlparse build/tlparse] [--list] [NAME...]

Every case is one log, read without options, with --export, and with -i. It has valid records before and after the bad part.
In every case:
  - tlparse exits within the time limit with status 0 (no signal, no abort) and has written index.html
  - both valid records are in the report
  - nothing is created or changed outside of the output folder, and no link leads out of it
  - report.json fits its schema, and Python reads each JSON file at the top
  - no page contains text of the log as markup, and no link has a scheme that runs code
  - peak memory stays under --memory
Exit status 0 if all cases pass; the last line is the total.
"""
import argparse
import functools
import hashlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import samples
import validate

ID = {"frame_id": 0, "frame_compile_id": 0, "attempt": 0}
PREFIX = "V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py:10] "


def record(envelope, payload=None, md5=None):
    """One record as bytes; payload is str or bytes."""
    if payload is not None:
        payload = payload.encode() if isinstance(payload, str) else payload
        envelope = dict(envelope, has_payload=md5 or hashlib.md5(payload).hexdigest())
    text = (PREFIX + json.dumps(envelope) + "\n").encode()
    if payload is not None:
        text += b"".join(b"\t" + line + b"\n" for line in payload.split(b"\n"))
    return text


def good(name):
    return record({"artifact": {"name": name, "encoding": "string"}, **ID}, f"payload of {name}")


def raw(text):
    return PREFIX.encode() + (text if isinstance(text, bytes) else text.encode()) + b"\n"


def cases():
    def art(name, payload="x", encoding="string"):
        return record({"artifact": {"name": name, "encoding": encoding}, **ID}, payload)

    yield "parent folder in artifact name", art("../../escaped")
    yield "absolute artifact name", art("/tmp/tlparse-hostile-escaped")
    yield "parent folder in graph_dump", record({"graph_dump": {"name": "a/../../../escaped"}, **ID}, "x")
    yield "parent folder in dump_file", record({"dump_file": {"name": "../../escaped"}, **ID}, "x")
    yield "parent folder in has_payload", record({"describe_x": {}, **ID}, "x", md5="../../escaped")
    yield "parent folder in ddp child", record({"optimize_ddp_split_child": {"name": "../../../escaped"}, **ID}, "x")
    yield "parent folder in output code", record({"inductor_output_code": {"filename": "/a/../../..\u2215escaped.py"}, **ID}, "x")
    yield "names . and ..", art(".") + art("..") + art("") + art("a/") + art("/")
    yield "artifact named like a report file", record({"dump_file": {"name": "../index"}, **ID}, "x") + art("../raw")
    yield "file name of 4000 characters", art("n" * 4000)
    yield "folders 500 deep", art("d/" * 500 + "x")
    yield "NUL in a name", art("nul\0name")
    yield "control characters in a name", art("bell\a\n\t\x1b[31mred\x7f")
    yield "name with emoji and right-to-left marks", art("\U0001f600\u202etxt.exe")
    yield "case twins", art("Same") + art("same") + art("SAME")
    yield "a dump_file name three times", b"".join(record({"dump_file": {"name": "twin"}, **ID}, f"v{i}") for i in range(3))
    yield "scripts in every text", (
        record({"str": ["<script>alert(1)</script>.py", 0]})
        + record({"dynamo_start": {"stack": [{"line": 1, "name": "<script>alert(1)</script>", "filename": 0, "loc": "</pre><img src=x onerror=alert(1)>"}]}, **ID})
        + record({"compilation_metrics": {"fail_type": "<script>alert(1)</script>", "fail_reason": "</script><script>alert(1)</script>",
                                          "restart_reasons": ["<script>alert(1)</script>"], "co_name": "<script>alert(1)</script>", "new_field": "</script><script>alert(1)</script>"}, **ID})
        + record({"dynamo_guards": {}, **ID}, json.dumps([{"code": "</script><script>alert(1)</script>"}]))
        + art("<script>alert(1)<!--", "</pre></script><script>alert(1)</script>")
        + record({"inductor_output_code": {"filename": "/t/<script>alert(1)<x>.py"}, **ID}, "</pre><script>alert(1)</script>")
        + record({"dump_file": {"name": "<eval_with_key>.7"}, **ID}, "</pre><script>alert(1)</script>")
    )
    yield "link that runs code", record({"link": {"name": "x", "url": "javascript:alert(1)"}, **ID}) + record({"link": {"name": "y", "url": " jAvAsCrIpT:alert(1)"}, **ID}) + record({"link": {"name": "z", "url": "data:text/html,<script>alert(1)</script>"}, **ID})
    yield "failure without a reason", record({"compilation_metrics": {"fail_type": "X"}, **ID})
    yield "metrics of wrong types", record({"compilation_metrics": {"fail_type": 3, "restart_reasons": "no list", "graph_op_count": "many", "start_time": []}, **ID})
    yield "interned id of 4000000000", record({"str": ["a", 4000000000]})
    yield "interned id negative, huge, text", record({"str": ["a", -1]}) + raw('{"str": ["a", 1e400]}') + record({"str": ["a", "0"]}) + record({"str": []}) + record({"str": 5})
    yield "stack with wrong types", record({"dynamo_start": {"stack": [{"line": "x", "filename": {}, "name": 3}, 5, None]}, **ID}) + record({"dynamo_start": {"stack": "none"}, **ID})
    yield "stack of 20000 frames", record({"dynamo_start": {"stack": [{"line": i, "name": "f", "filename": 0} for i in range(20000)]}, **ID})
    yield "recompile reasons without text", b"".join(
        record({"dynamo_start": {"stack": [{"line": 1, "name": "f", "filename": 0}]}, "frame_id": 1, "frame_compile_id": n, "attempt": 0})
        + record({"artifact": {"name": "recompile_reasons", "encoding": "json"}, "frame_id": 1, "frame_compile_id": n, "attempt": 0},
                 json.dumps(["", " ", "1/0: ", "\n", None, {"": 1}, [], 7, "1/0: G['x'] == 3"]))
        for n in range(3))
    yield "JSON 100000 levels deep", raw('{"a":' * 100000 + "1" + "}" * 100000)
    yield "JSON payload 100000 levels deep", art("deep", "[" * 100000 + "]" * 100000, "json")
    yield "envelope cut off", raw('{"artifact": {"name": "a", "enc')
    yield "envelope that is not an object", raw("[1,2,3]") + raw('"text"') + raw("null") + raw("7")
    yield "envelope with a duplicate key", raw('{"artifact": {"name": "a", "encoding": "string"}, "frame_id": 0, "frame_id": 1}')
    yield "wrong types in envelope", record({"artifact": "no object", **ID}, "x") + record({"artifact": {"name": 5, "encoding": []}, **ID}, "x") + record({"graph_dump": {}, **ID}, "x") + record({"link": {}, **ID})
    yield "compile id parts of wrong types", record({"artifact": {"name": "a", "encoding": "string"}, "frame_id": "x"}, "x") + record({"artifact": {"name": "b", "encoding": "string"}, "frame_id": -5, "frame_compile_id": 1.5}, "x") + raw('{"frame_id": 99999999999999999999}')
    yield "rank of wrong type", record({"rank": "zero", "describe_x": {}, **ID})
    yield "invalid UTF-8 in the envelope", raw(b'{"artifact": {"name": "b\xff\xfe", "encoding": "string"}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0}')
    yield "invalid UTF-8 in the payload", art("latin1", b"caf\xe9\xff\x00\x01")
    yield "lone surrogates", raw('{"artifact": {"name": "s\\ud800", "encoding": "string"}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0}')
    yield "payload of another MD5", art("md5", "x").replace(hashlib.md5(b"x").hexdigest().encode(), b"0" * 32)
    yield "has_payload that is not an MD5", record({"artifact": {"name": "a", "encoding": "string"}, **ID}, "x", md5="zz")
    yield "has_payload without payload", raw(json.dumps({"artifact": {"name": "a", "encoding": "string"}, "has_payload": "0" * 32, **ID}))
    yield "payload without has_payload", raw(json.dumps({"artifact": {"name": "a", "encoding": "string"}, **ID})) + b"\torphan\n\torphan\n"
    yield "chromium event that is not JSON", record({"chromium_event": {}, **ID}, '{"name": "x", "ts": ')
    yield "JSON artifact that is not JSON", art("bad", '{"a": ', "json")
    yield "encoding unknown", art("a", "x", "base91")
    yield "guards that are not JSON", record({"dynamo_guards": {}, **ID}, "no json")
    yield "CR LF line ends", good("crlf").replace(b"\n", b"\r\n")
    yield "ordinary text between records", b"hello\nTraceback (most recent call last):\n  File x\n" * 2000
    yield "binary noise", bytes(range(256)) * 4000
    yield "a line of 60 MB", raw('{"artifact": {"name": "big", "encoding": "string"}, "pad": "' + "x" * 60_000_000 + '"}')
    yield "40000 compile ids", b"".join(raw(json.dumps({"dynamo_start": {"stack": []}, "frame_id": i, "frame_compile_id": 0, "attempt": 0})) for i in range(40000))
    yield "empty export guards", record({"guard_added": {"prefix": "eval"}, **ID}) + record({"missing_fake_kernel": {}, **ID}) + record({"mismatched_fake_kernel": {}, **ID}) + record({"propagate_real_tensors_provenance": {}, **ID})
    yield "expressions in a circle", record({"expression_created": {"result_id": 1, "argument_ids": [2], "result": "a"}, **ID}) + record({"expression_created": {"result_id": 2, "argument_ids": [1], "result": "b"}, **ID}) + record({"guard_added": {"prefix": "eval", "expr": "a", "expr_node_id": 1}, **ID})
    yield "expressions 50000 deep", b"".join(record({"expression_created": {"result_id": i, "argument_ids": [i + 1], "result": "a"}, **ID}) for i in range(50000)) + record({"guard_added": {"prefix": "eval", "expr": "a", "expr_node_id": 0}, **ID})
    yield "invalid dates", good("date").replace(b"V1206 15:18:15", b"V9999 99:99:99")
    yield "thread id and line of 40 digits", good("digits").replace(b" 1500233 ", b" " + b"9" * 40 + b" ").replace(b":10]", b":" + b"9" * 40 + b"]")
    yield "provenance mappings of wrong types", art("inductor_provenance_tracking_node_mappings", '{"preToPost": [], "cppCodeToPost": {"k": "x", "l": [1, null]}, "version": "two"}', "json") + art("inductor_provenance_tracking_kernel_stack_traces", '{"k": ["<script>alert(1)</script>", 5], "l": null}', "json")


MARKUP = re.compile(rb"<script>alert|<img src=x onerror|<!--\s*\"|href\s*=\s*[\"']?\s*(javascript|data):", re.I)


FLAGS = ("", "-p", "-i", "--export")


def run(args, command, said):
    """(exit status, or None after a timeout; peak memory in MiB)."""

    def limits():
        resource.setrlimit(resource.RLIMIT_AS, (args.memory * 8 << 20, args.memory * 8 << 20))

    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, preexec_fn=limits)
    late = threading.Event()
    timer = threading.Timer(args.limit, lambda: (late.set(), process.kill()))
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return None if late.is_set() else process.returncode, usage.ru_maxrss >> 10


def faults(args, flags, bad):
    with tempfile.TemporaryDirectory(prefix="hostile-") as folder:
        work = Path(folder)
        (work / "in" / "deep").mkdir(parents=True)
        log, out, errors = work / "in" / "deep" / "log.log", work / "o" / "o" / "o" / "out", work / "in" / "stderr"
        out.parent.mkdir(parents=True)
        log.write_bytes(good("first") + bad + good("last"))
        before = snapshot(work, out)
        with open(errors, "wb") as said:
            command = [str(args.tlparse), str(log), "-o", str(out), "--overwrite", "--no-browser", *flags.split()]
            status, memory = run(args, command, said)
        if status is None:
            yield f"no end within {args.limit} s"
        elif status:
            yield f"exit status {status}: {errors.read_text(errors='replace').strip()[-120:]!r}"
        if memory > args.memory:
            yield f"{memory} MiB of memory"
        errors.unlink()
        if not (out / "index.html").is_file():
            yield "no index.html"
        if "--export" not in flags:
            written = {p.name for p in out.rglob("*") if p.is_file()} if out.exists() else set()
            for name in ("first", "last"):
                if not any(re.fullmatch(name + r"_\d+\.txt", n) for n in written):
                    yield f"the valid record {name!r} is missing"
        yield from unreadable(out)
        strays = snapshot(work, out) - before
        if strays:
            yield f"written outside of the output folder: {sorted(strays)[:3]}"
        for stray in Path("/tmp").glob("tlparse-hostile-escaped*"):
            stray.unlink()
            yield "written to an absolute path"
        for path in out.rglob("*") if out.exists() else ():
            if path.is_symlink() and not path.resolve().is_relative_to(out.resolve()):
                yield f"link out of the folder: {path.name[:60]!r}"
            elif path.is_file() and path.suffix in (".html", ".htm") and MARKUP.search(path.read_bytes()):
                yield f"markup from the log in {str(path.relative_to(out))[:80]!r}"


@functools.cache
def schema():
    return validate.documented("report.schema.json")


def unreadable(out):
    """What other programs would not read: JSON that Python refuses, and a report.json that does not fit its schema."""
    for path in [*out.rglob("*.json"), *out.rglob("raw.jsonl")] if out.exists() else ():
        if path.parent != out and path.name != "report.json":
            continue  # an artifact: as it was logged
        lines = path.read_text(encoding="utf-8").splitlines() if path.suffix == ".jsonl" else [path.read_text(encoding="utf-8")]
        for line in lines:
            try:
                value = json.loads(line)
            except (ValueError, RecursionError) as error:
                yield f"{path.name} is not JSON: {error}"
                continue
            if path.name == "report.json":
                yield from (f"report.json: {fault}" for fault in schema().faults(value)[:3])


def snapshot(work, out):
    return {str(p.relative_to(work)) for p in work.rglob("*") if p != out and out not in p.parents}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=60, help="seconds for one case")
    parser.add_argument("--memory", type=int, default=1024, help="MiB for one case")
    args = samples.arguments(parser)
    checks = samples.Checks("hostile", args.names)
    for name, bad in cases():
        for flags in FLAGS:
            checks.add(f"{name} {flags}".strip(), faults, args, flags, bad)
    return checks.list() if args.list else checks.run(workers=1)


if __name__ == "__main__":
    sys.exit(main())

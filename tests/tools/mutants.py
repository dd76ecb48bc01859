#!/usr/bin/env python3
"""Run tlparse on records whose members have wrong values.

    mutants.py [--tlparse build/tlparse] [--every N] [--all] [--list] [NAME...]

Of each kind of record in the sample logs, each member of the envelope and of a JSON payload gets each of the values in WRONG, and the
payload those in TEXTS. Hundreds of such records follow the log, in one file. Facts files are changed in the same way (fact_mutants.py).
In every case:
  - tlparse exits with status 0
  - report.json fits its schema
  - all records of the log, and the one after the wrong ones, are in the report
--every N takes each Nth of these records (default: 16). --all takes all of them, and also reads them with --export, -i and -p.
Exit status 0 if all cases pass; the last line is the total.
"""
import argparse
import copy
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import fact_mutants
import hostile
import samples

WRONG = (None, True, False, 0, -1, 1.5, 1e300, 2**64, "", "x", "\u202e<b>\x00", [], {}, [[]], {"": None}, [None, 1, "a"])
FACTS = (*WRONG, 10**30, [0] * 300, 2**32, 2**53 + 1)
TEXTS = (b"", b"\n", b"x", b"{", b"[]", b"null", b'"\\ud800"')
AT_ONCE = 400  # records in one log
LARGEST = 1_500_000  # bytes of a log
COMMON = {"rank", "frame_id", "frame_compile_id", "attempt", "compiled_autograd_id", "stack", "has_payload"}
HEAD = re.compile(rb"(?m)^([VIWE]\d{4} [\d:.]+ \d+ [^\]\n]*\] )(\{.*)\n((?:\t.*\n)*)")
MODES = ((), ("--export",), ("-i",), ("-p",))


def records(log):
    """(prefix, envelope, payload or None) of each record."""
    for prefix, text, payload in HEAD.findall(log):
        try:
            envelope = json.loads(text)
        except ValueError:
            continue
        lines = [line[1:] for line in payload.split(b"\n")[:-1]]
        yield prefix, envelope, b"\n".join(lines) if "has_payload" in envelope else None


def kind_of(envelope):
    key = next((key for key in envelope if key not in COMMON), "?")
    value = envelope.get(key)
    return f"{key} {value['name']}" if isinstance(value, dict) and isinstance(value.get("name"), str) else key


def paths(value, at=(), deepest=6):
    """The places of all values below this one; of a list, the first two items."""
    items = list(value.items())[:40] if isinstance(value, dict) else list(enumerate(value[:2])) if isinstance(value, list) else []
    for key, item in items:
        yield (*at, key)
        if deepest:
            yield from paths(item, (*at, key), deepest - 1)


def replaced(value, at, new):
    if not at:
        return new
    value = copy.copy(value)
    value[at[0]] = replaced(value[at[0]], at[1:], new)
    return value


def text_of(prefix, envelope, payload):
    if payload is not None:
        envelope = {**envelope, "has_payload": hashlib.md5(payload).hexdigest()}
    lines = b"".join(b"\t" + line + b"\n" for line in payload.split(b"\n")) if payload is not None else b""
    return prefix + json.dumps(envelope).encode() + b"\n" + lines


def mutants(record):
    prefix, envelope, payload = record
    for at in paths(envelope):
        if at != ("has_payload",):
            yield from (text_of(prefix, replaced(envelope, at, new), payload) for new in WRONG)
    if payload is None:
        return
    try:
        value = json.loads(payload)
    except ValueError:
        value = None
    for at in paths(value):
        yield from (text_of(prefix, envelope, json.dumps(replaced(value, at, new)).encode()) for new in WRONG)
    for text in (*TEXTS, payload[: len(payload) // 2], payload * 2):
        yield text_of(prefix, envelope, text)


def last_of(log):
    """A record of the same rank."""
    rank = next(({"rank": envelope["rank"]} for _, envelope, _ in records(log) if "rank" in envelope), {})
    return hostile.record({"artifact": {"name": "last", "encoding": "string"}, **rank, **hostile.ID}, "last")


def read(tlparse, log, flags):
    """The faults, and the number of records in the report."""
    with tempfile.TemporaryDirectory(prefix="tlparse-mutants-") as folder:
        path, out = Path(folder, "a.log"), Path(folder, "out")
        path.write_bytes(log)
        done = subprocess.run([tlparse, path, "-o", out, "--no-browser", "--threads", "0", *flags], capture_output=True, timeout=samples.LIMIT_S)
        if done.returncode:
            return [f"exit status {done.returncode}: {done.stderr[-300:].decode(errors='replace')}"], 0
        report = json.loads((out / "report.json").read_text(encoding="utf-8"))
        last = any(out.rglob("last_*.txt")) or "--export" in flags
        return hostile.schema().faults(report)[:3] + ([] if last else ["the record after the wrong ones is missing"]), report["log"]["counters"]["ok"]


def narrowed(fails, wrong):
    """The first record that fails alone, or all of them."""
    while len(wrong) > 1:
        half = len(wrong) // 2
        part = next((part for part in (wrong[:half], wrong[half:]) if fails(part)), None)
        if part is None:
            break
        wrong = part
    return wrong


def faults(tlparse, log, record, every, modes):
    wrong, last = list(mutants(record))[::every], last_of(log)
    for flags in modes:
        _, whole = read(tlparse, log + last, flags)
        for first in range(0, len(wrong), AT_ONCE):
            def found(part, flags=flags, whole=whole):
                faults, ok = read(tlparse, log + b"".join(part) + last, flags)
                return faults + ([f"{whole - ok} records are missing"] if ok < whole else [])

            part = wrong[first:first + AT_ONCE]
            if found(part):
                alone = narrowed(found, part)
                for fault in found(alone):
                    yield f"{' '.join(flags)} {fault}: {alone[0][:300]!r}" if len(alone) == 1 else f"{fault} (several records)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=16)
    parser.add_argument("--all", action="store_true")
    args = samples.arguments(parser)
    checks, seen = samples.Checks("mutants", args.names), set()
    for path in samples.logs():
        log = samples.read(path)
        if len(log) > LARGEST or not log.endswith(b"\n"):
            continue
        for record in records(log):
            kind = kind_of(record[1])
            if kind not in seen:
                seen.add(kind)
                every, modes = (1, MODES) if args.all else (args.every, MODES[:1])
                checks.add(kind, faults, args.tlparse, log, record, every, modes)
    with tempfile.TemporaryDirectory(prefix="tlparse-mutants-") as folder:
        fact_mutants.add(checks, args.tlparse, Path(folder), 1 if args.all else args.every, FACTS, replaced)
        return checks.list() if args.list else checks.run()


if __name__ == "__main__":
    sys.exit(main())

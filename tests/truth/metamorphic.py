#!/usr/bin/env python3
"""Check relations between the report of a log and that of the same log after a known change.

    metamorphic.py [--tlparse build/tlparse] [--cuts N] [--list] [NAME...]

  twice      a log, and itself as another process in the same file: every sum doubles, every compile has its own key
  mixed      the interleaved records of two processes: each process has the same facts as alone
  noise      empty and unrecognized lines between the records: only the counts of skipped lines change
  cut        the log ends after each of N lines, or within one: there is a report, its sums are those of its parts, `checks` is
             empty, and a finding says if the log ends within a compile
  rank       a log as three ranks of a job, one of which is cut: no cause says more than that this rank ends, or compiles less
  lack       a log as three ranks of a job, one of which lacks one recompile, so that its later ones have other numbers: that recompile is the only
             difference, and the report names it

Exit status 0 if all checks pass; the last line is the total.
"""
import argparse
import collections
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
import samples

RECORD = re.compile(rb"([VIWEC]\d{4} \d\d:\d\d:\d\d\.\d{6}) (\d+) ([^:]+:\d+\] )(\{.*)")
WHOLE = ["errors/*.log*", "graph_breaks/*.log*", "recompiles/*.log*", "resets/*.log*", "user_errors/*.log*", "train_eval/*.log*",
         "training/*.log*", "versions/torch26/*.log*"]
CUT = ["errors/*.log*", "recompiles/*.log*", "nested_breaks/default/*.log*", "versions/torch26/*.log*"]
RANKS = ["cache/cold/*.log*", "flows/*.log*", "graph_breaks/*.log*", "lazy_backward/*.log*", "recompiles/*.log*",
         "reset_order/*.log*", "resets/*.log*", "restarted/*.log*", "training/*.log*", "versions/torch26/*.log*", "versions/torch28/*.log*"]
LACK = ["../corpus/ddp_last_batch/*rank_1*", "../corpus/ddp_other_order/*rank_1*", "../corpus/limit_kinds/*.log*", "guard_reasons/*.log*",
        "recompiles/*.log*", "values/*.log*", "versions/torch26/*.log*"]
LESS = {"unfinished", "stopped", "backward"}
OTHER = 424242  # a process id that no log has
SUMS = ["compiles", "compiled", "graph_breaks", "failures", "restarts", "time_us", "forward_us", "backward_us", "restart_us"]


def report_of(tlparse, text):
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "x.log")
        log.write_bytes(text)
        done = subprocess.run([tlparse, log, "-o", f"{folder}/r", "--overwrite", "--no-browser"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        path = Path(folder, "r", "report.json")
        if done.returncode < 0 or not path.exists():
            raise AssertionError(f"exit status {done.returncode}, {'a' if path.exists() else 'no'} report: {done.stdout[-300:]!r}")
        return json.loads(path.read_text(encoding="utf-8"))


def records(text):
    """The records with their payloads, each as the bytes of its lines."""
    found = []
    for line in text.splitlines(keepends=True):
        if RECORD.match(line) or not found:
            found.append(line)
        else:
            found[-1] += line
    return found


def as_process(text, process):
    return b"".join(RECORD.sub(rb"\g<1> %d \g<3>\g<4>" % process, record, count=1) for record in records(text))


def bare(value, process=""):
    """Removes the process from keys and texts, as in the report of one process."""
    return json.loads(re.sub(rf"\b(?:{process}):(?=!?-|!?\d+/)", "", json.dumps(value))) if process else value


def facts(report, process=""):
    """What the report says about compiles, regardless of their position in the log; optionally for one process."""
    def own(key):
        return not process or key.startswith(f"{process}:")

    compiles = [{k: c.get(k) for k in ("key", "status", "forward_us", "backward_us", "restart_us", "runtime_us", "phases_us", "own_us", "frame",
                                       "graph", "guards", "recompile_reasons", "restarts", "failure", "backward_failure", "interrupted")} |
                {"artifacts": [(a["name"], a["bytes"]) for a in c["artifacts"]], "stages": [(s["stage"], s["state"], s["time_us"]) for s in c["stages"]]}
                for c in report["compiles"] if c["is_compile"] and own(c["key"])]
    breaks = sorted((str(b["place"]), b["reason"], b["id"], [c for c in b["compiles"] if own(c)]) for b in report["graph_breaks"])
    chains = [{k: v for k, v in chain.items() if k != "frame"} for chain in report["recompiles"] if own(chain["chain"][0])]
    return bare({"compiles": compiles, "breaks": [b for b in breaks if b[3]], "recompiles": chains}, process)


def said(report):
    """The findings, except for those about the log itself."""
    return [{k: f[k] for k in ("kind", "severity", "title", "why", "advice", "compiles", "time_us", "cost", "place")}
            for f in report["findings"] if f["kind"] != "log_fault"]


def difference(one, other, path=""):
    if isinstance(one, dict) and isinstance(other, dict):
        return next((d for key in sorted(one.keys() | other.keys()) if (d := difference(one.get(key), other.get(key), f"{path}.{key}"))), None)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)) and len(one) == len(other):
        return next((d for i, (a, b) in enumerate(zip(one, other, strict=True)) if (d := difference(a, b, f"{path}[{i}]"))), None)
    return None if one == other else f"{path}: {str(one)[:200]} and {str(other)[:200]}"


def process_of(text):
    return next(int(found[2]) for record in records(text) if (found := RECORD.match(record)))


def twice(tlparse, text, report):
    double = report_of(tlparse, text + as_process(text, OTHER))
    for name in SUMS:
        if double["totals"][name] != (None if report["totals"][name] is None else report["totals"][name] * (1 if name == "graph_breaks" else 2)):
            yield f"totals.{name} is {report['totals'][name]}, twice the log has {double['totals'][name]}"
    keys = [c["key"] for c in double["compiles"]]
    if len(set(keys)) != len(keys):
        yield f"keys are not unique: {[k for k, n in collections.Counter(keys).items() if n > 1][:3]}"
    if sum(b["count"] for b in double["graph_breaks"]) != 2 * sum(b["count"] for b in report["graph_breaks"]):
        yield "graph breaks are not counted twice"
    for process in (process_of(text), OTHER):
        if (found := difference(facts(report), facts(double, process))):
            yield f"process {process}{found}"
    if double["checks"]:
        yield f"checks: {double['checks'][:2]}"


def mixed(tlparse, text, report, other):
    first, second = records(text), records(as_process(other, OTHER))
    alone = report_of(tlparse, other)
    turns = [r for pair in zip(first, second, strict=False) for r in pair] + first[len(second):] + second[len(first):]
    both = report_of(tlparse, b"".join(turns))
    for process, wanted in ((process_of(text), report), (OTHER, alone)):
        if (found := difference(facts(wanted), facts(both, process))):
            yield f"process {process}{found}"
    if both["checks"]:
        yield f"checks: {both['checks'][:2]}"


def noise(tlparse, text, report):
    foreign = [b"\n", b"Traceback (most recent call last):\n", b"epoch 3: loss 0.25 \xff\xfe\n", b"\n\n"]
    found = report_of(tlparse, b"".join(r + foreign[n % 4] * (n % 3 == 0) for n, r in enumerate(records(text))))
    for name, of in (("facts", facts), ("findings", said)):
        if (wrong := difference(of(report), of(found))):
            yield f"{name}{wrong}"
    if found["totals"] | {"findings": 0} != report["totals"] | {"findings": 0}:
        yield "totals differ"
    if not found["log"]["counters"]["fail_glog"] or found["checks"]:
        yield f"{found['log']['counters']['fail_glog']} skipped lines, checks {found['checks'][:2]}"


def open_compiles(text):
    """Ids with a start but without metrics in the log."""
    ids = set()
    for record in records(text):
        found = RECORD.match(record)
        try:
            envelope = json.loads(found[4].split(b"\n")[0]) if found else {}
        except ValueError:
            continue
        key = envelope.get("compiled_autograd_id"), envelope.get("frame_id"), envelope.get("frame_compile_id")
        if "dynamo_start" in envelope:
            ids.add(key)
        if "compilation_metrics" in envelope:
            ids.discard(key)
    return ids


def cut(tlparse, text, at):
    part = text[:at]
    report = report_of(tlparse, part)
    if report["checks"]:
        yield f"checks: {report['checks'][:2]}"
    compiles = [c for c in report["compiles"] if c["is_compile"]]
    for name in ("time_us", "forward_us", "backward_us", "restart_us", "runtime_us"):
        parts = [c[name] for c in report["compiles"] if c[name] is not None]
        if name != "restart_us" and report["totals"][name] != (sum(parts) if parts else None):
            yield f"totals.{name} {report['totals'][name]}, its parts {sum(parts)}"
    if report["totals"]["statuses"] != {s: sum(c["status"] == s for c in compiles) for s in report["totals"]["statuses"]}:
        yield "statuses are not those of the compiles"
    if open_compiles(part) and not any(f["kind"] in ("unfinished", "missing_metrics") for f in report["findings"]):
        yield f"ends within {sorted(map(str, open_compiles(part)))[:2]}, findings {[f['kind'] for f in report['findings']]}"


def divergence_of(tlparse, texts):
    """The divergence of these logs as ranks, from their facts."""
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder, "logs")
        logs.mkdir()
        for rank, part in enumerate(texts):
            (logs / f"dedicated_log_torch_trace_rank_{rank}_abcdefgh.log").write_bytes(part)
        for command in (["facts", logs, "-o", f"{folder}/job.facts"], ["merge", f"{folder}/job.facts", "--full", "none", "-o", f"{folder}/r"]):
            done = subprocess.run([tlparse, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
            if done.returncode:
                raise AssertionError(f"{command[0]}: exit status {done.returncode}: {done.stdout[-300:]!r}")
        return json.loads(Path(folder, "r/report.json").read_text(encoding="utf-8"))["divergence"]


def cut_rank(tlparse, text, at):
    """Rank 2 of three that are otherwise the same ends here."""
    for cause in divergence_of(tlparse, (text, text, text[:at]))["root_causes"]:
        less = cause["kind"] in LESS or (cause["kind"] in ("extra_compile", "recompile") and cause["title"].startswith("rank 2 does not "))
        if not less or cause["ranks"] not in ([2], None):
            yield f"{cause['kind']}: {cause['title']}"


def without(text, frame, version):
    """The log if the version had not been compiled: later ones have lower numbers, and no reasons against it. Without events, whose ids are
    in payloads."""
    kept = []
    for record in records(text):
        found = RECORD.match(record)
        head, _, payload = record.partition(b"\n")
        envelope = json.loads(found[4]) if found else {}
        if "chromium_event" in envelope:
            continue
        if envelope.get("frame_id") == frame:
            number = envelope["frame_compile_id"]
            if number == version:
                continue
            lower = number - (number > version)
            head = head.replace(b'"frame_compile_id": %d,' % number, b'"frame_compile_id": %d,' % lower).replace(
                b'"compile_id": "%d/%d' % (frame, number), b'"compile_id": "%d/%d' % (frame, lower))
            if envelope.get("artifact", {}).get("name") == "recompile_reasons":
                payload, digest = fewer_reasons(payload, frame, version)
                head = head.replace(envelope["has_payload"].encode(), digest)
        kept.append(head + b"\n" + payload)
    return b"".join(kept)


def fewer_reasons(payload, frame, version):
    """The payload without the reason against the version, and its hash."""
    def renamed(reason):
        against = int(re.match(rf"{frame}/(\d+)", reason)[1])
        return None if against == version else re.sub(r"/\d+", f"/{against - (against > version)}", reason, count=1)

    text = "\n".join(line.removeprefix("\t") for line in payload.decode().splitlines())
    listed = json.loads(text) if text.startswith("[") else [text]
    text = json.dumps([reason for reason in map(renamed, listed) if reason])
    return b"\t" + text.encode() + b"\n", hashlib.md5(text.encode()).hexdigest().encode()


def lack(tlparse, text, chain, version):
    """Rank 2 of three lacks a version that the others have. Others with the same guard cannot be told from it."""
    key = chain["chain"][version]
    frame = int(key.split("/")[0])
    whole = b"".join(r for r in records(text) if b'{"chromium_event"' not in r)
    causes = divergence_of(tlparse, (whole, whole, without(text, frame, int(key.split("/")[1]))))["root_causes"]
    for cause in causes:
        if cause["kind"] != "recompile" or cause["ranks"] != [2] or cause["compile"] not in chain["chain"]:
            yield f"{cause['kind']} {cause['compile']}: {cause['title']}"
    if len(causes) != 1:
        yield f"{len(causes)} causes"


def cuts(text, count):
    """Ends of lines throughout the log; every third cut is within the line."""
    ends = [m.end() for m in re.finditer(rb"\n", text)]
    chosen = [ends[(n + 1) * len(ends) // (count + 1)] for n in range(count)]
    return [at - (7 if n % 3 == 2 else 0) for n, at in enumerate(chosen)]


def sample(tlparse, pattern):
    """(report, bytes) of the log that matches the pattern."""
    (log,) = samples.LOGS.glob(pattern)
    return samples.report(tlparse, log).json(), samples.read(log)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuts", type=int, default=50)
    args = samples.arguments(parser)
    tlparse, checks = args.tlparse, samples.Checks("metamorphic", args.names)
    logs = {pattern: sample(tlparse, pattern) for pattern in sorted({*WHOLE, *CUT})}
    for n, pattern in enumerate(WHOLE):
        report, text = logs[pattern]
        checks.add(f"twice {pattern}", twice, tlparse, text, report)
        checks.add(f"noise {pattern}", noise, tlparse, text, report)
        checks.add(f"mixed {pattern} {WHOLE[n - 1]}", mixed, tlparse, text, report, logs[WHOLE[n - 1]][1])
    for pattern in CUT:
        text = logs[pattern][1]
        for at in cuts(text, args.cuts):
            checks.add(f"cut {pattern} at byte {at} of {len(text)}", cut, tlparse, text, at)
    for pattern in RANKS:
        for log in sorted(samples.LOGS.glob(pattern)):
            text = samples.read(log)
            for at in cuts(text, max(args.cuts // 5, 1)):
                checks.add(f"rank {samples.title(log)} cut at byte {at} of {len(text)}", cut_rank, tlparse, text, at)
    for pattern in LACK:
        for log in sorted(samples.LOGS.glob(pattern)):
            text, report = samples.read(log), samples.report(tlparse, log).json()
            known = {c["key"] for c in report["compiles"] if c["status"] != "missing"}  # at the limit, only the reasons are logged
            for chain in report["recompiles"]:
                for version in (v for v, key in enumerate(chain["chain"]) if v and key in known):
                    checks.add(f"lack {samples.title(log)} {chain['chain'][version]}", lack, tlparse, text, chain, version)
    return checks.list() if args.list else checks.run(show=3)


if __name__ == "__main__":
    sys.exit(main())

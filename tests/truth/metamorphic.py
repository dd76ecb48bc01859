#!/usr/bin/env python3
"""Check relations between the report of a log and that of the same log after a known change.

    metamorphic.py [--tlparse build/tlparse] [--cuts N] [--list] [NAME...]

  twice      a log, and itself as another process in the same file: every sum doubles, every compile has its own key
  mixed      the interleaved records of two processes: each process has the same facts as alone
  noise      empty and unrecognized lines between the records: only the counts of skipped lines change
  cut        the log ends after each of N lines, or within one: there is a report, its sums are those of its parts, `checks` is
             empty, and a finding says if the log ends within a compile
  rank       a log as three ranks of a job, one of which is cut: no cause says more than that this rank ends, or compiles less

Exit status 0 if all checks pass; the last line is the total.
"""
import argparse
import collections
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


def cut_rank(tlparse, text, at):
    """Rank 2 of three that are otherwise the same ends here."""
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder, "logs")
        logs.mkdir()
        for rank, part in enumerate((text, text, text[:at])):
            (logs / f"dedicated_log_torch_trace_rank_{rank}_abcdefgh.log").write_bytes(part)
        for command in (["facts", logs, "-o", f"{folder}/job.facts"], ["merge", f"{folder}/job.facts", "--full", "none", "-o", f"{folder}/r"]):
            done = subprocess.run([tlparse, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
            if done.returncode:
                raise AssertionError(f"{command[0]}: exit status {done.returncode}: {done.stdout[-300:]!r}")
        report = json.loads(Path(folder, "r/report.json").read_text(encoding="utf-8"))
    for cause in report["divergence"]["root_causes"]:
        less = cause["kind"] in LESS or (cause["kind"] in ("extra_compile", "recompile") and cause["title"].startswith("rank 2 does not "))
        if not less or cause["ranks"] not in ([2], None):
            yield f"{cause['kind']}: {cause['title']}"


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
    return checks.list() if args.list else checks.run(show=3)


if __name__ == "__main__":
    sys.exit(main())

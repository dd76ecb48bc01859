#!/usr/bin/env python3
"""Check what report.json claims about times, outcomes, values and unfinished spans against the log, which this script reads independently.

    report_truth.py [--tlparse build/tlparse] [--list] [LOG...]

  compiles    one for each compilation_metrics except those of backwards, by id (an id is reused after a reset)
  time        totals.time_us is the sum over all of them and their backwards, and so is the sum of compiles[].time_us
  restarts    totals.restart_us is the sum of dynamo_time_before_restart_s over compiles that restarted and did not fail
  values      if a reason says "X == old" and the new compile's guard tree "X == new", the step's reason has "has": "new"
  unfinished  spans without an end event are listed, and there is a finding
  run         it lasts from the first record or event to the last; the events tell the time zone of the records

A LOG is named by its path in tests/data/logs, or in tests/data for the corpus (--list prints them); without one, every log is checked, and some must have values,
restarts and unfinished spans. Exit status 0 if all checks pass; the last line is the total.
"""
import argparse
import collections
import datetime
import json
import re
import sys

import samples
from report_facts import RECORD, compile_id, records

LOCAL = re.compile(r"\b[LG]\['(\w+)'\]")
EQUAL = re.compile(r"^(.+?) == (.+?)(?:\s+\(HINT: .*\))?(?:\s{2,}#.*|\s+# .*)?$")  # PyTorch 2.8 writes hints, 2.9 and later comments
COMPUTED = re.compile(r"___as_tensor\(|\.item\(\)|\.(?:size|stride)\(\)\[")  # read when the guard is evaluated: no value in the log
GUARD = re.compile(r"[-+|\s]*\b(?:EQUALS_MATCH|TRUE_MATCH|FALSE_MATCH|CONSTANT_MATCH|LENGTH_CHECK|SEQUENCE_LENGTH|LAMBDA_GUARD|BOOL_MATCH|FLOAT_IS_NAN|DICT_LENGTH)\w*: (.+)$")
TENSOR = re.compile(r"[-+|\s]*TENSOR_MATCH: check_tensor\((.+?), .*?requires_grad=(True|False)")
GRADIENT = re.compile(r"tensor '(.+?)' requires_grad mismatch. expected requires_grad=([01])")
STAMP = re.compile(rb"[VIWEC](\d\d)(\d\d) (\d\d):(\d\d):(\d\d\.\d{6}) \d+ [^:]+:\d+\] (\{.*)")
TS = re.compile(rb'"ts": ([\d.]+)')
ENTRY = re.compile(r"^(?:!?\d+/)*\d+/\d+: ")


def plain(expression):
    """L['self'].scale -> self.scale"""
    return LOCAL.sub(r"\1", expression).replace(" ", "")


def equality(guard):
    """(expression, value) if the guard compares an expression with a constant, otherwise None."""
    equal = EQUAL.match(guard.strip())
    return (plain(equal[1]), equal[2].strip()) if equal and not COMPUTED.search(equal[2]) else None


def reason_value(reason):
    """The earlier value in a recompile reason: (expression, value), or None."""
    return equality(ENTRY.sub("", reason.strip().splitlines()[0])) if reason.strip() else None


def equalities(tree):
    """The values in a guard tree by expression; the first guard on each wins."""
    found = {}
    for line in tree.splitlines():
        guard = GUARD.match(line)
        equal = equality(guard[1]) if guard else None
        if equal:
            found.setdefault(*equal)
        tensor = TENSOR.match(line)
        if tensor:
            found.setdefault(plain(tensor[1]) + ".requires_grad", tensor[2])
    return found


def parses(text):
    try:
        json.loads(text)
        return True
    except ValueError:
        return False


def run_times(path):
    """(first, last) of the records and events of the log's first rank in seconds since the epoch; None without events."""
    stamps, events, rank = [], [], None
    for line in samples.plain(path).read_bytes().split(b"\n"):
        found = STAMP.match(line)
        if found and parses(found[6]):
            envelope = json.loads(found[6])
            rank = envelope.get("rank") if rank is None else rank
            if envelope.get("rank", rank) == rank and "str" not in envelope:
                stamps.append([*map(float, found.groups()[:5])])
                events.append("chromium_event" in envelope and [len(stamps) - 1])
        elif events and events[-1] and line.startswith(b"\t"):
            events[-1] += [float(ts) / 1e6 for ts in TS.findall(line)]
    events = [e for e in events if e and len(e) == 2]
    if not events:
        return None
    at, first = events[0]
    year = datetime.datetime.fromtimestamp(first, datetime.UTC).year
    utc = [datetime.datetime(year, int(mo), int(d), int(h), int(mi), tzinfo=datetime.UTC).timestamp() + s for mo, d, h, mi, s in stamps]
    zone = round((utc[at] - first) / 900) * 900
    times = [t - zone for t in utc] + [t for _, t in events]
    return min(times), max(times)


def expected(path):
    facts = dict(compiles=collections.Counter(), time=0, restarts=0, values=[], open=[])
    guards, reasons, generation = {}, [], collections.Counter()
    spans, lost = collections.defaultdict(list), False
    for envelope, payload in records(path):
        cid = compile_id(envelope)
        for key in ("compilation_metrics", "bwd_compilation_metrics"):
            if key in envelope:
                m = envelope[key]
                time = m.get("duration_us")
                if time is None and m.get("start_time_us") and m.get("end_time_us"):
                    time = m["end_time_us"] - m["start_time_us"]
                if time is None and m.get("entire_frame_compile_time_s"):
                    time = 1e6 * m["entire_frame_compile_time_s"]
                if time is None:
                    time = m.get("dynamo_cumulative_compile_time_us" if key == "compilation_metrics" else "backward_cumulative_compile_time_us")
                facts["time"] += time or 0
                if key == "compilation_metrics" and m.get("is_forward") is not False:
                    facts["compiles"][cid] += 1
                    generation[cid] += 1
                    if m.get("restart_reasons") and not m.get("fail_type"):
                        facts["restarts"] += 1e6 * (m.get("dynamo_time_before_restart_s") or 0)
        if "dynamo_cpp_guards_str" in envelope:
            guards[cid, generation[cid]] = equalities(payload)
        if "artifact" in envelope and envelope["artifact"].get("name") == "recompile_reasons":
            try:
                value = json.loads(payload)
            except ValueError:
                value = payload
            for reason in value if isinstance(value, list) else [value]:
                reasons.append((cid, generation[cid], str(reason)))
        if "chromium_event" in envelope:
            try:
                event = json.loads(payload)
            except ValueError:
                lost = True
                continue
            key = event.get("pid"), event.get("tid")
            if event.get("ph") == "B":
                spans[key].append(event.get("name"))
            elif event.get("ph") == "E":
                if event.get("name") in spans[key]:
                    while spans[key].pop() != event.get("name"):
                        pass
    # if an event was lost, it may be the end event
    lost = lost or any(RECORD.search(line) and not parses(RECORD.search(line)[1]) for line in samples.plain(path).read_bytes().split(b"\n")[:-2])
    facts["open"] = [] if lost else [name for stack in spans.values() for name in stack]
    for cid, n, reason in reasons:
        gradient = GRADIENT.search(reason)
        if gradient:
            new = guards.get((cid, n), {}).get(plain(gradient[1]) + ".requires_grad")
            if new is not None and str(int(new == "True")) != gradient[2]:
                facts["values"].append((cid, plain(gradient[1]), gradient[2], new))
        equal = reason_value(reason)
        if not equal:
            continue
        new = guards.get((cid, n), {}).get(equal[0])
        if new is not None and new != equal[1]:
            facts["values"].append((cid, *equal, new))
    return facts


def near(a, b, part):
    a = 0 if a is None and not b else a
    return isinstance(a, (int, float)) and abs(a - b) <= max(1000, part * abs(b))


def bare(value):
    return {"0": "False", "1": "True"}.get(str(value), str(value).strip("'\"")) if value is not None else None


def faults(report, facts):
    got = collections.Counter(c["id"] for c in report["compiles"] if c.get("status") != "missing")
    if got != facts["compiles"]:
        different = {k: (got[k], facts["compiles"][k]) for k in got | facts["compiles"] if got[k] != facts["compiles"][k]}
        yield f"compiles by id (report, log): {dict(list(different.items())[:5])}"
    total = report["totals"].get("time_us")
    if not near(total, facts["time"], 0.001):
        yield f"totals.time_us {total}, the log's metrics sum to {facts['time']}"
    parts = sum(c.get("time_us") or 0 for c in report["compiles"])
    if not near(parts, facts["time"], 0.001):
        yield f"compiles' time_us sum to {parts}, the log's metrics to {facts['time']}"
    if not near(report["totals"].get("restart_us"), facts["restarts"], 0.01):
        yield f"totals.restart_us {report['totals'].get('restart_us')}, the log has {facts['restarts']:.0f}"
    steps = collections.defaultdict(list)
    for chain in report["recompiles"]:
        for step in chain["steps"]:
            for reason in step["reasons"]:
                steps[step["compile"].split("#")[0].split(":")[-1]].append((plain(reason.get("source") or ""), bare(reason.get("had")), bare(reason.get("has"))))
    for cid, source, had, new in facts["values"]:
        if not any(has == bare(new) for _, old, has in steps[cid] if old == bare(had)):
            yield f"recompile {cid}: {source} was {had} and is {new} in the new guards; the report has {[s for s in steps[cid] if s[1] == bare(had)][:2]}"
    if facts["open"]:
        names = [u.get("name") for u in report.get("unfinished") or []]
        missing = [n for n in facts["open"] if n not in names]
        if missing:
            yield f"spans without an end: {facts['open'][-3:]}, the report's unfinished: {names[:3]}"
        if not any(f["kind"] == "unfinished" for f in report["findings"]):
            yield "the log ends within a compile, but there is no finding of kind unfinished"


def run_faults(run, log):
    """The run's start and duration against those of the log's records and events."""
    times = run_times(log)
    if times is None:
        return
    SEEN["runs"] += 1
    started = datetime.datetime.fromisoformat(run["started"].replace("Z", "+00:00")).timestamp() if run["started"] else 0
    if not 0 <= times[0] - started < 1.01:
        yield f"the run starts at {run['started']}, the first record or event is {times[0] - started:.2f} s later"
    if abs(run["duration_us"] / 1e6 - (times[1] - times[0])) > 0.01:
        yield f"the run lasts {run['duration_us'] / 1e6} s, the log {times[1] - times[0]:.6f} s"


FORMS = [
    ("0/0: L['n'] == 3", ("n", "3")),
    ("1/2: L['self'].scale == 2.5  # return x * self.scale  # model.py:7 in forward", ("self.scale", "2.5")),
    ("0/0: L['n'] == 3  (HINT: mark it dynamic)", ("n", "3")),
    ("0/0: L['n'] == 3  (HINT: mark it dynamic)  # return n", ("n", "3")),
    ("L['s'] == ___as_tensor(L['s']).item()", None),
    ("0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5", None),
    ("", None),
]
SEEN = collections.Counter()  # logs with something to check, by kind of check


def check(tlparse, log):
    facts = expected(log)
    for name in ("values", "restarts", "open"):
        SEEN[name] += bool(facts[name])
    report = samples.report(tlparse, log).json()
    return [*faults(report, facts), *run_faults(report["run"], log)]


def self_checks():
    """Parses the forms in which PyTorch writes a value."""
    for reason, wanted in FORMS:
        if reason_value(reason) != wanted:
            yield f"{reason!r} is read as {reason_value(reason)}, not {wanted}"
    tree = equalities("| +- LAMBDA_GUARD: L['s'] == ___as_tensor(L['s']).item()  # if s > 2\n| +- EQUALS_MATCH: L['n'] == 3  # return n")
    if tree != {"n": "3"}:
        yield f"the guards of a tree are read as {tree}"


def covered():
    for name in ("values", "restarts", "open", "runs"):
        if not SEEN[name]:
            yield f"no log has {name}: nothing of that kind was checked"


def main():
    args = samples.arguments(argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter))
    checks = samples.Checks("truth", args.names)
    checks.add("forms", self_checks)
    for log in samples.logs() + samples.corpus() + samples.foreign():
        checks.add(samples.title(log), check, args.tlparse, log)
    if args.list:
        return checks.list()
    return checks.run(last=("every kind of fact occurs", covered))


if __name__ == "__main__":
    sys.exit(main())

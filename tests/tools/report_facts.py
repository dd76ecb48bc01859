#!/usr/bin/env python3
"""Check the facts in report.json against the log, which this script reads independently.

    report_facts.py [--tlparse build/tlparse] [--list] [LOG...]

Compiles and their status, recompile reasons, graph breaks by location, failures, cache results, records by kind, and the version
of PyTorch. A LOG is named by its path in tests/data/logs, or in tests/data for the corpus (--list prints them); without one, every log is checked. Exit status
0 if all checks pass; the last line is the total.
"""
import argparse
import collections
import json
import re
import sys

import samples

RECORD = re.compile(rb"[VIWEC]\d{4} \d\d:\d\d:\d\d\.\d{6} \d+ [^:]+:\d+\] (\{.*)")
PLACE = re.compile(r"[Gg]raph break in user code at (.+?):(\d+)\s*$", re.M)


def records(path):
    """(envelope, payload) of each well-formed record of the log's first rank."""
    current, payload, rank = None, [], None
    for line in samples.plain(path).read_bytes().split(b"\n"):
        if line.startswith(b"\t") and current is not None and "has_payload" in current:
            payload.append(line[1:])
            continue
        if not line:
            continue
        if current is not None:
            yield current, b"\n".join(payload).decode("utf-8", "replace")
        current, payload = None, []
        found = RECORD.search(line)
        if found:
            try:
                envelope = json.loads(found[1])
            except ValueError:
                continue
            if "rank" in envelope:
                rank = envelope["rank"] if rank is None else rank
                if envelope["rank"] != rank:
                    continue
            current = envelope
    if current is not None:
        yield current, b"\n".join(payload).decode("utf-8", "replace")


def compile_id(envelope):
    def part(key):
        return "-" if envelope.get(key) is None else str(envelope[key])

    autograd = envelope.get("compiled_autograd_id")
    return ("" if autograd is None else f"!{autograd}/") + part("frame_id") + "/" + part("frame_compile_id")


def expected(path):
    facts = dict(kinds=collections.Counter(), metrics=collections.defaultdict(list), ids=[], reasons={}, breaks=collections.Counter(),
                 caches=collections.Counter(), failures=collections.Counter(), torch=None)
    for envelope, payload in records(path):
        keys = [k for k in envelope if k not in ("rank", "compiled_autograd_id", "frame_id", "frame_compile_id", "attempt", "has_payload", "stack", "subgraph_name")]
        if not keys:
            continue
        key, cid = keys[0], compile_id(envelope)
        if key == "str":
            continue
        facts["kinds"][key] += 1
        if key in ("dynamo_start", "compilation_metrics") and envelope.get("frame_id") is not None and cid not in facts["ids"]:
            facts["ids"].append(cid)
        if key == "bwd_compilation_metrics" and envelope[key].get("is_forward", False) is None and envelope[key].get("fail_type"):
            facts["failures"][envelope[key]["fail_type"]] += 1  # PyTorch 2.6, for a compile that the recompile limit refused: not a backward
        if key == "compilation_metrics":
            facts["metrics"][cid].append(envelope[key])
            if envelope[key].get("fail_type"):
                facts["failures"][envelope[key]["fail_type"]] += 1
        if key == "artifact":
            name = envelope[key].get("name", "")
            if name == "dynamo_graph_break_reason":
                place = PLACE.search(payload)
                facts["breaks"][(place[1], int(place[2])) if place else None] += 1
            if name == "recompile_reasons":
                try:
                    value = json.loads(payload)
                except ValueError:
                    value = payload
                facts["reasons"].setdefault(cid, []).extend(value if isinstance(value, list) else [value])
            if name == "torch_version":
                facts["torch"] = payload
            cache = re.fullmatch(r"(fx_graph|aotautograd)_cache_(hit|miss|bypass)", name)
            if cache:
                facts["caches"][cache[1], cache[2]] += 1
    return facts


def status(metrics):
    if not metrics:
        return "missing"
    if any(m.get("fail_type") for m in metrics):
        return "error"
    if any(not m.get("graph_op_count") for m in metrics):
        return "empty"
    return "restart" if any(m.get("restart_reasons") for m in metrics) else "ok"


def faults(report, facts):
    compiles = {}
    for c in report["compiles"]:
        compiles.setdefault(c["id"], []).append(c)
    generations = any("generation" in c for c in report["compiles"])
    framed = [cid for cid in compiles if cid in facts["ids"]]
    if framed != facts["ids"]:
        yield f"compiles are {framed[:6]}…, the log has {facts['ids'][:6]}…"
    for cid in facts["ids"]:
        metrics = [m for m in facts["metrics"].get(cid, []) if m.get("is_forward") is not False]
        got = [c.get("status") for c in compiles.get(cid, [])]
        want = [status([m]) for m in metrics] if generations else [status(facts["metrics"].get(cid))]
        if got != want and got != want + ["missing"]:
            yield f"status of {cid} is {got}, the log says {want}"
    for cid, reasons in facts["reasons"].items():
        got = [r for c in compiles.get(cid, []) for r in c.get("recompile_reasons", [])]
        if [r.strip() for r in got] != [r.strip() for r in reasons]:
            yield f"recompile reasons of {cid}: {str(got)[:80]}, the log has {str(reasons)[:80]}"
    chained = {key.split("#")[0].split(":")[-1] for r in report["recompiles"] for key in r["chain"]}
    if set(facts["reasons"]) - chained:
        yield f"recompiled, but in no chain: {sorted(set(facts['reasons']) - chained)[:5]}"
    got = collections.Counter()
    for b in report["graph_breaks"]:
        place = b.get("place") or {}
        got[(place["file"], place["line"]) if place.get("file") else None] += b["count"]
    if got != facts["breaks"]:
        yield f"graph breaks by place: {dict(got)}, the log has {dict(facts['breaks'])}"
    failures = collections.Counter(f["type"] for f in report["failures"])
    if failures != facts["failures"]:
        yield f"failures {dict(failures)}, the log has {dict(facts['failures'])}"
    for (cache, result), n in facts["caches"].items():
        if report["caches"].get(cache, {}).get(result, 0) != n:
            yield f"{cache} cache {result}: {report['caches'].get(cache, {}).get(result)}, the log has {n}"
    kinds = collections.Counter()
    for kind in report["log"]["kinds"]:
        kinds[kind["key"]] += kind["records"]
    kinds.pop("str", None)
    if kinds != facts["kinds"]:
        different = [k for k in kinds | facts["kinds"] if kinds[k] != facts["kinds"][k]]
        yield f"records by kind differ: {[(k, kinds[k], facts['kinds'][k]) for k in different[:4]]}"
    if facts["torch"] and str(report["run"].get("torch") or "") not in facts["torch"]:
        yield f"torch is {report['run'].get('torch')}, the log says {facts['torch'][:60]}"
    where = [f for f in report["findings"] if f["kind"] == "error" or f["severity"] == "error"]
    if facts["failures"] and not where:
        yield "failures in the log, but no error finding"


def check(tlparse, log):
    return faults(samples.report(tlparse, log).json(), expected(log))


def main():
    args = samples.arguments(argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter))
    checks = samples.Checks("facts", args.names)
    for log in samples.logs() + samples.corpus() + samples.foreign():
        checks.add(samples.title(log), check, args.tlparse, log)
    return checks.list() if args.list else checks.run()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Check the report.json of every log of tests/data/logs against doc/report.schema.json.

    check.py [--tlparse build/tlparse] [--list] [LOG...]

The schema lets readers meet members that it does not know; here every member has to be described. What the schema cannot say is
checked too: indices, ids, and texts that are in their streams. Needs jsonschema (Debian: python3-jsonschema). Exit status 0 when
all hold; the last line is the total.
"""
import argparse
import json
import sys
from pathlib import Path

import jsonschema

TOP = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests/tools"))
import samples  # noqa: E402


def check_totals(report):
    """Sums over the compiles; those of several ranks are sums over the ranks."""
    totals, compiles = report["totals"], [c for c in report["compiles"] if c["is_compile"]]
    if totals["compiled"] != totals["statuses"]["ok"] + totals["statuses"]["restart"]:
        yield "totals.compiled is not ok and restart"
    if sum(totals["statuses"].values()) != totals["compiles"]:
        yield "totals.statuses do not sum to totals.compiles"
    if report["kind"] != "run":
        return
    if totals["compiles"] != len(compiles):
        yield "totals.compiles is not the number of compiles"
    for member in ("time_us", "forward_us", "backward_us", "runtime_us", "restart_us"):
        if (totals[member] or 0) != sum(c[member] or 0 for c in report["compiles"]):
            yield f"totals.{member} is not the sum over the compiles"
    own = {}
    for compile in report["compiles"]:
        for phase, us in compile["own_us"].items():
            own[phase] = own.get(phase, 0) + us
        if sum(compile["own_us"].values()) < (compile["time_us"] or 0):
            yield f"compile {compile['key']}: own_us says less than time_us"
    if own != totals["own_us"]:
        yield "totals.own_us is not the sum over the compiles"


def cross_checks(report, folder):
    """What a schema cannot say."""
    keys = [c["key"] for c in report["compiles"]]
    if len(set(keys)) != len(keys):
        yield "two compiles have one key"
    several = len({(c["process"], c.get("process_nth")) for c in report["compiles"] if c["is_compile"]}) > 1
    for compile in report["compiles"]:
        name = f"compile {compile['key']}"
        generation = f"#{compile['generation']}" if compile["generation"] > 1 else ""
        process = ".".join(str(compile[member]) for member in ("process", "process_nth") if member in compile)
        if compile["key"] != (f"{process}:" if several else "") + compile["id"] + generation:
            yield f"{name}: the key is not that of {compile['process']}, {compile['id']}, {compile['generation']}"
        times = [compile["forward_us"], compile["backward_us"]]
        if sum(filter(None, times)) != (compile["time_us"] or 0) or (times == [None, None]) != (compile["time_us"] is None):
            yield f"{name}: time_us is not the sum of forward and backward"
        if not compile["is_compile"] and (compile["metrics"] or compile["status"] != "missing" or (compile["forward_us"] is not None and not (compile["failure"] or {}).get("refused"))):
            yield f"{name}: has metrics, and is no compile"
        if compile["stack"] is not None and compile["stack"] >= len(report["stacks"]):
            yield f"{name}: there is no stack {compile['stack']}"
        if any(n >= len(report["graph_breaks"]) for n in compile["graph_breaks"]):
            yield f"{name}: there is no such graph break"
        if compile["artifact_count"] != len(compile["artifacts"]):
            yield f"{name}: artifact_count is not the number of artifacts"
        for artifact in compile["artifacts"]:
            urls = [artifact["readable_url"]] + ([artifact["url"]] if artifact["kind"] != "link" else [])
            for url in filter(None, urls):
                if not (folder / url).is_file():
                    yield f"{name}: there is no file {url}"
            if artifact["dir"] not in compile["dirs"]:
                yield f"{name}: {artifact['name']} lies in a folder of another compile"
        for stage in compile["stages"]:
            if any(n >= len(compile["artifacts"]) for n in stage["artifacts"]):
                yield f"{name}: {stage['stage']} names an artifact that is not there"
        shapes = compile.get("shapes", {"symbols": [], "specializations": [], "guards": []})
        for kind, count in compile.get("shape_counts", {}).items():
            if len(shapes[kind]) > count:
                yield f"{name}: more {kind} than shape_counts says"
        for fact in shapes["symbols"] + shapes["specializations"] + shapes["guards"]:
            if any(fact[key] is not None and fact[key] >= len(report["shape_stacks"]) for key in ("user_stack", "stack")):
                yield f"{name}: a symbol names a stack that is not there"
    for part in ("stacks", "shape_stacks"):
        for i, node in enumerate(report[part]):
            if node["parent"] >= i:
                yield f"{part}: {i} stands before its parent"
    numbers = sorted(a["number"] for c in report["compiles"] for a in c["artifacts"] if a["number"] is not None)
    if len(set(numbers)) != len(numbers):
        yield "two artifacts have one number"
    for part in ("graph_breaks", "findings"):
        for i, item in enumerate(report[part]):
            if len(set(item["compiles"])) != len(item["compiles"]):
                yield f"{part}[{i}] names a compile twice"
    named = [key for part in ("graph_breaks", "findings", "stacks") for item in report[part] for key in item["compiles"]]
    named += [key for chain in report["recompiles"] for key in chain["chain"]]
    named += [item["compile"] for part in ("failures", "backward_failures") for item in report[part]]
    named += [item["id"] for item in report["log"]["by_compile"]]
    named += [item["compile"] for item in report["checks"] if item["compile"] is not None]
    for key in sorted(set(named) - set(keys)):
        yield f"{key} is named, and is no compile of the report"
    yield from check_totals(report)
    artifacts = {c["key"]: c["artifacts"] for c in report["compiles"]}
    for group in report["unattributed"]:
        for artifact in group["artifacts"]:
            listed = artifacts.get(artifact["compile"], [])
            if artifact["index"] >= len(listed) or listed[artifact["index"]]["line"] != artifact["line"]:
                yield f"unattributed: {artifact['name']} is not artifact {artifact['index']} of {artifact['compile']}"
    for rank in report.get("ranks", []):
        for member in rank.get("members", []):
            if member["readable"] and not (folder / member["dir"] / "report.json").is_file():
                yield f"{rank['dir']}: there is no report in {member['dir']}"
        if rank["dir"] and rank["status"] != "bad" and not (folder / rank["dir"] / "report.json").is_file():
            yield f"there is no report of {rank['dir']}"


def faults_of(validator, out):
    for path in sorted(out.rglob("report.json")):
        report = json.loads(path.read_text(encoding="utf-8"))
        where = path.relative_to(out)
        for error in sorted(validator.iter_errors(report), key=lambda e: list(map(str, e.absolute_path)))[:5]:
            yield f"{where}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}"
        for fault in cross_checks(report, path.parent):
            yield f"{where}: {fault}"


def check(tlparse, validator, *sources):
    report = samples.report(tlparse, list(sources))
    if report.status:
        return [f"exit status {report.status}: {report.stderr[-300:]}"]
    if not (report.out / "report.json").is_file():
        return ["there is no report.json"]
    return faults_of(validator, report.out)


def extended(schema):
    """The definitions that other objects build upon."""
    if isinstance(schema, list):
        return set().union(*map(extended, schema))
    if not isinstance(schema, dict):
        return set()
    own = {schema["$ref"]} if "$ref" in schema and "properties" in schema else set()
    return own.union(*map(extended, schema.values()))


def closed(schema, bases=(), path="#"):
    """The same schema without room for unknown members. Readers must take those (a later version may add some), but what this
    version writes has to be described."""
    if isinstance(schema, list):
        return [closed(item, bases, path) for item in schema]
    if not isinstance(schema, dict):
        return schema
    here = {key: closed(value, bases, f"{path}/{key}") for key, value in schema.items()}
    if isinstance(here.get("properties"), dict) and ("type" in here or "$ref" in here) and path not in bases:
        here.setdefault("additionalProperties", False)
    return here


def is_open(schema):
    """Whether unknown members are allowed wherever there are known ones."""
    if isinstance(schema, list):
        return all(map(is_open, schema))
    if not isinstance(schema, dict):
        return True
    return not (isinstance(schema.get("properties"), dict) and schema.get("additionalProperties", True) is False) \
        and all(map(is_open, schema.values()))


def main():
    args = samples.arguments(argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter))
    schema = json.loads((TOP / "doc/report.schema.json").read_text(encoding="utf-8"))
    validator_class = jsonschema.validators.validator_for(schema)
    validator_class.check_schema(schema)
    validator = validator_class(closed(schema, extended(schema)))
    checks = samples.Checks("schema", args.names)
    checks.add("open", lambda: [] if is_open(schema) else ["doc/report.schema.json refuses members that it does not know"])
    checks.add("closed", lambda: [] if not is_open(closed(schema, extended(schema))) else ["no object of the schema has been closed"])
    for source in samples.logs(empty=True) + samples.folders():
        checks.add(samples.title(source), check, args.tlparse, validator, source)
    checks.add("two jobs", check, args.tlparse, validator, samples.LOGS / "ranks2_sizes", samples.LOGS / "ranks4_desync")
    return checks.list() if args.list else checks.run()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Run tlparse over the logs of tests/data/logs and check every report.json against doc/report.schema.json.

The schema lets readers meet members that it does not know; here every member has to be described. Needs jsonschema (Debian: python3-jsonschema); without it there is nothing to check, and a word about it. The program is
$TLPARSE, or build/tlparse. Whatever the schema says of members that depend on each other is checked besides: indices,
ids, texts that lie in their streams. The last line is `N passed, N failed`; exit status 1 when anything failed.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
TLPARSE = os.path.abspath(os.environ.get("TLPARSE", TOP / "build/tlparse"))
LOGS = TOP / "tests/data/logs"

try:
    import jsonschema
except ImportError:
    print("skip: jsonschema is not there (apt install python3-jsonschema)\n0 passed, 0 failed, 1 skipped")
    sys.exit(0)


def cross_checks(report, folder):
    """What a schema cannot say."""
    ids = [c["id"] for c in report["compiles"]]
    if len(set(ids)) != len(ids):
        yield "two compiles have one id"
    for compile in report["compiles"]:
        name = f"compile {compile['id']}"
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
            if not set(item["compiles"]) <= set(ids):
                yield f"{part}[{i}] names a compile that is not there"
    for rank in report.get("ranks", []):
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


def check(validator, source):
    with tempfile.TemporaryDirectory() as work:
        out = Path(work) / "out"
        done = subprocess.run([TLPARSE, source, "-o", out, "--no-browser"], stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode:
            return [f"exit status {done.returncode}: {done.stderr.decode('utf-8', 'replace')[-300:]}"]
        if not (out / "report.json").is_file():
            return ["there is no report.json"]
        return list(faults_of(validator, out))


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
    schema = json.loads((TOP / "doc/report.schema.json").read_text(encoding="utf-8"))
    validator_class = jsonschema.validators.validator_for(schema)
    validator_class.check_schema(schema)
    validator = validator_class(closed(schema, extended(schema)))
    logs = sorted(p for p in LOGS.rglob("*") if p.is_file() and ".log" in p.name)
    folders = sorted({p.parent for p in logs if len(list(p.parent.glob("*.log*"))) > 1})
    passed, failed = int(is_open(schema)), int(not is_open(schema))
    if failed:
        print("FAIL doc/report.schema.json: it refuses members that it does not know")
    for source in logs + folders:
        faults = check(validator, source)
        passed, failed = passed + (not faults), failed + bool(faults)
        for fault in faults[:8]:
            print(f"FAIL {source.relative_to(LOGS)}: {fault}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

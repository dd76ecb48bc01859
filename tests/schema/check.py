#!/usr/bin/env python3
"""Compare what tlparse writes for every log of tests/data/logs with the schemas of doc/, in both directions.

    check.py [--tlparse build/tlparse] [--list] [LOG...]

- Every member of every report.json, and of the data of every page, is described, also of reports that are merged from facts. Readers
  must accept unknown members, but here they are errors.
- Every described member occurs for at least one log, or is listed in rare.json with a reason.
- Conditions that a schema cannot express hold: indices, ids, sums, existing files. The page's data equals report.json.

Exit status 0 if all checks pass; the last line is the total.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests/tools"))
import page_data  # noqa: E402
import samples  # noqa: E402
import schemas  # noqa: E402
import validate  # noqa: E402

ANSWERS = """
import json
for answer in (
    {"column": "C", "compile": "0/0", "value": 1}, {"column": "C", "compile": "1/0", "value": "x"}, {"section": "S", "text": "t"},
    {"section": "S", "columns": ["a"], "rows": [[1], ["b"]]}, {"finding": "F", "severity": "info"},
    {"finding": "G", "severity": "error", "message": "m", "advice": "a", "compile": "0/0", "place": {"file": "f", "line": 1}},
    {"link": "https://h/", "title": "L", "compile": "0/0"}, {"link": "https://h/"}, {"file": "a", "text": "x", "compile": "0/0"}, {},
):
    print(json.dumps(answer))
"""
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def check_totals(report):
    """Checks sums over the compiles; for several ranks, over the ranks."""
    totals, compiles = report["totals"], [c for c in report["compiles"] if c["is_compile"]]
    if totals["compiled"] != totals["statuses"]["ok"] + totals["statuses"]["restart"]:
        yield "totals.compiled is not ok plus restart"
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
            yield f"compile {compile['key']}: own_us sums to less than time_us"
        if sum(compile["by_phase_us"].values()) != sum(compile["own_us"].values()):
            yield f"compile {compile['key']}: by_phase_us and own_us have different sums"
    if sum(totals["by_phase_us"].values()) != sum(totals["own_us"].values()):
        yield "totals: by_phase_us and own_us have different sums"
    if own != totals["own_us"]:
        yield "totals.own_us is not the sum over the compiles"


def cross_checks(report, folder):
    """Checks what a schema cannot express."""
    keys = [c["key"] for c in report["compiles"]]
    if len(set(keys)) != len(keys):
        yield "two compiles have the same key"
    several = len({(c["process"], c.get("process_nth")) for c in report["compiles"] if c["is_compile"]}) > 1
    for compile in report["compiles"]:
        name = f"compile {compile['key']}"
        generation = f"#{compile['generation']}" if compile["generation"] > 1 else ""
        process = ".".join(str(compile[member]) for member in ("process", "process_nth") if member in compile)
        if compile["key"] != (f"{process}:" if several else "") + compile["id"] + generation:
            yield f"{name}: the key does not match {compile['process']}, {compile['id']}, {compile['generation']}"
        times = [compile["forward_us"], compile["backward_us"]]
        if sum(filter(None, times)) != (compile["time_us"] or 0) or (times == [None, None]) != (compile["time_us"] is None):
            yield f"{name}: time_us is not the sum of forward and backward"
        if not compile["is_compile"] and (compile["metrics"] or compile["status"] != "missing" or (compile["forward_us"] is not None and not compile["failure"])):  # refused before it began
            yield f"{name}: has metrics, but is not a compile"
        if compile["stack"] is not None and compile["stack"] >= len(report["stacks"]):
            yield f"{name}: no stack {compile['stack']}"
        if any(n >= len(report["graph_breaks"]) for n in compile["graph_breaks"]):
            yield f"{name}: no such graph break"
        if compile["artifact_count"] != len(compile["artifacts"]):
            yield f"{name}: artifact_count is not the number of artifacts"
        for artifact in compile["artifacts"]:
            urls = [artifact["readable_url"]] + ([artifact["url"]] if artifact["kind"] != "link" else [])
            for url in filter(None, urls):
                if not (folder / url).is_file():
                    yield f"{name}: no file {url}"
            if artifact["dir"] not in compile["dirs"]:
                yield f"{name}: {artifact['name']} is in a folder of another compile"
        for stage in compile["stages"]:
            if any(n >= len(compile["artifacts"]) for n in stage["artifacts"]):
                yield f"{name}: {stage['stage']} refers to a missing artifact"
        shapes = compile.get("shapes", {"symbols": [], "specializations": [], "guards": []})
        for kind, count in compile.get("shape_counts", {}).items():
            if len(shapes[kind]) > count:
                yield f"{name}: more {kind} than in shape_counts"
        for fact in shapes["symbols"] + shapes["specializations"] + shapes["guards"]:
            if any(fact[key] is not None and fact[key] >= len(report["shape_stacks"]) for key in ("user_stack", "stack")):
                yield f"{name}: a symbol refers to a missing stack"
    for part in ("stacks", "shape_stacks"):
        for i, node in enumerate(report[part]):
            if node["parent"] >= i:
                yield f"{part}: {i} precedes its parent"
    numbers = sorted(a["number"] for c in report["compiles"] for a in c["artifacts"] if a["number"] is not None)
    if len(set(numbers)) != len(numbers):
        yield "two artifacts have the same number"
    for part in ("graph_breaks", "findings"):
        for i, item in enumerate(report[part]):
            if len(set(item["compiles"])) != len(item["compiles"]):
                yield f"{part}[{i}] lists a compile twice"
    named = [key for part in ("graph_breaks", "findings", "stacks") for item in report[part] for key in item["compiles"]]
    named += [key for chain in report["recompiles"] for key in chain["chain"]]
    named += [item["compile"] for part in ("failures", "backward_failures") for item in report[part]]
    named += [item["id"] for item in report["log"]["by_compile"]]
    named += [item["compile"] for item in report["checks"] if item["compile"] is not None]
    for key in sorted(set(named) - set(keys)):
        yield f"{key} is not a compile of the report"
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
                yield f"{rank['dir']}: no report in {member['dir']}"
        if rank["dir"] and rank["status"] != "bad" and (folder / rank["dir"] / "report.json").is_file() == ("elsewhere" in rank):
            yield f"{'a' if 'elsewhere' in rank else 'no'} report of {rank['dir']}"


def validators(defs):
    """A validator for each definition that a file of a report uses."""
    shut = schemas.closed(defs)
    validate.Validator({"$schema": DRAFT, "$defs": defs})
    names = {"report", "guard_list", "provenance", "timeline_part", *page_data.PARTS.values()}
    return {name: validate.Validator({"$schema": DRAFT, "$ref": f"#/$defs/{name}", "$defs": shut}) for name in sorted(names)}


class Members:
    """Checks reports, and notes which members of the schemas they have."""

    def __init__(self, tlparse, defs):
        self.tlparse, self.defs, self.validators, self.coverage = tlparse, defs, validators(defs), schemas.Coverage(defs)

    def value(self, where, name, value):
        """Errors in one value of a report."""
        self.coverage.see(name, value)
        for fault in self.validators[name].faults(value)[:5]:
            yield f"{where}: {fault}"

    def folder(self, path):
        """Errors in one report, whose report.json is at this path."""
        report, data = json.loads(path.read_text(encoding="utf-8")), page_data.read(path.parent)
        yield from self.value("report.json", "report", report)
        for where, name, value in page_data.values(path.parent, report, data):
            yield from self.value(where, name, value)
        yield from cross_checks(report, path.parent)
        yield from page_data.differences(self.defs, report, data)

    def check(self, *sources):
        """Errors in the report of these logs and in those below it."""
        report = samples.report(self.tlparse, list(sources))
        if report.status:
            return [f"exit status {report.status}: {report.stderr[-300:]}"]
        if not (report.out / "report.json").is_file():
            return ["no report.json"]
        return (f"{path.relative_to(report.out)}: {fault}" for path in sorted(report.out.rglob("report.json")) for fault in self.folder(path))

    def hooks(self):
        """Errors in a report with links to code, and with what parsers of the user add."""
        log = next(p for p in samples.logs() if p.relative_to(samples.LOGS).parts[0] == "graph_breaks")
        parsers = {"dynamo_graph_break_reason": [sys.executable, "-c", ANSWERS], "torch_version": ["false"]}
        with tempfile.TemporaryDirectory(prefix="tlparse-test-schema-") as folder:
            (Path(folder) / "tlparse").mkdir()
            (Path(folder) / "tlparse/config.json").write_text(json.dumps({
                "source_link": "https://h/{commit}/{path}#L{line}", "source_commit": "a1", "source_root": "/home/user", "parsers": parsers}))
            subprocess.run([self.tlparse, log, "-o", f"{folder}/out", "--no-browser"], check=True, stderr=subprocess.DEVNULL,
                           env={**os.environ, "XDG_CONFIG_HOME": folder})
            yield from self.folder(Path(folder) / "out/report.json")

    def profiles(self):
        """Errors in the reports of the logs that have a profile."""
        for folder in profiled_folders():
            with tempfile.TemporaryDirectory(prefix="tlparse-test-schema-") as out:
                self.call(folder if len(list(folder.glob("*.log.zst"))) > 1 else next(folder.glob("*.log.zst")), "--profile", folder, "-o", f"{out}/out", "--no-browser")
                yield from self.folder(Path(out) / "out/report.json")

    def merged(self, job, full, *, missing=0, cut=0, steps=1):
        """Errors in the report of a job that is made from a facts file per rank: without those of the last `missing` ranks, without the
        last `cut` bytes of that of the last rank, merged in so many `steps`."""
        logs = sorted((samples.LOGS / job).glob("*_rank_*.log*"))
        with tempfile.TemporaryDirectory(prefix="tlparse-test-schema-") as folder:
            files = [Path(folder) / f"{number}.facts" for number in range(len(logs) - missing)]
            for log, file in zip(logs, files, strict=False):
                self.call("facts", log, "-o", file)
            files[-1].write_bytes(files[-1].read_bytes()[:-cut or None])
            for step in range(1, steps):
                self.call("merge", *files, "-o", f"{folder}/{step}-all.facts")
                files = [Path(f"{folder}/{step}-all.facts")]
            self.call("merge", *files, "-o", f"{folder}/out", "--full", full)
            for path in sorted(Path(folder, "out").rglob("report.json")):
                yield from self.folder(path)
            report = json.loads(Path(folder, "out/report.json").read_text(encoding="utf-8"))
            if len(report["ranks"]) != len(logs) - missing - bool(cut):
                yield f"{len(report['ranks'])} ranks"
            if report["log"]["missing_inputs"] != bool(cut):
                yield f"{report['log']['missing_inputs']} missing inputs"

    def call(self, *arguments):
        subprocess.run([self.tlparse, *arguments], check=True, stderr=subprocess.DEVNULL)

    def unseen(self):
        """Members that no log has and rare.json does not list, and wrong entries of rare.json. An entry is a definition or one of its members."""
        rare = json.loads((TOP / "tests/schema/rare.json").read_text(encoding="utf-8"))
        declared, used = self.coverage.declared(), set()
        for member in sorted(declared - self.coverage.seen):
            entries = {member, member.partition(".")[0]} & rare.keys()
            used |= entries
            if not entries:
                yield f"{member}: no log has it; add one, or a reason in tests/schema/rare.json"
        for entry in sorted(rare.keys() - used):
            yield f"rare.json: {entry} is in a log, or in no schema"
        for entry in sorted(used):
            if entry not in declared and any(member.startswith(f"{entry}.") for member in self.coverage.seen):
                yield f"rare.json: a log has some members of {entry}; list the others"


def runs():
    """Logs of different programs without ranks, which are compared as runs."""
    return [next(p for p in samples.logs() if p.relative_to(samples.LOGS).parts[0] == name) for name in ("graph_breaks", "recompiles")]


def profiled_folders():
    """Logs with profiles: of programs on the CPU, and of some on a GPU."""
    on_gpu = (path.parent for path in (TOP / "tests/data/corpus").glob("gpu_*/profile.json.gz"))
    return sorted([*(TOP / "tests/data/profiled").iterdir(), *on_gpu])


def main():
    args = samples.arguments(argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter))
    defs = schemas.load()
    members, checks = Members(args.tlparse, defs), samples.Checks("schema", args.names)
    checks.add("schemas", schemas.faults, defs)
    for source in samples.logs(empty=True) + samples.folders():
        checks.add(samples.title(source), members.check, source)
    checks.add("hooks", members.hooks)
    checks.add("profiles", members.profiles)
    checks.add("two jobs", members.check, samples.LOGS / "ranks2_sizes", samples.LOGS / "ranks4_desync")
    checks.add("two runs", members.check, *runs())
    checks.add("two runs with other settings", members.check, *sorted(samples.CORPUS.glob("mode_changed/dedicated_*"))[:2])
    for job in ("ranks4_desync", "cache_ranks", "rank_causes/hangs_apart"):
        checks.add(f"merged {job}, no full reports", members.merged, job, "none")
        checks.add(f"merged {job}, representatives", members.merged, job, "representatives")
        checks.add(f"merged {job}, one full report", members.merged, job, "0")
        checks.add(f"merged {job}, a node is missing", partial(members.merged, job, "representatives", missing=1))
        checks.add(f"merged {job}, a file is cut", partial(members.merged, job, "none", cut=300))
        checks.add(f"merged {job}, facts of facts", partial(members.merged, job, "none", steps=3))
    return checks.list() if args.list else checks.run(last=("members", members.unseen))


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Check sums and counts on different pages against each other, in report.json and in the page's data, and against the log.

    agree.py [--tlparse build/tlparse] [--list] [LOG...]

A LOG is named by its path in tests/data/logs, or in tests/data for the corpus (--list prints them); without one, every log is checked.

  sums       totals, statuses, phases, caches, stacks and kinds of records add up from their parts
  order      issues are listed by what the user gains
  times      the parts of compile time add up to it; lines have the names and values of phases, recompiles and compiles
  timeline   names, lanes and the spans of the page's data have the same counts and times
  page       the page's data has the compiles, artifacts and configurations of report.json
  log        kinds of records, spans, failures, configurations and figures of the metrics equal those that this script reads in the log

Exit status 0 if all checks pass; the last line is the total.
"""
import argparse
import collections
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
import data_parts
import samples

RECORD = re.compile(rb"[VIWEC]\d{4} \d\d:\d\d:\d\d\.\d{6} (\d+) [^:]+:\d+\] (\{.*)")
COMMON = {"rank", "compiled_autograd_id", "frame_id", "frame_compile_id", "attempt", "has_payload", "stack", "pathname", "process"}
NUMBERS = {"graph_op_count": "ops", "graph_node_count": "nodes", "graph_input_count": "inputs"}
SAVES_US = 100_000  # an issue that saves less is not ordered by it
CONFIGS = {"dynamo": "dynamo_config", "inductor": "inductor_config", "functorch": "functorch_config", "compiler": "compiler_config"}


def parts(folder):
    found = {}
    for path in sorted(folder.glob("*.js")):
        for key, content in data_parts.parts(path.read_bytes()).items():
            if re.fullmatch(r"(report|configs|timeline|(compiles|timeline)/\d+)", key):
                found[key] = json.loads(content)
    return found


def records(text):
    """Envelope, payload, process and line of each well-formed record."""
    found, last = [], None
    for n, line in enumerate(text.split(b"\n"), 1):
        record = RECORD.match(line)
        if record:
            last = [None, [], record[1], n]
            try:
                last[0] = json.loads(record[2])
            except ValueError:
                continue
            found.append(last)
        elif last and line.startswith(b"\t"):
            last[1].append(line[1:])
    return found


def total(values):
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def sums(report):
    compiles = [c for c in report["compiles"] if c["is_compile"]]
    totals, log = report["totals"], report["log"]
    for name in ("time_us", "forward_us", "backward_us", "runtime_us"):
        yield f"totals.{name}", totals[name], total(c[name] for c in report["compiles"])
    yield "totals.compiles", totals["compiles"], len(compiles)
    yield "totals.statuses", totals["statuses"], {s: sum(c["status"] == s for c in compiles) for s in totals["statuses"]}
    yield "totals.compiled", totals["compiled"], sum(c["status"] in ("ok", "restart") for c in compiles)
    yield "totals.restarts", totals["restarts"], sum(len(c["restarts"]) for c in report["compiles"])
    yield "totals.findings", totals["findings"], len(report["findings"])
    yield "totals.graph_breaks", totals["graph_breaks"], sum(not found["exception"] for found in report["graph_breaks"])
    yield "findings of kind graph_break", sum(f["kind"] == "graph_break" for f in report["findings"]), totals["graph_breaks"]
    yield "totals.failures", totals["failures"], len(report["failures"]) + len(report["backward_failures"])
    yield "failures", len(report["failures"]), sum(c["failure"] is not None for c in report["compiles"])
    own = collections.Counter()
    for c in report["compiles"]:
        own.update(c["own_us"])
        if c["own_us"]:
            yield f"own_us of {c['key']}", sum(c["own_us"].values()), c["time_us"], 2
    yield "totals.own_us", sum(totals["own_us"].values()), sum(own.values())
    cached = collections.Counter((item["cache"], item["result"]) for c in report["compiles"] for item in c["cache"])
    for cache in ("fx_graph", "aotautograd"):
        for result in ("hit", "miss", "bypass"):
            yield f"caches.{cache}.{result}", report["caches"][cache][result], cached[cache, result]
    yield "log.records", log["records"], sum(kind["records"] for kind in log["kinds"])
    yield "log.by_compile", log["records"], sum(item["records"] for item in log["by_compile"]) + log["by_compile_rest"]["records"]
    yield "bytes of kinds", sum(kind["bytes"] for kind in log["kinds"]) + log.get("other_ranks_bytes", 0) <= log["bytes"], True
    roots = [stack["time_us"] for stack in report["stacks"] if stack["parent"] == -1]
    yield "time of stacks", total(roots), total(c["time_us"] for c in report["compiles"] if c["stack"] is not None)
    yield "configs", all(0 < config["compiles"] <= totals["compiles"] for config in report["configs"]), True
    keys = {c["key"] for c in report["compiles"]}
    for name, named in (("findings", report["findings"]), ("graph_breaks", report["graph_breaks"])):
        yield f"compiles of {name}", {key for item in named for key in item["compiles"]} <= keys, True


def timeline(report, data):
    whole = report["timeline"]
    events = whole["spans"] + whole["instants"]
    if not events or whole["left_out"]:
        return
    if not whole["more_totals"]:
        yield "count of timeline.totals", sum(item["count"] for item in whole["totals"]), events
    yield "spans of timeline.lanes", sum(lane["spans"] for lane in whole["lanes"]), whole["spans"]
    yield "instants of timeline.lanes", sum(lane["instants"] for lane in whole["lanes"]), whole["instants"]
    yield "timeline.kept", whole["kept"], events
    head = data["timeline"]
    sums_of = collections.defaultdict(lambda: [0, 0, 0])
    for k in range(head["chunks"]):
        numbers = data[f"timeline/{k}"]
        for at in range(0, len(numbers), 8):
            _, us, own, _, name, key, _, _ = numbers[at:at + 8]
            item = sums_of[head["names"][name]]
            item[0], item[1], item[2] = item[0] + 1, item[1] + own, max(item[2], us)
    yield "spans of the page", {name: tuple(item) for name, item in sums_of.items()}, {
        item["name"]: (item["count"], item["self_us"], item["max_us"]) for item in whole["totals"]} if not whole["more_totals"] else None
    if not whole["more_totals"]:
        yield "time of timeline.totals", sum(item["self_us"] for item in whole["totals"]), sum(lane["busy_us"] for lane in whole["lanes"]), events


def order(report):
    """Issues in the order of what the user gains: what is broken, seconds that are saved, the rest, what is expected."""
    def group(finding):
        recompile = finding["kind"] == "recompile"
        if finding["kind"] == "unfinished":
            return 0, 0
        if finding["severity"] == "error" or finding["impact"] == "stops":
            return 1, 0
        if finding["expected"] or (recompile and finding["severity"] == "info"):
            return 4, 0
        # A recompile without a known fix counts with its cost.
        saves = finding["saves_us"] or (finding["time_us"] if recompile else 0) or 0
        return (2, -saves) if saves >= SAVES_US and finding["severity"] == "warning" else (3, 0)
    groups = [group(finding) for finding in report["findings"]]
    yield "order of the issues", groups, sorted(groups)


def times(report):
    """Compile time line by line: one name and one value for the same time everywhere."""
    explained, totals = report.get("compile_time"), report["totals"]
    if not explained:
        yield "compile_time is missing", totals["time_us"], None
        return
    named, by_key = {phase["key"]: phase["title"] for phase in report["phases"]}, {c["key"]: c for c in report["compiles"]}
    parts, hints = explained["parts"], {line["key"]: line for line in explained["hints"]}
    yield "sum of compile_time.parts", sum(part["time_us"] for part in parts), totals["time_us"]
    yield "keys of lines", len({line["key"] for line in parts}) + len(hints), len(parts) + len(explained["hints"])
    for line in (*parts, *explained["hints"]):
        what = f"line {line['key']}"
        yield f"{what} above 0", line["time_us"] > 0, True
        if line["key"] not in {"untimed", "unfinished", "captures"}:  # the total is the sum of the timers
            yield f"{what} within the total", min(line["time_us"], totals["time_us"]), line["time_us"]
        yield f"saves of {what}", min(line["saves_us"] or 0, line["time_us"]), line["saves_us"] or 0
        yield f"compiles of {what}", set(line["compiles"]) <= set(by_key), True
        yield f"advice of {what}", bool(line["evidence"]) or not line["action"], True
    for part in parts:
        if part["key"] in named:
            of = next((words for words in ("rest of ", "tracing and other work of ") if part["title"].startswith(words)), "")
            whole, rest = totals["by_phase_us"][part["key"]], bool(of)
            yield f"name of part {part['key']}", part["title"], of + named[part["key"]]
            yield f"part {part['key']}", part["time_us"] < whole if rest else part["time_us"], True if rest else whole
        elif part["key"] == "discarded":
            yield "discarded traces", part["time_us"], totals["restart_us"]
    if "largest" in hints:
        yield "hint largest", hints["largest"]["time_us"], by_key[hints["largest"]["compiles"][0]]["time_us"]
    if "recompiles" in hints:
        yield "hint recompiles", hints["recompiles"]["time_us"], max(chain["time_us"] or 0 for chain in report["recompiles"])
    for key in ("graph_breaks", "warm_caches", "equal_graphs"):
        if key in hints and not hints[key]["more_compiles"]:
            yield f"hint {key}", hints[key]["time_us"], sum(by_key[name]["time_us"] for name in hints[key]["compiles"])
    first = explained.get("first")
    if first and first["issue"]:
        yield "first issue", any(finding["title"] == first["title"] and finding["link"] == first["link"] for finding in report["findings"]), True
    elif first:
        yield "first line", [first[key] for key in ("title", "action", "saves_us")], next(
            [line[key] for key in ("title", "action", "saves_us")] for line in (*parts, *explained["hints"]) if line["title"] == first["title"])
    if totals["time_us"] and totals["time_us"] >= 10_000_000:
        yield "a long compile time has a line", bool(parts), True


def page(report, data):
    summary = data["report"]
    listed = [c for k in range(-(-len(report["compiles"]) // summary["parts"]["compiles"])) for c in data[f"compiles/{k}"]]
    yield "compiles of the page", len(listed), len(report["compiles"])
    for short, part, c in zip(summary["compiles"], listed, report["compiles"], strict=True):
        yield f"{c['key']} of the page", [short[name] for name in ("key", "time_us", "status", "guards", "cache", "artifact_count", "bytes")], [
            c["key"], c["time_us"], c["status"], c["guards"], c["cache"], len(c["artifacts"]), sum(a["bytes"] for a in c["artifacts"])]
        yield f"artifacts of {c['key']}", [a["name"] for a in part["artifacts"]], [a["name"] for a in c["artifacts"]]
    for name in ("totals", "caches", "findings", "failures", "graph_breaks", "recompiles", "config_differences", "settings_in_effect"):
        yield f"{name} of the page", summary[name], report[name]
    yield "configs of the page", data.get("configs", []), report["configs"]


def read(report, text):
    """The content of the log itself: one log of one rank."""
    kinds, names, failed, backward_failed, configured = (collections.Counter() for _ in range(5))
    spans, instants, metrics, lines = collections.defaultdict(list), 0, {}, {}
    for envelope, payload, process, line in records(text):
        lines[line] = envelope
        keys = [key for key in envelope if key not in COMMON]
        if not keys or keys[0] == "str":
            continue
        kinds[keys[0], envelope["artifact"].get("name") if keys[0] == "artifact" else None] += 1
        if "chromium_event" in envelope:
            try:
                event = json.loads(b"\n".join(payload))
            except ValueError:
                continue
            lane, name = spans[process, event.get("pid"), event.get("tid")], event.get("name")
            if event["ph"] in "BXi":
                names[name] += 1
                instants += event["ph"] == "i"
            if event["ph"] == "B":
                lane.append(name)
        for key in ("compilation_metrics", "bwd_compilation_metrics"):
            if key not in envelope:
                continue
            m = envelope[key]
            # PyTorch 2.6: null is a refused compile
            backward = m.get("is_forward") is False if key == "compilation_metrics" or "is_forward" in m else True
            (backward_failed if backward else failed)[str(m.get("fail_type"))] += bool(m.get("fail_type"))
            if not backward:
                metrics[line] = m
                for kind, config in CONFIGS.items():
                    configured[kind] += key == "compilation_metrics" and config in m
    yield "kinds of records", {(k["key"], k["name"]): k["records"] for k in report["log"]["kinds"]}, dict(kinds)
    if not report["log"]["faults"]:
        yield "timeline.instants", report["timeline"]["instants"], instants
        yield "names of the timeline", {item["name"]: item["count"] for item in report["timeline"]["totals"]}, dict(names)
    yield "failures", collections.Counter(f["type"] for f in report["failures"]), +failed
    yield "backward_failures", collections.Counter(f["type"] for f in report["backward_failures"]), +backward_failed
    for kind, count in configured.items():
        of_kind = [config["compiles"] for config in report["configs"] if config["kind"] == kind]
        if len(of_kind) <= 1:
            yield f"compiles of the {kind} configuration", sum(of_kind), count
    for c in report["compiles"]:
        for artifact in c["artifacts"]:
            envelope = lines.get(artifact["line"], {})
            ids = [envelope.get("frame_id"), envelope.get("frame_compile_id")]
            yield f"line {artifact['line']}", c["id"].split("/")[-2:], ["-" if n is None else str(n) for n in ids] if c["id"].count("/") == 1 else c["id"].split("/")[-2:]
            if artifact["kind"] == "compilation_metrics":
                m = metrics.get(artifact["line"])
                for key, name in NUMBERS.items():
                    if m and m.get(key) is not None:
                        yield f"{name} of {c['key']}", c["graph"][name], m[key]
                if m and m.get("guard_count") is not None:
                    yield f"guard_count of {c['key']}", c["guard_count"], m["guard_count"]
        # A filter of guards may leave a tree without any.
        trees = [artifact.get("guards", {"count": 0})["count"] for artifact in c["artifacts"] if artifact["kind"] == "dynamo_cpp_guards_str"]
        yield f"guards of {c['key']}", c["guards"], trees[-1] if trees else c["guard_count"]


def check(tlparse, log):
    made = samples.report(tlparse, log)
    report, data = made.json(), parts(made.out / "data")
    rows = [*sums(report), *order(report), *times(report), *timeline(report, data), *page(report, data)]
    if not report.get("all_ranks"):
        rows += read(report, (made.out / "raw.log").read_bytes())
    if not rows:
        yield "nothing was compared"
    for what, one, other, *slack in rows:
        if one != other and not (slack and None not in (one, other) and abs(one - other) <= slack[0]):
            yield f"{what}: {str(one)[:300]} and {str(other)[:300]}"


def main():
    args = samples.arguments(argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter))
    checks = samples.Checks("agreement", args.names)
    for log in samples.logs() + samples.corpus() + samples.foreign():
        checks.add(samples.title(log), check, args.tlparse, log)
    return checks.list() if args.list else checks.run(show=6)


if __name__ == "__main__":
    sys.exit(main())

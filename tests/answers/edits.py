"""Cases about code that was edited between two runs, and about calls with several logs or reports."""
import hashlib
import json
import re
import shutil
import tempfile
from pathlib import Path

from common import answer, call, case, samples

EDITED = samples.LOGS.parent / "edited"


def log_of(folder):
    (log,) = Path(folder).glob("*.log*")
    return samples.read(log).decode()


def edited(text, by=0, names=()):
    """The same log of other code: lines of the program are further down, and functions have other names. Payloads keep their MD5."""
    text = re.sub(r'("line": |"co_firstlineno": |\.py:|\.py\\?", line )(\d+)', lambda m: f"{m[1]}{int(m[2]) + by}", text)
    text = re.sub(r"(torch_dynamo_resume_in_\w+_at_)(\d+)", lambda m: f"{m[1]}{int(m[2]) + by}", text)
    for old, new in names:
        text = re.sub(rf"(?<=_in_){old}(?=_at_)|(?<!\w){old}(?!\w)", new, text)
    out = []
    for record in re.split(r"(?m)^(?=V\d)", text):
        head, newline, payload = record.partition("\n")
        lines = payload.split("\n")
        if '"has_payload"' in head and payload:
            content = "\n".join(line[1:] if line.startswith("\t") else line for line in lines[:-1])
            md5 = hashlib.md5(content.encode()).hexdigest()
            head = re.sub(r'("has_payload": ")[0-9a-f]{32}', lambda m, md5=md5: m[1] + md5, head)
        out.append(head + newline + payload)
    return "".join(out)


NEW = [f"--max=new.{metric}=0" for metric in ("graph_breaks", "recompiles", "findings")]


def check_rules(base, new, status):
    rules = json.loads(answer("check", new, "--baseline", base, *NEW, "--format", "json", status=status))["rules"]
    return {rule["metric"]: rule["value"] for rule in rules}


@case
def a_renamed_function_is_not_new():
    """Its graph breaks, recompiles and issues, and the functions that resume it; in `check --baseline` and in `diff`."""
    before = log_of(EDITED / "before/1")
    renames = (("report", "announce"), ("scale", "stretch"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        base, new = folder / "base.log", folder / "new.log"
        base.write_text(before)
        for by in (0, 7):
            for first, second in (((), renames), (renames, ())):
                base.write_text(edited(before, names=first))
                new.write_text(edited(before, by, second))
                assert check_rules(base, new, 0) == {"graph_breaks": 0, "recompiles": 0, "findings": 0}
                value = json.loads(answer("diff", base, new, "--format", "json"))
                log = value["logs"][0]
                found = {tuple(side and side["name"].split("_at_")[0] for side in function["sides"]) for function in log["functions"]}
                there = dict(renames) if second else {new: old for old, new in renames}
                old, now = list(there), list(there.values())
                assert {(old[0], now[0]), (old[1], now[1]), (f"torch_dynamo_resume_in_{old[0]}", f"torch_dynamo_resume_in_{now[0]}")} < found
                assert not any(None in sides for sides in found), found
                assert not value["findings"]["new"] and not value["findings"]["gone"] and value["findings"]["same"] >= 3
                assert log["graph_breaks"] == {"new": [], "gone": [], "same": 2}
                assert not any(function["new_reasons"] or function["gone_reasons"] for function in log["functions"])


@case
def what_is_new_in_a_renamed_function_is_new():
    before = log_of(EDITED / "before/1")
    other = before.replace("Failed to trace builtin operator", "Another reason")
    with tempfile.TemporaryDirectory() as name:
        base, new = Path(name, "base.log"), Path(name, "new.log")
        base.write_text(edited(other))
        new.write_text(edited(before, 7, (("report", "announce"),)))
        assert check_rules(base, new, 1) == {"graph_breaks": 1, "recompiles": 0, "findings": 1}
        log = json.loads(answer("diff", base, new, "--format", "json"))["logs"][0]
        breaks = log["graph_breaks"]
        assert [[b["place"]["function"] for b in breaks[side]] for side in ("new", "gone")] == [["announce"], ["report"]] and breaks["same"] == 1
        # A function elsewhere is no rename: its breaks are new.
        base.write_text(edited(before))
        new.write_text(edited(before, 7, (("report", "announce"),)).replace("edited.py", "other.py"))
        assert check_rules(base, new, 1)["graph_breaks"] == 2


@case
def the_edit_of_the_samples_adds_nothing():
    """tests/data/edited/README.md: the functions that were edited break no graph and recompile nothing, whatever their names."""
    for n in (1, 2, 3):
        values = check_rules(EDITED / f"before/{n}", EDITED / f"after/{n}", 0)
        assert values["graph_breaks"] == values["recompiles"] == 0
        values = check_rules(EDITED / f"after/{n}", EDITED / f"before/{n}", 1)
        assert values["graph_breaks"] == 2 and values["recompiles"] == 1


@case
def several_reports_are_read_like_their_logs():
    """Folders of reports, report.json of them, and logs, in any mix."""
    limits = ("--max", "graph_breaks=0", "--max", "kernels=0", "--format", "json")
    for names in (("graph_breaks", "recompiles"), ("cache_jobs/first", "graph_breaks")):
        with tempfile.TemporaryDirectory() as name:
            reports = [Path(name, log.replace("/", ".")) for log in names]
            for log, out in zip(names, reports, strict=True):
                assert call(log, "-o", out, "--no-browser").returncode == 0
            calls = (names, reports, [out / "report.json" for out in reports], (names[0], reports[1]), (reports[0] / "report.json", names[1]))
            for command, more, status in (("check", limits, 1), ("summary", ("--format", "json"), 0)):
                values = []
                for paths in calls:
                    value = json.loads(answer(command, *paths, *more, status=status))
                    del value["name"]
                    for run in value.get("ranks", []):
                        del run["files"]
                    text = json.dumps(value)
                    for log, out in zip(names, reports, strict=True):
                        text = text.replace(out.name, Path(log).name)
                    values.append(text)
                assert all(value == values[0] for value in values), (command, names)


@case
def a_report_json_without_its_report_cannot_be_combined():
    with tempfile.TemporaryDirectory() as name:
        out, alone = Path(name, "out"), Path(name, "alone")
        assert call("graph_breaks", "-o", out, "--no-browser").returncode == 0
        alone.mkdir()
        shutil.copy(out / "report.json", alone)
        shutil.copy(out / "report.json", alone / "other.json")
        for file in ("report.json", "other.json"):
            for command in (("check", "--max", "graph_breaks=9"), ("summary",), ("diff",)):
                for paths in ((alone / file, "recompiles"), ("recompiles", alone / file)):
                    done = call(*command, *paths)
                    assert done.returncode == 2 and not done.stdout, done
                    assert f"cannot read {alone / file} with other paths".encode() in done.stderr and b"\nhint: give the folder" in done.stderr
            answer("check", "--max", "graph_breaks=9", alone / file)  # but it has all that a check of one report needs


def slower(folder, to, factor):
    """Copies the logs of a folder with other times: compile times of the metrics and events."""
    def time(match):
        value = float(match[2]) * factor
        return match[1] + (str(round(value)) if match[1].endswith('us": ') else repr(value))
    to.mkdir()
    for log in sorted(folder.glob("*.log*")):
        text = re.sub(r'("(?:\w+_time_s|duration_us|\w+_us)": )([0-9.]+)', time, samples.read(log).decode())
        (to / f"{log.name.split('.log')[0]}.log").write_text(edited(text))


@case
def jobs_of_a_side_have_a_spread():
    """Several jobs of several ranks on each side: per figure, and per function of each rank."""
    with tempfile.TemporaryDirectory() as name:
        for source in ("ranks4", "cache_jobs/first"):
            made = {}
            for factor in (0.6, 0.9, 1.2, 2.0, 3.0, 3.6):
                made[factor] = Path(name, f"{source.replace('/', '.')}.{factor}")
                slower(samples.LOGS / source, made[factor], factor)
            ranks = len(list((samples.LOGS / source).glob("*.log*")))

            def compare_sides(base, new, *more, source=source, made=made):
                first, *others = (samples.LOGS / source if one == 1 else made[one] for one in base)
                last, *further = (samples.LOGS / source if one == 1 else made[one] for one in new)
                return answer("diff", first, last, *(f"--base={one}" for one in others), *(f"--new={one}" for one in further), *more, columns=200)
            # The change is within the spreads.
            value = json.loads(compare_sides((1, 0.6, 1.2), (0.9, 2.0), "--format", "json"))
            assert value["runs"] == [3, 2] and [log["rank"] for log in value["logs"]] == list(range(ranks))
            figures = {figure["name"]: figure for figure in value["figures"]}
            for figure in ("compile_time", "slowest_rank"):
                assert figures[figure]["verdict"] == "within", figures[figure]
                one = figures[figure]["ranges"][0]
                assert abs(one[1] / one[0] - 2) < 0.01 and abs(figures[figure]["values"][0] / one[0] - 1 / 0.6) < 0.01, figures[figure]
                low, high = figures[figure]["ranges"][1]
                assert figures[figure]["values"][1] == low < high, figures[figure]
            for log in value["logs"]:
                assert log["functions"] and all(function["change"] == "same" for function in log["functions"])
                for function in log["functions"]:
                    assert abs(function["ranges_us"][0][1] / function["ranges_us"][0][0] - 2) < 0.01, function
            text = compare_sides((1, 0.6, 1.2), (0.9, 2.0))
            assert re.search(r"\ncompile time, all logs .* ±40 % .* ±122 % +~\n", text) and re.search(r"\nFunctions  no change\n", text), text
            # It is larger.
            value = json.loads(compare_sides((1, 0.6, 1.2), (3.0, 3.6), "--format", "json"))
            assert {figure["name"]: figure["verdict"] for figure in value["figures"]}["compile_time"] == "worse"
            assert all(function["change"] == "slower" for log in value["logs"] for function in log["functions"])
            text = compare_sides((1, 0.6, 1.2), (3.0, 3.6))
            assert re.search(rf"ranks 0{'–' if ranks > 2 else ' and '}{ranks - 1}, most on rank \d: .* ±40 % → .* ±20 %\n", text), text


@case
def a_run_that_is_given_twice_counts_once():
    """Its side has one run, so no median is named."""
    done = call("diff", "cache_runs/first", "cache_runs/second", "--base", "cache_runs/first")
    assert done.returncode == 0 and b"is listed twice" in done.stderr and b"runs)" not in done.stdout and "±".encode() not in done.stdout
    value = json.loads(answer("diff", "cache_runs/first", "cache_runs/second", "--base", "graph_breaks", "--base", "cache_runs/first", "--format", "json"))
    assert value["runs"] == [2, 1] and value["base"] == "cache_runs/first (2 runs)" and value["new"] == "cache_runs/second"


@case
def causes_that_may_hang_and_unlisted_groups_are_marked():
    text = answer("summary", "ranks4_desync", columns=80)
    heads = dict(reversed(line.split(" ", 1)) for line in text.split("\n") if line[:2] in ("✕ ", "≠ "))
    hanging = [head for head, sign in heads.items() if sign == "✕"]
    assert text.count("\n  may hang\n") == 1
    assert len(heads) == 5 and len(hanging) == 1 and re.match(r"rank 2 takes a different branch at \S+, with `first ==$", hanging[0]), heads
    assert answer("summary", "ranks4_desync", "--format", "markdown").count(" **may hang**\n") == 1
    with tempfile.TemporaryDirectory() as name:
        out = Path(name, "out")
        assert call("rank_causes/stages", "-o", out, "--no-browser").returncode == 0
        report = json.loads((out / "report.json").read_text())
        assert "more group" not in answer("summary", out)
        (cause,) = report["divergence"]["root_causes"]
        assert len(cause["evidence"]) == 4
        for keep, words in ((3, "1 more group of ranks"), (1, "3 more groups of ranks")):
            cause["evidence"], cause["more_evidence"] = cause["evidence"][:keep], 4 - keep
            report["divergence"]["more_root_causes"] = 7
            (out / "report.json").write_text(json.dumps(report))
            text = answer("summary", out)
            assert f"\n  {words}\n" in text and "Rank divergence  8 causes, of which report.json has 1\n" in text, text


@case
def a_change_on_one_rank_is_listed_with_it():
    """Also if it is not the first rank: a graph break, and a setting."""
    with tempfile.TemporaryDirectory() as name:
        for source, heading, line in (("graph_break", "New graph breaks  1", r"    /\S+:\d+ in \w+, on rank 1"),
                                      ("dynamic_flag", "Configuration  1 difference", r"  assume_static_by_default: .* → .*, on rank 1")):
            base = Path(name, source)
            base.mkdir()
            folder = samples.LOGS / "rank_causes" / source
            for log in folder.glob("*.log*"):
                (like,) = folder.glob("*_rank_0_*") if "_rank_1_" in log.name else (log,)
                shutil.copy(like, base / log.name)
            for more in ((), ("--format", "markdown")):
                text = answer("diff", base, folder, *more, columns=200)
                if more:
                    assert text.count(" on rank 1") >= 1, text
                else:
                    assert f"\n{heading}\n" in text and len(re.findall(rf"(?m)^{line}$", text)) == 1, text
            logs = json.loads(answer("diff", base, folder, "--format", "json"))["logs"]
            assert not logs[0]["graph_breaks"]["new"] and not logs[0]["settings"] and logs[1]["rank"] == 1


@case
def figures_of_a_diff_are_those_of_the_summary():
    """Of logs and of jobs, for each figure that the summary has."""
    names = {"compile_time": "time_us", "compiles": "compiles", "recompiles": "recompiles", "graph_breaks": "graph_breaks", "failures": "failures"}
    for base, new in (("graph_breaks", "recompiles"), ("library_breaks", "nested_breaks"), ("ddp", "fsdp"), ("ranks4", "ranks4_desync"), ("ddp", "errors")):
        totals = [json.loads(answer("summary", log, "--format", "json"))["totals"] for log in (base, new)]
        figures = {figure["name"]: figure["values"] for figure in json.loads(answer("diff", base, new, "--format", "json", "--stat"))["figures"]}
        for name, total in names.items():
            assert figures[name] == [one[total] for one in totals], (base, new, name)
    # So limits hold for jobs, too.
    text = answer("diff", "ranks4", "ranks4_desync", "--stat", "--fail-on", "recompiles>0,breaks>0,kernels>99", status=1)
    assert "recompiles>0: exceeded" in text and "breaks>0: kept" in text and "kernels>99: kept" in text, text


@case
def sides_are_those_of_the_call():
    """Jobs and logs, whichever began first; the other way around, each value is on the other side."""
    runs = ("simple", "ddp", "ranks4_desync", "cache_jobs/second", "cache_jobs/first", "errors")
    further = ("graph_breaks", "recompiles")
    compiles = {run: json.loads(answer("summary", run, "--format", "json"))["totals"]["compiles"] for run in runs + further}

    def check_sides(base, new):
        value = json.loads(answer("diff", base[0], new[0], *(f"--base={one}" for one in base[1:]), *(f"--new={one}" for one in new[1:]),
                                  "--format", "json", "--stat"))
        figure = next(figure for figure in value["figures"] if figure["name"] == "compiles")
        assert figure.get("ranges", [[n, n] for n in figure["values"]]) == [
            [min(compiles[one] for one in side), max(compiles[one] for one in side)] for side in (base, new)], (base, new, figure)
    for base in runs:
        for new in runs:
            if base != new:
                check_sides((base,), (new,))
    check_sides(("cache_jobs/second", "ddp"), ("ranks4_desync", "cache_jobs/first"))
    check_sides(("errors", "simple"), ("graph_breaks", "recompiles"))


@case
def two_ranks_are_compared_as_runs():
    """Logs of ranks that are given one by one."""
    logs = sorted((samples.LOGS / "cache_jobs/first").glob("*.log*"))
    for base, new in (logs, logs[::-1]):
        value = json.loads(answer("diff", base, new, "--format", "json"))
        assert value["base"] == str(base) and [log["rank"] for log in value["logs"]] == [None]

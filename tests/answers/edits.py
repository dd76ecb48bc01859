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
    text = re.sub(r'("line": |"co_firstlineno": |\.py:)(\d+)', lambda m: f"{m[1]}{int(m[2]) + by}", text)
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
            head = re.sub(r'("has_payload": ")[0-9a-f]{32}', lambda m: m[1] + md5, head)
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
            for log, out in zip(names, reports):
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
                    for log, out in zip(names, reports):
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

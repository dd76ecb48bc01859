"""Cases about calls with several logs or reports."""
import json
import shutil
import tempfile
from pathlib import Path

from common import answer, call, case


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

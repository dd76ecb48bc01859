#!/usr/bin/env python3
"""Tests of the commands that print answers: summary, diff, check.

    run.py --tlparse build/tlparse [--update] [NAME...]     only the cases whose name starts with NAME

Texts are compared with tests/answers/expected; --update writes them. The last line is `N passed, N failed, N skipped`.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import check  # noqa: F401  # adds its cases
import edits  # noqa: F401
import matrix  # noqa: F401
import pages  # noqa: F401
import common
from common import answer, call, case, check_text, compare, main, on_terminal, report_of, samples, validate

LOGS = ("graph_breaks", "recompiles", "errors", "gpt2", "hung", "ranks4_desync", "ranks3_missing", "aot_inductor", "cache_runs",
        "cudagraph_skips", "killed", "draft_export")
DIFFS = {
    "cache_runs": ("cache_runs/first", "cache_runs/second"),
    "cache_jobs": ("cache_jobs/first", "cache_jobs/second"),
    "versions": ("graph_breaks", "nested_breaks"),
    "settings": ("train_eval", "training"),
    "modes": [f"../corpus/mode_changed/dedicated_log_torch_trace_{name}.log.zst" for name in ("9eyx9lev", "amzuikr1")],
}


EDITED = Path("..") / "edited"  # six runs of a program, from the folder of the logs


def sides(*more):
    """The arguments that compare three runs before the edit with three after it."""
    return (EDITED / "before/1", EDITED / "after/1", *(f"--base={EDITED}/before/{n}" for n in (2, 3)),
            *(f"--new={EDITED}/after/{n}" for n in (2, 3)), *more)


def profiled(*names):
    """The arguments that compare programs with their profiles."""
    folder = samples.LOGS.parent / "profiled"
    return [*(next((folder / name).glob("*.log.zst")) for name in names), *(f"--profile={folder / name / name}.json.gz" for name in names)]


@case
def summaries_read_well():
    for log in LOGS:
        for columns in (80, 200):
            text = answer("summary", log, columns=columns)
            check_text(text, columns)
            compare(f"summary.{log.replace('/', '.')}.{columns}.txt", text)
    compare("summary.graph_breaks.md", answer("summary", "graph_breaks", "--format", "markdown"))
    compare("summary.ranks4_desync.md", answer("summary", "ranks4_desync", "--format", "markdown"))


@case
def diffs_read_well():
    for name, (base, new) in DIFFS.items():
        for columns in (80, 200):
            text = answer("diff", base, new, columns=columns)
            check_text(text, columns)
            compare(f"diff.{name}.{columns}.txt", text)
    for columns in (80, 200):
        text = answer("diff", *profiled("steps_base", "steps_slower"), columns=columns)
        check_text(text, columns)
        compare(f"diff.profiles.{columns}.txt", text)
    compare("diff.profiles.md", answer("diff", *profiled("steps_base", "steps_slower"), "--format", "markdown"))
    validate.check(validate.documented("diff.schema.json"), json.loads(answer("diff", *profiled("steps_base", "steps_slower"), "--format", "json")))
    compare("diff.cache_runs.md", answer("diff", *DIFFS["cache_runs"], "--format", "markdown"))
    compare("diff.modes.md", answer("diff", *DIFFS["modes"], "--format", "markdown"))
    compare("diff.cache_runs.stat.txt", answer("diff", *DIFFS["cache_runs"], "--stat"))


@case
def a_summary_of_runs_says_what_changed():
    """The figures of a diff with the first run, and which runs have an issue that others do not have."""
    runs = DIFFS["cache_runs"]
    for columns in (80, 200):
        text = answer("summary", "--compare", *runs, columns=columns)
        check_text(text, columns)
        compare(f"summary.runs.{columns}.txt", text)
    compare("summary.runs.md", answer("summary", "--compare", *runs, "--format", "markdown"))
    value = json.loads(answer("summary", "--compare", *runs, "gpt2", "graph_breaks", "--format", "json", "--top", "2"))
    diff = json.loads(answer("diff", *runs, "--format", "json"))
    assert [(change["base"], change["new"]) for change in value["changes"]] == [("first", "second"), ("first", "gpt2")]
    assert value["changes"][0]["figures"] == diff["figures"] and value["more_changes"] == 1
    text = answer("summary", "--compare", *runs, "gpt2", "--top", "2")
    stat = [re.sub(" +", " ", line).strip() for line in answer("diff", *runs, "--stat").splitlines()]
    printed = [re.sub(" +", " ", line).strip() for line in text.splitlines()]
    assert all(line in printed for line in stat), stat
    assert text.count("\nChanges\n") == 1 and " (gpt2)" in text
    assert "\n1 more run: use --top 3\n" in answer("summary", "--compare", *runs, "gpt2", "graph_breaks", "--top", "2")
    for log in ("gpt2", "ranks4_desync"):
        assert "Changes" not in answer("summary", log) and "changes" not in json.loads(answer("summary", log, "--format", "json"))


@case
def settings_have_names():
    base, new = DIFFS["settings"]
    logs = json.loads(answer("diff", base, new, "--format", "json"))["logs"][0]
    names = [setting["setting"] for setting in logs["settings"]]
    assert names
    text = answer("diff", base, new, columns=200)
    for name in names[:10]:
        assert f"\n  {name}: " in text, name


@case
def functions_of_a_job_name_the_ranks():
    """A function that changed alike on several ranks is listed once, with the rank on which its time changed most."""
    logs = json.loads(answer("diff", *DIFFS["cache_jobs"], "--format", "json"))["logs"]
    assert [log["rank"] for log in logs] == [0, 1]
    times = {log["rank"]: next(f for f in log["functions"] if f["name"] == "same")["delta_us"] for log in logs}
    most = max(times, key=lambda rank: abs(times[rank]))
    assert f"\n    ranks 0 and 1, most on rank {most}: " in answer("diff", *DIFFS["cache_jobs"])
    assert re.search(rf"\n\| same \|.*\| ranks 0 and 1 \|.* \\\(rank {most}\\\) \|", answer("diff", *DIFFS["cache_jobs"], "--format", "markdown"))
    assert "\n    rank 3: " in answer("diff", "ranks4", "ranks4_desync")
    for more in ((), ("--format", "markdown")):
        assert "rank" not in answer("diff", *DIFFS["cache_runs"], *more)


@case
def diverging_ranks_are_an_issue():
    """A report of ranks with causes of divergence never says that there is nothing to look at."""
    found = 0
    for folder in sorted((samples.LOGS / "rank_causes").iterdir()):
        if not folder.is_dir():
            continue
        value = json.loads(answer("summary", folder, "--format", "json"))
        if value.get("divergence"):
            found += not value["findings"]
            for more in ((), ("--format", "markdown")):
                assert "No issues found" not in answer("summary", folder, *more), folder
    assert found, "no log diverges without a finding"


@case
def a_report_says_the_same_as_its_log():
    """report.json, the folder of the report, and the log itself."""
    for log in samples.folders() + samples.logs():
        out = report_of(log)
        answers = [json.loads(answer("summary", path, "--format", "json", "--top", 10**6))
                   for path in (log, out, out / "report.json")]
        for one in answers:
            del one["name"]
        assert answers[0] == answers[1] == answers[2], log


def peak_kib(log):
    """The most memory that a summary of the log takes."""
    with open(os.devnull, "wb") as out:
        process = subprocess.Popen([common.tlparse, "summary", log, "--threads", "1"], stdin=subprocess.DEVNULL, stdout=out, env=common.environment())
        _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, log
    return usage.ru_maxrss


@case
def a_summary_keeps_what_it_prints():
    """Not the metrics of each compile, nor report.json: 15 KB a compile."""
    if "ASAN_OPTIONS" in os.environ:
        return  # it keeps what is freed
    few, many = 5_000, 25_000
    with tempfile.TemporaryDirectory() as folder:
        peaks = []
        for count in (few, many):
            log = Path(folder) / f"{count}.log"
            with open(log, "w", encoding="utf-8") as file:
                for i in range(count):
                    ids = f'"frame_id": {i}, "frame_compile_id": 0, "attempt": 0}}\n'
                    metrics = {"compile_id": f"{i}/0", "co_name": "f", "co_filename": "/a.py", "co_firstlineno": 1, "graph_op_count": 1,
                               "duration_us": 1000 + i, **{f"a_metric_of_pytorch_{n}": n for n in range(60)}}
                    file.write(f'V0101 12:00:00.000000 7 torch/a.py:1] {{"dynamo_start": {{"stack": []}}, {ids}')
                    file.write(f'V0101 12:00:00.000000 7 torch/a.py:1] {{"compilation_metrics": {json.dumps(metrics)}, {ids}')
            peaks.append(peak_kib(log))
        assert (peaks[1] - peaks[0]) * 1024 / (many - few) < 6_000, peaks


@case
def finished_reports_are_compared_like_their_logs():
    """Of logs without a rank and of jobs; a report is given as its folder or as its report.json."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("cache_runs", "cache_jobs"):
            made = [Path(folder) / f"{name}.{log.replace('/', '.')}" for log in DIFFS[name]]
            for log, out in zip(DIFFS[name], made, strict=True):
                assert call(log, "-o", out, "--no-browser").returncode == 0
            texts = []
            for base, new in (DIFFS[name], made, (made[0] / "report.json", made[1] / "report.json"), (DIFFS[name][0], made[1])):
                value = json.loads(answer("diff", base, new, "--format", "json", "--top", 1000))
                del value["base"], value["new"]
                assert name != "cache_runs" or len(value["cache_misses"]) == 9
                for cause in value["cache_misses"]:
                    del cause["why"]  # it names the runs
                texts.append(value)
            assert texts[0]["figures"] and texts[0] == texts[1] == texts[2] == texts[3], name
        runs = Path(folder) / "runs"
        assert call(*DIFFS["cache_runs"], "-o", runs, "--no-browser").returncode == 0
        done = call("diff", runs, made[0])
        assert done.returncode == 2 and b"is a report of several runs" in done.stderr, done.stderr


@case
def a_rank_of_a_report_is_summarized():
    with tempfile.TemporaryDirectory() as folder:
        out, single = Path(folder) / "out", Path(folder) / "single"
        assert call("ranks4_desync", "-o", out, "--no-browser").returncode == 0
        assert call("graph_breaks", "-o", single, "--no-browser").returncode == 0
        for path in (out, out / "report.json"):
            rank = json.loads(answer("summary", path, "--rank", 3, "--format", "json"))
            own = json.loads(answer("summary", out / "rank_3", "--format", "json"))
            assert rank["totals"] == own["totals"] and rank["findings"] == own["findings"] and rank["findings"]
        for arguments, text in ((("summary", out, "--rank", 9), "has no rank 9"), (("summary", single, "--rank", 0), "has no rank 0"),
                                (("summary", single, "--latest"), "--latest is for logs")):
            done = call(*arguments)
            assert done.returncode == 2 and text in done.stderr.decode(), done.stderr


@case
def a_report_is_read_again():
    """The report of a finished report is that of its log."""
    with tempfile.TemporaryDirectory() as folder:
        for log in ("graph_breaks", "ranks4_desync"):
            once, again = Path(folder) / log, Path(folder) / f"{log}.again"
            for path, out in ((log, once), (once, again)):
                assert call(path, "-o", out, "--no-browser").returncode == 0
            one, other = (json.loads((out / "report.json").read_text()) for out in (once, again))
            for report in (one, other):
                del report["log"]
                for rank in report.get("ranks", []):
                    for member in ("file", "files"):
                        rank.pop(member, None)
            assert one["totals"] == other["totals"] and one["findings"] == other["findings"], log
            assert one == other or one["kind"] == "run", log


@case
def several_runs_have_a_spread():
    for columns in (80, 200):
        text = answer("diff", *sides(), columns=columns)
        check_text(text, columns)
        compare(f"diff.edited.{columns}.txt", text)
    compare("diff.edited.md", answer("diff", *sides("--format", "markdown")))
    value = json.loads(answer("diff", *sides("--format", "json")))
    validate.check(validate.documented("diff.schema.json"), value)
    assert value["runs"] == [3, 3]
    figures = {figure["name"]: figure for figure in value["figures"]}
    assert figures["compile_time"]["verdict"] == "within" and figures["graph_breaks"]["values"] == [2, 0]
    # A change within the spread is no change, whatever its size; a count that all runs share is one.
    answer("diff", *sides("--fail-on", "time>-99%"))
    answer("diff", *sides("--fail-on", "ops>0"), status=1)


@case
def a_spread_does_not_depend_on_the_order():
    """Of the runs of a side, apart from the names."""
    values = []
    for order in ((1, 2, 3), (3, 1, 2), (2, 3, 1)):
        first = [f"{EDITED}/before/{n}" for n in order]
        value = json.loads(answer("diff", first[0], EDITED / "after/1", f"--base={first[1]}", f"--base={first[2]}", "--format", "json"))
        del value["base"], value["new"]
        for log in value["logs"]:
            del log["dirs"]
        values.append(value)
    assert values[0] == values[1] == values[2]


@case
def functions_are_matched_across_an_edit():
    log = json.loads(answer("diff", EDITED / "before/1", EDITED / "after/1", "--format", "json"))["logs"][0]
    found = {tuple(side and side["name"] for side in function["sides"]) for function in log["functions"]}
    assert found == {("normalize", "normalize"), ("smooth", "blend"), ("report", "report"), ("scale", None), (None, "power"),
                     ("torch_dynamo_resume_in_report_at_15", None)}, found


@case
def a_log_beside_a_report_is_read():
    """A report that was written into the folder of the logs does not hide them."""
    with tempfile.TemporaryDirectory() as folder:
        assert call("graph_breaks", "-o", folder, "--no-browser").returncode == 0
        (Path(folder) / "later.log").write_bytes(samples.read(next((samples.LOGS / "simple").glob("*.log*"))))
        done = call(folder, "-o", Path(folder) / "new", "--no-browser")
        assert done.returncode == 0 and b"later.log" in done.stderr, done.stderr


@case
def sides_of_a_diff_need_runs():
    base, new = DIFFS["cache_runs"]
    for arguments, text in ((("--new", new), "no run before the change"), (("--base", base, base), "no run after the change"),
                            ((base, new, base), "use --base and --new")):
        done = call("diff", *arguments)
        assert done.returncode == 2 and text in done.stderr.decode(), (arguments, done.stderr)


@case
def json_fits_its_schema():
    validator = validate.documented("summary.schema.json")
    for log in LOGS:
        for top in (1, 1000):
            value = json.loads(answer("summary", log, "--format", "json", "--top", top))
            validate.check(validator, value)
            assert len(value["findings"]) <= top
    validator = validate.documented("diff.schema.json")
    for base, new in DIFFS.values():
        for more in ((), ("--stat",), ("--fail-on", "time>+100000%,breaks>99")):
            value = json.loads(answer("diff", base, new, "--format", "json", *more))
            validate.check(validator, value)
            assert len(value["limits"]) == (2 if more and more[0] == "--fail-on" else 0)
            assert ("findings" in value) == (more != ("--stat",))


@case
def top_limits_the_lists():
    few, all_ = (answer("summary", "recompiles", "--top", top) for top in (2, 1000))
    assert few.count("\n↻ ") + few.count("\n✕ ") + few.count("\n! ") + few.count("\ni ") == 2
    assert re.search(r"\n9 more issues: use --top 11\n", few) and "more issue" not in all_


@case
def limits_decide_the_exit_status():
    base, new = DIFFS["cache_runs"]
    answer("diff", base, new, "--fail-on", "breaks>0")
    text = answer("diff", new, base, "--fail-on", "time>+1000000%", "--fail-on", "guards>-1,failures>0", status=1)
    assert "time>+1000000%: kept" in text and "guards>-1: exceeded" in text and "failures>0: kept" in text
    for wrong in ("time", "time>", "time>10", "breaks>1s", "nothing>1", "time>1%,", ""):
        done = call("diff", base, new, "--fail-on", wrong)
        assert done.returncode == 2 and not done.stdout and b"tlparse: " in done.stderr, (wrong, done)


@case
def failures_exit_with_2():
    with tempfile.TemporaryDirectory() as folder:
        bad, other = Path(folder) / "bad.json", Path(folder) / "other.json"
        bad.write_text('{"format": ')
        other.write_text('{"format": "tlparse-report", "version": 3, "kind": "run"}')
        for arguments, text in ((("summary", f"{folder}/none.log"), "No such file"),
                                (("summary", bad), "invalid JSON at byte"),
                                (("summary", other), "version 3, but this tlparse reads version 2"),
                                (("summary", "graph_breaks", "--format", "xml"), "expected text, json, markdown or sarif"),
                                (("summary", "graph_breaks", "--serve"), "unknown option --serve"),
                                (("diff", "graph_breaks"), "nothing to compare: diff needs two runs, but the path is one run"),
                                (("diff", "a", "b", "c"), "compares two runs")):
            done = call(*arguments)
            assert done.returncode == 2 and not done.stdout and text in done.stderr.decode(), (arguments, done)


@case
def nothing_is_written():
    with tempfile.TemporaryDirectory() as folder:
        before = os.getcwd()
        os.chdir(folder)
        try:
            keep = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
            for command in (["summary", "graph_breaks"], ["diff", *DIFFS["cache_runs"]]):
                paths = [str(samples.LOGS / path) for path in command[1:]]
                done = subprocess.run([common.tlparse, command[0], *paths], capture_output=True, env=keep)
                assert done.returncode == 0 and done.stdout and not os.listdir("."), os.listdir(".")
        finally:
            os.chdir(before)


@case
def color_is_for_terminals():
    plain = answer("summary", "graph_breaks", columns=200)  # at 80, a text is cut at another word: colors need no backquotes
    colored = on_terminal("summary", "graph_breaks", COLUMNS="200")
    assert "\x1b[1mIssues" in colored
    words = re.sub(r"\x1b\[\d+m", "", colored).replace("`", "").split()
    assert words == plain.replace("`", "").split()
    plain = answer("summary", "graph_breaks")
    assert on_terminal("summary", "graph_breaks", NO_COLOR="1") == plain
    assert on_terminal("summary", "graph_breaks", TERM="dumb") == plain


@case
def text_of_a_log_cannot_control_the_terminal():
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "evil.log"
        metrics = json.dumps({"co_name": "f\u001b[31m<b>|`@x", "co_filename": "a\u202eb.py", "co_firstlineno": 3,
                              "fail_type": "E\u0007", "fail_reason": "\u001b]0;title\u0007 reason | <script>"})
        log.write_text(f'V0101 12:00:00.000000 7 torch/a.py:1] {{"compilation_metrics": {metrics}, "frame_id": 0, '
                       f'"frame_compile_id": 0, "attempt": 0}}\n')
        text = answer("summary", log)
        assert "\x1b" not in text and "\x07" not in text and "\u202e" not in text and "\\x1b" in text
        markdown = answer("summary", log, "--format", "markdown")
        assert "\x1b" not in markdown and "<script>" not in markdown and "<b>" not in re.sub(r"`[^`]*`", "", markdown)
        assert json.loads(answer("summary", log, "--format", "json"))["findings"]


@case
def reads_standard_input():
    with open(samples.logs()[0], "rb") as log:
        text = answer("summary", "-", stdin=log)
    assert text.startswith("-\n")


def use(tlparse, update):
    common.tlparse, common.update = tlparse, update


if __name__ == "__main__":
    sys.exit(main(__doc__, use, updates=True))

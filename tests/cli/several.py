"""Cases with several logs, or with several processes or ranks in one: which are read, how they are grouped, and what is said."""
import gzip
import hashlib
import json
import os
import re
import shutil
from pathlib import Path

import inputs
from common import (DEDICATED, Skipped, call, case, compiles, contents, fails, files_of, makes, process, raw, record, report, said,
                    without_strings)


@case
def merges_all_processes_into_one_report():
    os.makedirs("ci/job/deep")
    os.makedirs("ci/other")
    Path("ci", f"{DEDICATED}a.log").write_text(process(11, "first")[:-1])  # no final newline
    Path("ci/job/deep", f"{DEDICATED}b.log.gz").write_bytes(gzip.compress(process(12, "second", 13).encode()))
    Path("ci/other", f"{DEDICATED}c.log").write_text("rubbish\n" + process(13, "third", 12))
    os.symlink("..", "ci/other/loop")
    done = makes("ci")
    lines = said(done).splitlines()
    assert lines[0] == "tlparse: looking for logs in ci", lines
    assert lines[1].startswith("tlparse: reading 3 logs as processes of one run (use --compare to compare them): "), lines
    assert f"ci/other/{DEDICATED}c.log:1: unrecognized line: rubbish" in lines, lines
    assert compiles() == [(11, "11:0/0", "first"), (13, "13:0/0", "third"), (12, "12:0/0", "second")], compiles()
    assert files_of() == {"first": "/src/first.py", "second": "/src/second.py", "third": "/src/third.py"}
    found = report()
    assert found["kind"] == "run" and found["totals"]["compiles"] == 3 and found["checks"] == []
    assert [(f["name"], f["first_line"], f["records"]) for f in found["log"]["files"]] == [
        (f"{DEDICATED}a.log", 1, 3), (f"other/{DEDICATED}c.log", 4, 3), (f"job/deep/{DEDICATED}b.log.gz", 8, 3)]
    assert [(f["line"], f["file"], f["file_line"]) for f in found["log"]["faults"]] == [(4, f"other/{DEDICATED}c.log", 1)]
    why, = (f["why"] for f in found["findings"] if f["kind"] == "log_fault")
    assert why.startswith(f"other/{DEDICATED}c.log, line 1: unrecognized line. "), why
    assert raw() == (process(11, "first") + "rubbish\n" + process(13, "third", 12) + process(12, "second", 13)).encode()
    # A report inside the folder is not read as a log.
    shutil.move("out", "ci/report")
    makes("ci", out="again")
    assert contents("again") == contents("ci/report")
    makes("ci", out="ci/report2")
    makes("ci", "--overwrite", out="ci/report2")
    assert compiles("ci/report2") == compiles("again")
    for threads in ("0", "1", "3"):
        makes("ci", "--threads", threads, "--block-bytes", "100", out=f"threads{threads}")
        assert contents(f"threads{threads}") == contents("again")


@case
def events_of_several_files_have_process_ids():
    """PyTorch writes pid 0 in every process."""
    for number in (11, 12):
        event = json.dumps({"name": "f", "ph": "X", "ts": 1767265200e6, "dur": 1, "pid": 0, "tid": 0})
        text = record(payload=event).replace('"artifact": {"name": "text", "encoding": "string"}', '"chromium_event": {}')
        Path(f"{number}.log").write_text(text.replace(" 7 ", f" {number} "))
    Path("empty.log").write_text("")
    makes("11.log", "12.log", "empty.log")
    assert [e["pid"] for e in json.loads(Path("out/chromium_events.json").read_text())] == [11, 12]
    makes("11.log", out="one")
    assert [e["pid"] for e in json.loads(Path("one/chromium_events.json").read_text())] == [0]  # the contract


@case
def earlier_runs_are_skipped():
    os.mkdir("logs")
    for number, hour in ((11, 8), (12, 9), (13, 11), (14, 12)):
        Path("logs", f"{DEDICATED}{number}.log").write_text(process(number, "f", hour))
    done = makes("logs")
    assert [number for number, *_ in compiles()] == [13, 14]
    assert f"tlparse: skipping 2 logs written more than an hour before the others: {DEDICATED}11.log, {DEDICATED}12.log\n" in said(done)


@case
def two_logs_are_runs_and_three_are_processes():
    for number in (11, 12, 13):
        Path(f"{number}.log").write_text(process(number, "f"))
    done = makes("11.log", "12.log", out="two")
    assert "tlparse: comparing 2 runs: 11.log, 12.log\n" in said(done)
    assert report("two")["kind"] == "runs" and [r["name"] for r in report("two")["ranks"]] == ["11.log", "12.log"]
    assert report("two")["totals"]["compiles"] == 2 and report("two")["totals"]["statuses"]["ok"] == 2
    makes("12.log", "11.log", out="turned")
    assert [r["name"] for r in report("turned")["ranks"]] == ["12.log", "11.log"]
    done = makes("11.log", "12.log", "13.log", out="three")
    assert "tlparse: reading 3 logs as processes of one run (use --compare to compare them)\n" in said(done)
    assert report("three")["kind"] == "run" and len(compiles("three")) == 3
    done = makes("11.log", "12.log", "13.log", "--compare", out="compared")
    assert "tlparse: comparing 3 runs: 11.log, 12.log, 13.log\n" in said(done)
    assert report("compared")["kind"] == "runs" and len(report("compared")["ranks"]) == 3
    for name in ("old", "new"):
        os.mkdir(name)
        for number in (11, 12):
            Path(name, f"{DEDICATED}{name}{number}.log").write_text(process(number, name))
    assert "tlparse: comparing 2 runs: old, new\n" in said(makes("old", "new/", out="folders"))
    assert [(r["name"], r["compiles"], len(r["files"])) for r in report("folders")["ranks"]] == [("old", 2, 2), ("new", 2, 2)]
    for count, last in ((6, "f5"), (7, "f4 and 2 more folders")):  # never "1 more folders"
        for number in range(count):
            os.makedirs(f"f{number}", exist_ok=True)
            Path(f"f{number}", f"{DEDICATED}{number}.log").write_text(process(number, "f"))
        folders = [f"f{number}" for number in range(count)]
        assert re.search(rf"looking for logs in f0, f1, .*{last}\n", said(makes(*folders, out=f"folders{count}")))
    makes("old", "--compare", out="apart")
    assert report("apart")["kind"] == "runs" and len(report("apart")["ranks"]) == 2


@case
def a_file_is_read_once():
    Path("a.log").write_text(process(11, "f"))
    os.link("a.log", "same.log")
    for again in ("a.log", "./a.log", "same.log"):
        done = makes("a.log", again, "--overwrite")
        assert f"tlparse: {again} is listed twice; reading it once\n" in said(done)
        assert len(compiles()) == 1 and raw() == process(11, "f").encode()


@case
def processes_in_one_log_are_identified():
    again = "".join(line for line in process(11, "f").splitlines(True) if '"str"' not in line)
    Path("pasted.log").write_text(process(11, "f") + process(12, "g") + again)
    done = makes("pasted.log")
    assert "tlparse: pasted.log has records of 2 processes; compile ids include the process id\n" in said(done)
    assert compiles() == [(11, "11:0/0", "f"), (12, "12:0/0", "g"), (11, "11:0/0#2", "f")], compiles()
    assert [(p["process"], p["records"], p["compiles"], p["first_line"]) for p in report()["log"]["processes"]] == [
        (11, 4, 2, 1), (12, 2, 1, 4)]
    assert [f["kind"] for f in report()["findings"]].count("several_processes") == 1
    Path("other.log").write_text(process(13, "f"))
    done = makes("pasted.log", "other.log", out="runs")
    assert said(done).count("compile ids include") == 1 and "tlparse: pasted.log has records of 2 processes" in said(done)
    # Neither a process without compiles nor ranks cause the message.
    Path("quiet.log").write_text(process(11, "f") + 'V0101 12:00:00.000000 12 a.py:1] {"x": 1}\n')
    assert "compile ids include" not in said(makes("quiet.log", out="quiet"))
    assert [(p["process"], p["compiles"]) for p in report("quiet")["log"]["processes"]] == [(11, 1), (12, 0)]
    assert "several_processes" not in [f["kind"] for f in report("quiet")["findings"]]
    ranks = "".join(process(11 + rank, "f").replace('"frame_id"', f'"rank": {rank}, "frame_id"') for rank in (0, 1))
    Path("ranks.log").write_text(ranks)
    assert "compile ids include" not in said(makes("ranks.log", out="ranks"))


@case
def distinguishes_processes_with_the_same_id():
    """Processes in different containers have the same id."""
    for name in "abc":
        Path(f"{name}.log").write_text(process(7, name))
    done = makes("a.log", "b.log", "c.log")
    assert "tlparse: 3 logs: 2 processes have the id of an earlier one; 7.2 means the second process 7\n" in said(done)
    assert compiles() == [(7, "7:0/0", "a"), (7, "7.2:0/0", "b"), (7, "7.3:0/0", "c")], compiles()
    assert [c.get("process_file") for c in report()["compiles"]] == ["a.log", "b.log", "c.log"]
    assert [(p["process"], p.get("nth"), p["file"]) for p in report()["log"]["processes"]] == [
        (7, None, "a.log"), (7, 2, "b.log"), (7, 3, "c.log")]
    assert files_of() == {name: f"/src/{name}.py" for name in "abc"}
    assert [node["function"] for node in report()["stacks"]] == ["a", "b", "c"]
    for threads in ("0", "3"):
        makes("a.log", "b.log", "c.log", "--threads", threads, "--block-bytes", "100", out=f"threads{threads}")
        assert contents(f"threads{threads}") == contents("out")
    # A process continues in a second file, as after log rotation: its compiles are generations.
    Path("a.log.1").write_text(process(7, "a"))
    Path("later.log").write_text(without_strings(process(7, "a", 13)))
    Path("other.log").write_text(process(8, "o"))
    done = makes("later.log", "a.log.1", "other.log", out="rotated")
    assert "the id of" not in said(done)
    assert compiles("rotated") == [(7, "7:0/0", "a"), (8, "8:0/0", "o"), (7, "7:0/0#2", "a")], compiles("rotated")
    assert files_of("rotated")["a"] == "/src/a.py"
    # Logs of two containers in one file. Records of the second before its first string belong to it.
    event = json.dumps({"name": "dynamo", "ph": "B", "ts": 1767265300e6, "pid": 0, "tid": 0})
    begin = record(payload=event).replace('"artifact": {"name": "text", "encoding": "string"}', '"chromium_event": {}')
    end = begin.replace('\\"B\\"', '\\"E\\"').replace('"ph": "B"', '"ph": "E"')
    digests = [hashlib.md5(text.split("\t")[1].strip().encode()).hexdigest() for text in (begin, end)]
    end = end.replace(*digests)
    Path("pasted.log").write_text(process(7, "f") + begin + process(7, "g") + end)
    done = makes("pasted.log", "--strict", out="pasted")
    assert "tlparse: pasted.log has records of 2 processes; compile ids include the process id\n" in said(done)
    assert compiles("pasted") == [(7, "7:0/0", "f"), (7, "7.2:0/0", "g")], compiles("pasted")
    assert [c["key"] for c in report("pasted")["compiles"]] == ["7:0/0", "7.2:0/0"] and report("pasted")["unfinished"] == []
    why, = (f["why"] for f in report("pasted")["findings"] if f["kind"] == "several_processes")
    assert why.startswith("Their process ids are 7, 7.2.") and "as in containers, are numbered" in why, why
    # Ranks in one file may have the same process id; their records contain the rank.
    ranks = "".join(process(7, "f").replace('"frame_id"', f'"rank": {rank}, "frame_id"') for rank in (0, 1))
    Path("ranks.log").write_text(ranks)
    assert "the id of" not in said(makes("ranks.log", out="ranks"))
    assert [(r["rank"], r["compiles"]) for r in report("ranks")["ranks"]] == [(0, 1), (1, 1)]


@case
def redefined_strings_keep_older_stacks():
    """Different runs in containers have the same process id."""
    Path("pasted.log").write_text(process(1, "f") + process(1, "g"))
    makes("pasted.log")
    assert files_of() == {"f": "/src/f.py", "g": "/src/g.py"}
    # A forked process does not define the strings of its parent again.
    child = "".join(line for line in process(2, "child").splitlines(True) if '"str"' not in line)
    Path("forked.log").write_text(process(1, "f") + child)
    makes("forked.log", out="forked")
    assert files_of("forked") == {"f": "/src/f.py", "child": "/src/f.py"}


@case
def reports_logs_without_records():
    for name, content in (("empty.log", b""), ("text.log", b"hello\nworld\n"), ("cut.log", b"V0101 12:00:00.000000 7 a.py:1] {\n")):
        Path(name).write_bytes(content)
        done = makes(name, out=f"out_{name}")
        assert f"tlparse: no trace records in {name}\n" in said(done)
        assert report(f"out_{name}")["log"]["empty"] is True
        assert [f["kind"] for f in report(f"out_{name}")["findings"]][0] == "no_records"
    Path("good.log").write_text(process(11, "f"))
    done = makes("good.log", "empty.log", "text.log", out="three")
    assert said(done).count("no trace records in") == 2 and report("three")["log"]["empty"] is False
    done = makes("good.log", "empty.log", out="two")
    assert "tlparse: no trace records in empty.log\n" in said(done)
    assert "no trace records" not in said(makes("good.log", out="good"))
    assert report("good")["log"]["empty"] is False


@case
def skips_an_unreadable_file_among_several():
    for number in (11, 12):
        Path(f"{number}.log").write_text(process(number, "f"))
    Path("bad.log.xz").write_bytes(b"\xfd7zXZ\0\0\0\0\0")
    done = makes("11.log", "bad.log.xz", "12.log")
    assert "cannot read bad.log.xz: xz compression is not supported" in said(done)
    assert len(compiles()) == 2 and ["xz" in (f["damage"] or "") for f in report()["log"]["files"]] == [False, False, True]


@case
def latest_searches_subfolders():
    os.makedirs("logs/a")
    Path("logs/README.md").write_text("# a note\n")
    Path("logs/a", f"{DEDICATED}x.log").write_text(record())
    assert f"reading 1 log: a/{DEDICATED}x.log" in said(makes("logs", "--latest"))
    os.mkdir("logs/b")
    Path("logs/b/all.log").write_text(record())
    assert "skipping 1 log not named dedicated_log_torch_trace_*: b/all.log\n" in said(makes("logs", out="named"))


@case
def does_not_treat_logs_without_a_rank_as_ranks():
    os.mkdir("logs")
    for name in "xy":
        Path("logs", f"{DEDICATED}{name}.log").write_text(record())
    words = said(makes("logs", "--all-ranks-html"))
    assert "reading 2 logs without ranks as separate runs: " in words and "ranks of one job" not in words, words
    assert json.loads(Path("out/report.json").read_text())["kind"] == "runs"


@case
def compare_needs_two_runs():
    Path("a.log").write_text(record())
    assert "tlparse: nothing to compare: --compare needs at least two runs, but there is only one log\n" in said(makes("a.log", "--compare"))
    assert "compare" not in said(makes("a.log", out="plain"))


@case
def finds_records_of_other_ranks_in_a_run():
    Path("mixed.log").write_text(record(rank=0) + record(rank=1, payload="other") + record(rank=1, payload="more"))
    Path("plain.log").write_text(record())
    makes("mixed.log", "plain.log")
    run = json.loads(Path("out/rank_none/report.json").read_text())
    found = [finding for finding in run["findings"] if finding["kind"] == "log_fault"]
    assert [f["title"] for f in found] == ["2 records of other ranks are left out"], found
    assert found[0]["why"] == "Several ranks wrote into this log; this report is of rank 0 only.", found
    makes("mixed.log", out="split")
    whole = json.loads(Path("split/report.json").read_text())
    assert whole["log"]["records"] == 1 and whole["all_ranks"]["records"] == 3, whole["log"]
    assert not [finding for finding in whole["findings"] if finding["kind"] == "log_fault"]


@case
def lists_at_most_five_files():
    os.mkdir("logs")
    for i in range(20):
        Path("logs", f"{DEDICATED}{i:02}.log").write_text(record())
        os.utime(Path("logs", f"{DEDICATED}{i:02}.log"), (1e9 + i, 1e9 + i))
    names = [f"{DEDICATED}{i:02}.log" for i in range(19)]
    assert f"skipping 19 logs: {', '.join(names[:5])} and 14 more\n" in said(makes("logs", "--latest"))
    assert f"skipping 19 logs: {', '.join(names)}\n" in said(makes("logs", "--latest", "-v", out="verbose"))


@case
def selects_one_rank_of_a_shared_log():
    Path("all.log").write_text("".join(record(rank=rank, payload=f"I am {rank}") for rank in (4, 6)))
    makes("all.log", "--rank", "6")
    assert Path("out/-_0_0_0/text_0.txt").read_text() == "I am 6"
    assert "has no records of rank 5" in said(makes("all.log", "--rank", "5", out="none"))


@case
def combines_several_ranks():
    os.mkdir("logs")
    for rank in (10, 2, 7):
        Path("logs", f"{DEDICATED}rank_{rank}_x.log").write_text(record(rank=rank, payload=f"I am {rank}"))
    done = makes("logs")
    assert "reading 3 logs as ranks of one job: " in said(done)
    for rank in (10, 2, 7):
        assert f"I am {rank}".encode() in Path(f"out/rank_{rank}/raw.log").read_bytes()
    ranks = json.loads(Path("out/report.json").read_text())
    assert [r["rank"] for r in ranks["ranks"]] == [2, 7, 10] and ranks["missing_ranks"] == [0, 1, 3, 4, 5, 6, 8, 9]
    files = sorted(Path("logs").iterdir())
    done = makes(*files, out="named")
    assert "looking for" not in said(done) and os.path.isdir("named/rank_7")
    makes("logs", "--rank", "7", out="one")
    assert sorted(d for d in os.listdir("one") if d.startswith("rank_")) == ["rank_7"]
    makes(files[0], "--all-ranks-html", out="single")
    assert os.path.isdir("single/rank_10")
    fails(2, "--latest cannot be used with --all-ranks-html", "logs", "--latest", "--all-ranks-html")
    fails(1, "no log of rank 99 found", "logs", "--rank", "99", "-o", "none")


@case
def splits_ranks_in_one_file():
    Path("mixed.log").write_text(record(rank=1, payload="I am 1") + record(rank=0, payload="I am 0") + record(rank=1, payload="I am 1 too"))
    done = makes("mixed.log")
    assert "this log has records of 2 ranks" in said(done) and "Stats { ok: 3 }" in said(done)
    ranks = json.loads(Path("out/report.json").read_text())["ranks"]
    assert [(r["rank"], r["dir"]) for r in ranks] == [(0, "rank_0"), (1, "")]
    assert b"I am 0" in b"".join(p.read_bytes() for p in Path("out/rank_0").rglob("*.txt"))
    makes("mixed.log", "--rank", "0", "--strict", out="zero")
    assert not os.path.exists("zero/rank_1") and b"I am 1" not in b"".join(p.read_bytes() for p in Path("zero").rglob("*.txt"))


def input_case(row):
    def run():
        if not inputs.check(row, call, report):
            raise Skipped(f"no {row['needs']}")

    run.__name__ = "input_" + re.sub(r"\W+", "_", row["name"])
    case(run)


for each in inputs.rows(process):
    input_case(each)

#!/usr/bin/env python3
"""Tests of the command line: input, messages, exit status, and what a failed run leaves behind.

    run.py --tlparse build/tlparse [NAME...]     only the cases whose name starts with NAME

Each case runs in a temporary folder with a clean environment. The last line is `N passed, N failed, N skipped`.
"""
import gzip
import hashlib
import json
import os
import pty
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import hooks
import inputs
import redaction
import share
from cases import Skipped, case, main

LIMIT_S = 60
TLPARSE = None
DEDICATED = "dedicated_log_torch_trace_"


def record(name="text", payload="hello", rank=None, ids='"frame_id": 0, "frame_compile_id": 0, "attempt": 0'):
    """The record of one artifact, which becomes one file."""
    body = "".join(f"\t{line}\n" for line in payload.split("\n"))
    digest = hashlib.md5(payload.encode()).hexdigest()
    rank = "" if rank is None else f'"rank": {rank}, '
    return (f'V0101 12:00:00.000000 7 torch/a.py:1] {{"artifact": {{"name": "{name}", "encoding": "string"}}, '
            f'{rank}{ids}, "has_payload": "{digest}"}}\n{body}')


def environment(**more):
    keep = {name: os.environ[name] for name in ("PATH", "HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")
            if name in os.environ}
    return {**keep, "LC_ALL": "C", "XDG_CONFIG_HOME": str(Path("config").absolute()), **more}


def call(*arguments, stdin=b"", env=None, cwd=None, before=None):
    return subprocess.run([TLPARSE, *map(str, arguments)], input=stdin, capture_output=True, env=environment(**(env or {})), cwd=cwd,
                          timeout=LIMIT_S, preexec_fn=before)


def said(done):
    return done.stderr.decode()


def last_line(done):
    return said(done).rstrip("\n").split("\n")[-1]


def makes(*arguments, out="out", **how):
    """Runs a call that must succeed and leave a report and nothing else."""
    done = call(*arguments, "-o", out, "--no-browser", **how)
    assert done.returncode == 0, said(done)
    assert done.stdout == b"", done.stdout
    assert last_line(done).startswith("Stats { "), said(done)
    assert (Path(how.get("cwd") or ".") / out / "index.html").exists()
    assert not hidden(), hidden()
    return done


def fails(status, text, *arguments, **how):
    done = call(*arguments, **how)
    assert done.returncode == status, (done.returncode, said(done))
    assert text in said(done), said(done)
    assert done.stdout == b"", done.stdout
    return done


def hidden(folder="."):
    return [str(p) for p in Path(folder).glob(".*")]


def raw(out="out"):
    return (Path(out) / "raw.log").read_bytes()


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(Path(folder).rglob("*")) if p.is_file()}


def wait_until(condition):
    end = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.01)


# ---- help, version, usage errors


@case
def prints_help_and_version():
    for option in ("-h", "--help"):
        done = call(option)
        assert done.returncode == 0 and b"Usage: tlparse" in done.stdout and not done.stderr
    for option in ("-V", "--version"):
        done = call(option)
        assert done.returncode == 0 and done.stdout.startswith(b"tlparse ") and done.stdout.count(b"\n") == 1
    done = call("--completion", "bash")
    assert done.returncode == 0 and b"complete -F" in done.stdout


@case
def parse_is_the_call_by_name():
    Path("a.log").write_text(record())
    for out, arguments in (("bare", ["a.log"]), ("named", ["parse", "a.log"])):
        assert call(*arguments, "-o", out, "--no-browser").returncode == 0
    files = sorted(str(p.relative_to("bare")) for p in Path("bare").rglob("*") if p.is_file())
    assert "report.json" in files
    assert files == sorted(str(p.relative_to("named")) for p in Path("named").rglob("*") if p.is_file())
    for file in files:
        assert (Path("bare") / file).read_bytes() == (Path("named") / file).read_bytes(), file
    done = call("parse", "--help")
    assert done.returncode == 0 and b"--overwrite" in done.stdout and b"\nCommands" not in done.stdout
    assert b"\nCommands" in call("--help").stdout
    done = call("parse", "--foo")
    assert done.returncode == 2 and "unknown option --foo" in said(done)
    assert "run 'tlparse parse --help' for a list of options" in said(done)  # the help of the command that was named
    assert "run 'tlparse --help' for a list of options" in said(call("--foo"))


@case
def names_the_nearest_option_and_command():
    Path("a.log").write_text(record())
    fails(2, "unknown option --overwite: did you mean --overwrite?", "a.log", "--overwite")
    fails(2, "option --stri is ambiguous: --strict or --strict-compile-id", "a.log", "--stri")
    fails(1, "did you mean the command 'tlparse summary'?", "sumary", "a.log")
    assert "did you mean" not in said(fails(1, "b.log", "b.log"))
    Path("sumary").write_text(record())
    assert call("sumary", "--no-browser").returncode == 0  # a file comes first


@case
def options_of_the_server_need_it():
    Path("a.log").write_text(record())
    for option in (["--port", "0"], ["--host", "127.0.0.1"]):
        fails(2, f"{option[0]} requires --serve", "a.log", *option)
    assert os.listdir(".") == ["a.log"]


@case
def a_file_called_parse_needs_its_folder():
    Path("parse").write_text(record())
    assert call("./parse", "-o", "here", "--no-browser").returncode == 0 and Path("here/report.json").is_file()
    assert call("parse", "./parse", "-o", "named", "--no-browser").returncode == 0 and Path("named/report.json").is_file()
    assert call("parse", "-o", "none", "--no-browser").returncode == 2 and not Path("none").exists()  # no path is left
    assert call("--no-browser", "parse", "-o", "behind").returncode == 0  # only the first word is a command


@case
def help_to_a_full_disk_fails():
    if not Path("/dev/full").exists():
        raise Skipped("no /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([TLPARSE, "--help"], stdout=full, stderr=subprocess.PIPE, timeout=LIMIT_S)
    assert done.returncode == 1 and b"No space left" in done.stderr


@case
def usage_errors_exit_with_2():
    Path("a.log").write_text(record())
    for arguments in (["--foo", "a.log"], ["-o"], ["a.log", "--threads", "many"], ["--latest", "a.log"], []):
        done = call(*arguments)
        assert done.returncode == 2, arguments
        assert done.stdout == b""
        first, second = said(done).splitlines()
        assert first.startswith("tlparse: ") and second.startswith("hint: ")
    assert os.listdir(".") == ["a.log"]


@case
def explains_how_to_record_a_log():
    done = fails(2, "TORCH_TRACE=DIR python train.py")
    assert said(done).splitlines() == ["tlparse: no log given", "hint: record one with TORCH_TRACE=DIR python train.py, then run tlparse DIR; "
                                       "or: tlparse run -- python train.py"]


# ---- input


@case
def reads_a_file():
    Path("a.log").write_text(record())
    done = makes("a.log")
    assert said(done).splitlines() == ["report: out/index.html", "Stats { ok: 1 }"]
    assert raw() == Path("a.log").read_bytes()
    assert Path("out/-_0_0_0/text_0.txt").read_text() == "hello"


@case
def writes_to_tl_out():
    Path("a.log").write_text(record())
    done = call("a.log", "--no-browser")
    assert done.returncode == 0 and Path("tl_out/index.html").exists()


@case
def reads_compressed_logs():
    text = record().encode() * 100
    Path("gzip.log").write_bytes(gzip.compress(text[:1000]) + gzip.compress(text[1000:]))
    makes("gzip.log")  # detected from magic bytes, not from the name
    assert raw() == text
    if not shutil.which("zstd"):
        raise Skipped("zstd is not installed")
    Path("plain.log").write_bytes(text)
    subprocess.run(["zstd", "-q", "plain.log", "-o", "packed.log.zst"], check=True)
    makes("packed.log.zst", out="zstd")
    assert raw("zstd") == text


@case
def reads_a_truncated_log():
    text = b"".join(record(payload=hashlib.sha512(b"%d" % i).hexdigest()).encode() for i in range(5000))
    Path("cut.log.gz").write_bytes(gzip.compress(text)[:-20000])
    done = makes("cut.log.gz")
    assert "tlparse: cut.log.gz: the gzip data is truncated" in said(done)
    assert 100000 < len(raw()) < len(text) and text.startswith(raw())


@case
def reads_standard_input():
    done = makes("-", stdin=record().encode() + b"rubbish\n")
    assert raw() == record().encode() + b"rubbish\n"
    assert "(standard input):3: " in said(done)
    makes("-", out="gz", stdin=gzip.compress(record().encode()))
    assert raw("gz") == record().encode()


@case
def reads_an_empty_log():
    Path("a.log").write_bytes(b"")
    done = makes("a.log", "--strict")
    assert last_line(done) == "Stats { }"


@case
def latest_reads_the_newest_log_of_a_folder():
    os.mkdir("logs")
    for age, name in enumerate((f"{DEDICATED}new.log", f"{DEDICATED}old.log", "other.log", "note.md")):
        Path("logs", name).write_text(record(payload=name))
        os.utime(Path("logs", name), (1e9 - age, 1e9 - age))
    os.utime("logs/other.log", (2e9, 2e9))
    done = makes("logs", "--latest")
    assert b"other.log" in raw()
    assert said(done).splitlines()[:3] == ["tlparse: looking for logs in logs",
                                           "tlparse: reading 1 log: other.log",
                                           f"tlparse: skipping 2 logs: {DEDICATED}new.log, {DEDICATED}old.log"]
    makes(out="env", env={"TORCH_TRACE": "logs"})
    assert b"new.log" in raw("env")
    makes("logs/other.log", out="named", env={"TORCH_TRACE": "nowhere"})
    assert b"other.log" in raw("named")
    fails(1, "cannot open nowhere", env={"TORCH_TRACE": "nowhere"})


@case
def reads_the_folder_of_torch_compile_debug():
    """Where PyTorch writes logs with TORCH_COMPILE_DEBUG=1; TORCH_TRACE goes first."""
    fails(2, "no log given")
    for top in ("torch_compile_debug", "debug/torch_compile_debug", "trace"):
        folder = Path(top) / ("" if top == "trace" else "tlparse")
        os.makedirs(folder)
        (folder / f"{DEDICATED}a.log").write_text(record(payload=f"of {top}"))
    for out, env, folder, top in (("a", {}, "torch_compile_debug/tlparse", "torch_compile_debug"),
                                  ("b", {"TORCH_TRACE": ""}, "torch_compile_debug/tlparse", "torch_compile_debug"),
                                  ("c", {"TORCH_COMPILE_DEBUG_DIR": "debug"}, "debug/torch_compile_debug/tlparse ($TORCH_COMPILE_DEBUG_DIR)",
                                   "debug/torch_compile_debug"),
                                  ("d", {"TORCH_COMPILE_DEBUG_DIR": "debug", "TORCH_TRACE": "trace"}, "trace ($TORCH_TRACE)", "trace")):
        done = makes(out=out, env=env)
        assert said(done).splitlines()[0] == f"tlparse: looking for logs in {folder}", said(done)
        assert f"of {top}\n".encode() in raw(out)
    assert call("summary").stdout.startswith(b"torch_compile_debug/tlparse\n")
    fails(2, "no log given", env={"TORCH_COMPILE_DEBUG_DIR": "nowhere"})


def process(number, function, hour=12, generation=1):
    """The log of a process that compiles one function `generation` times."""
    lead = f"V0101 {hour:02}:00:00.000000 {number} torch/a.py:1] "
    stack = json.dumps([{"line": number % 1000, "name": function, "filename": 0}])
    ids = '"frame_id": 0, "frame_compile_id": 0, "attempt": 0'
    metrics = json.dumps({"co_name": function, "co_filename": "a.py", "co_firstlineno": 1, "graph_op_count": 1,
                          "start_time": 1767265200.5, "duration_us": 1000})
    return (lead + json.dumps({"str": [f"/src/{function}.py", 0]}) + "\n"
            + (lead + f'{{"dynamo_start": {{"stack": {stack}}}, {ids}}}\n'
               + lead + f'{{"compilation_metrics": {metrics}, {ids}}}\n') * generation)


def report(out="out"):
    return json.loads(Path(out, "report.json").read_text())


def compiles(out="out"):
    return [(c["process"], c["key"], c["frame"]["function"]) for c in report(out)["compiles"] if c["frame"]]


def files_of(out="out"):
    """Maps the function of each stack frame to its file."""
    return {node["function"]: node["file"] for node in report(out)["stacks"]}


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


def without_strings(text):
    return "".join(line for line in text.splitlines(True) if '"str"' not in line)


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


@case
def rejects_unreadable_input():
    fails(1, "tlparse: cannot open nowhere.log: No such file", "nowhere.log")
    os.mkdir("empty")
    fails(1, "no logs found in empty", "empty")
    Path("a.log.xz").write_bytes(b"\xfd7zXZ\0\0\0\0\0")
    fails(1, "hint: decompress it first: xz -dc", "a.log.xz")
    assert sorted(os.listdir(".")) == ["a.log.xz", "empty"]


def input_case(row):
    def run():
        if not inputs.check(row, call, report):
            raise Skipped(f"no {row['needs']}")

    run.__name__ = "input_" + re.sub(r"\W+", "_", row["name"])
    case(run)


for each in inputs.rows(process):
    input_case(each)


# ---- messages


@case
def log_errors_have_a_line_and_are_sanitized():
    Path("a.log").write_bytes(record().encode() + b"evil \x1b]0;title\x07\x1b[2J \xff\xc2\x9b31m\n" * 1237)
    done = makes("a.log")
    lines = said(done).splitlines()
    faults = [line for line in lines if line.startswith("a.log:")]
    assert [line.split(": ")[0] for line in faults] == ["a.log:3", "a.log:4", "a.log:5"]
    assert "evil \\x1b]0;title\\x07\\x1b[2J" in faults[0], faults
    assert not any(byte in done.stderr for byte in (b"\x1b", b"\x07", b"\x9b"))
    assert [line for line in lines if line.startswith("… and 1,234 more: ")]
    assert last_line(done) == "Stats { ok: 1, fail_glog: 1237 }"


@case
def file_names_are_sanitized():
    name = "a\x1b[31m\n.log"
    Path(name).write_text("rubbish\n")
    done = makes(name)
    assert b"\x1b" not in done.stderr
    done = fails(1, "\\x1b[31m", f"nowhere{name}")
    assert b"\x1b" not in done.stderr and said(done).count("\n") == 1


@case
def prints_unknown_keys_once():
    line = record().split("\n")[0]
    text = "".join(line.replace("artifact", f"new_kind_{i % 2}") + "\n\thello\n" for i in range(10))
    Path("a.log").write_text(text)
    found = [line for line in said(makes("a.log", "--strict")).splitlines() if line.startswith("Unknown fields: {")]
    assert len(found) == 1 and found[0].count("new_kind_0") == 1 and found[0].count("new_kind_1") == 1


@case
def strict_fails_after_the_report():
    Path("good.log").write_text(record())
    makes("good.log", "--strict", "--strict-compile-id", out="good")
    stack = '"stack": [{"line": 1, "name": "f", "filename": 0}]'
    Path("bad.log").write_text(record() + "rubbish\n" + record(ids='"x": 1') + record(ids=stack) + record(ids=stack))
    done = makes("bad.log", out="lax")
    lax = said(done)
    done = fails(1, "--strict: fail_glog: 1", "bad.log", "--strict", "-o", "out", "--no-browser")
    assert said(done).startswith(lax.replace("lax", "out")), said(done)  # the same messages, then why it failed
    assert contents("out") == contents("lax")
    done = fails(1, "--strict-compile-id: 2 records have a stack but no compile id, first at bad.log:6", "bad.log",
                 "--strict-compile-id", "-o", "ids", "--no-browser")
    assert contents("ids") == contents("lax")


@case
def shows_progress_on_a_terminal_only():
    master, terminal = pty.openpty()
    child = subprocess.Popen([TLPARSE, "-", "-o", "out", "--no-browser", "--block-bytes", "4096"],
                             stdin=subprocess.PIPE, stderr=terminal, env=environment())
    os.close(terminal)
    for _ in range(10):
        child.stdin.write(record().encode() * 100)
        child.stdin.flush()
        time.sleep(0.1)
    child.stdin.close()
    text = b""
    while True:
        try:
            got = os.read(master, 4096)
        except OSError:  # the terminal is closed
            break
        if not got:
            break
        text += got
    assert child.wait(LIMIT_S) == 0
    assert b"KiB/s" in text, text
    assert re.search(rb"\r +\rreport: out/index.html\r\nStats \{ ok: 1000 \}\r\n$", text), text
    assert b"\r" not in makes("-", out="out2", stdin=record().encode() * 100).stderr


@case
def survives_a_closed_stderr():
    Path("a.log").write_text("rubbish\n" * 1000)
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([TLPARSE, "a.log", "-o", "out", "--no-browser"], stderr=write, env=environment(),
                          timeout=LIMIT_S)
    os.close(write)
    assert done.returncode == 0 and Path("out/index.html").exists() and not hidden()


# ---- output folder


@case
def writes_into_an_empty_folder_only():
    Path("a.log").write_text(record())
    os.mkdir("out")
    makes("a.log")
    before = contents("out")
    fails(1, "Directory out already exists; pass --overwrite", "a.log", "-o", "out", "--no-browser")
    assert contents("out") == before


@case
def overwrites_a_report():
    Path("a.log").write_text(record(name="old"))
    Path("b.log").write_text(record(name="new"))
    makes("a.log")
    makes("b.log", "--overwrite")
    assert Path("out/-_0_0_0/new_0.txt").exists() and not Path("out/-_0_0_0/old_0.txt").exists()
    makes("../a.log", "--overwrite", out=".", cwd="out")
    assert Path("out/-_0_0_0/old_0.txt").exists() and not Path("out/-_0_0_0/new_0.txt").exists()


@case
def overwrites_every_kind_of_report():
    """With every option, the program recognizes its own report."""
    vllm = record(name="vllm_compilation_config", payload="{}").replace('"string"', '"json"')
    unknown = record(ids='"frame_id": "x", "frame_compile_id": 0, "attempt": 0')
    failure = ('V0101 12:00:00.000000 7 torch/a.py:1] {"compilation_metrics": {"fail_type": "T", "fail_reason": "R"}, '
               '"frame_id": 0, "frame_compile_id": 0, "attempt": 0}\n')
    dump = record().replace('"artifact": {"name": "text", "encoding": "string"}',
                            '"dump_file": {"name": "<eval_with_key>.7"}')
    Path("all.log").write_text(vllm + unknown + failure + dump + record(ids='"compiled_autograd_id": 3'))
    Path("empty.log").write_text("")
    for name in ("all.log", "empty.log", "all.log"):
        makes(name, "--overwrite")
        makes(name, "--overwrite", "--plain-text")
    assert Path("out/tlparse_index.html").exists() and Path("out/dump_file").is_dir()


@case
def never_removes_foreign_files():
    Path("a.log").write_text(record())
    makes("a.log")
    Path("out/thesis.tex").write_text("years of work")
    done = fails(1, "cannot replace out: it contains 'thesis.tex', which is not part of a report", "a.log", "-o", "out",
                 "--overwrite", "--no-browser")
    assert "Stats" not in said(done) and last_line(done) == "hint: choose another folder with -o, or remove this one yourself"
    assert Path("out/thesis.tex").exists() and Path("out/index.html").exists() and not hidden()
    os.unlink("out/thesis.tex")
    fails(1, "it contains the log", "out/raw.log", "-o", "out", "--overwrite", "--no-browser")
    with open("out/raw.log", "rb") as log:
        done = subprocess.run([TLPARSE, "-", "-o", "out", "--overwrite", "--no-browser"], stdin=log,
                              stderr=subprocess.PIPE, env=environment(), timeout=LIMIT_S)
    assert done.returncode == 1 and b"it contains the log" in done.stderr
    assert raw() == Path("a.log").read_bytes()
    Path("file").write_text("x")
    fails(1, "it is a file", "a.log", "-o", "file", "--overwrite", "--no-browser")
    assert Path("file").read_text() == "x"


@case
def a_failed_write_keeps_the_old_report():
    Path("a.log").write_text(record())
    Path("big.log").write_text(record(payload="x" * 1000000))
    makes("a.log")
    before = contents("out")

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (500000, 500000))
    done = fails(1, "File too large", "big.log", "-o", "out", "--overwrite", "--no-browser", before=limit)
    assert "Stats" not in said(done)
    assert contents("out") == before and not hidden()


@case
def a_full_disk_keeps_the_old_report():
    os.mkdir("disk")
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "none", "disk"]
    if os.geteuid() or subprocess.run(mount, stderr=subprocess.DEVNULL).returncode:
        raise Skipped("cannot mount a small disk")
    try:
        Path("a.log").write_text(record())
        Path("big.log").write_text(record(payload="x" * 8000000))
        makes("a.log", out="disk/out")
        before = contents("disk/out")
        fails(1, "No space left on device", "big.log", "-o", "disk/out", "--overwrite", "--no-browser")
        assert contents("disk/out") == before and not hidden("disk")
        fails(1, "No space left on device", "big.log", "-o", "disk/other", "--no-browser")
        assert os.listdir("disk") == ["out"]
    finally:
        subprocess.run(["umount", "-l", "disk"], check=True)


# ---- signals


class Running:
    """A run that has created its staging folder and waits for standard input."""

    def __init__(self, *arguments, before=None):
        self.child = subprocess.Popen([TLPARSE, "-", "-o", "out", "--no-browser", "--block-bytes", "4096", *arguments],
                                      stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
                                      preexec_fn=before)
        self.child.stdin.write(record().encode() * 1000)
        self.child.stdin.flush()
        wait_until(lambda: list(Path(".").glob(".out.tlparse-*/raw.log")))

    def end(self):
        self.child.stdin.close()
        text = self.child.stderr.read().decode()
        return self.child.wait(LIMIT_S), text


@case
def a_signal_leaves_no_files():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        run = Running()
        run.child.send_signal(number)
        status, text = run.end()
        assert status == -number, "the shell must see the signal"
        assert text.endswith("tlparse: interrupted: removing the partial report\n"), text
        assert os.listdir(".") == [], os.listdir(".")


@case
def a_signal_keeps_the_old_report():
    makes("-", stdin=record(name="old").encode())
    before = contents("out")
    run = Running("--overwrite")
    run.child.send_signal(signal.SIGTERM)
    assert run.end()[0] == -signal.SIGTERM
    assert os.listdir(".") == ["out"] and contents("out") == before


@case
def a_signal_before_the_end_of_the_input_keeps_the_old_report():
    """Also if the kernel runs the thread that receives signals (the first that starts) last of all."""
    makes("-", stdin=record(name="old").encode())
    before = contents("out")
    core = {min(os.sched_getaffinity(0))}
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"],
                            preexec_fn=lambda: os.sched_setaffinity(0, core))
    try:
        for _ in range(5):
            run = Running("--overwrite", before=lambda: os.sched_setaffinity(0, core))
            receiver = sorted(map(int, os.listdir(f"/proc/{run.child.pid}/task")))[1]
            os.sched_setscheduler(receiver, os.SCHED_IDLE, os.sched_param(0))
            run.child.send_signal(signal.SIGTERM)
            assert run.end()[0] == -signal.SIGTERM
            assert os.listdir(".") == ["out"] and contents("out") == before
    finally:
        busy.kill()
        busy.wait()


@case
def an_ignored_signal_is_ignored():
    run = Running(before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))  # nohup
    run.child.send_signal(signal.SIGHUP)
    time.sleep(0.2)
    status, text = run.end()
    assert status == 0 and "Stats { ok: 1000 }" in text
    assert os.listdir(".") == ["out"]


@case
def a_signal_at_any_time_leaves_a_whole_report_or_none():
    Path("a.log").write_text(record() * 300)
    whole = None
    seen = set()
    for i in range(40):
        child = subprocess.Popen([TLPARSE, "a.log", "-o", "out", "--overwrite", "--no-browser"],
                                 stderr=subprocess.DEVNULL, env=environment())
        time.sleep(i * 0.0015)
        child.send_signal(signal.SIGTERM)
        seen.add(child.wait(LIMIT_S))
        assert not hidden(), hidden()
        if Path("out").exists():
            whole = whole or contents("out")
            assert contents("out") == whole
    assert seen <= {0, -signal.SIGTERM}, seen


@case
def the_next_run_cleans_up_after_a_kill():
    run = Running()
    run.child.kill()
    run.end()
    assert len(hidden()) == 1
    makes("-", stdin=record().encode())  # checks that no hidden folder is left
    live = Running("--overwrite")
    folder = hidden()
    done = call("-", "-o", "out", "--overwrite", "--no-browser", stdin=record().encode())
    assert done.returncode == 0 and hidden() == folder, "the folder of a live run must stay"
    assert live.end()[0] == 0 and not hidden()
    assert raw() == record().encode() * 1000


@case
def concurrent_runs_write_to_one_folder():
    Path("a.log").write_text(record() * 100)
    runs = [subprocess.Popen([TLPARSE, "a.log", "-o", "out", "--overwrite", "--no-browser"], stderr=subprocess.PIPE,
                             env=environment()) for _ in range(6)]
    for run in runs:
        text = run.communicate(timeout=LIMIT_S)[1]
        assert run.returncode == 0, text
    assert raw() == Path("a.log").read_bytes() and sorted(os.listdir(".")) == ["a.log", "out"]


# ---- the browser


@case
def opens_the_browser_unless_disabled():
    Path("a.log").write_text(record())
    called = Path("called").resolve()
    browser = Path("browser").resolve()
    ended = Path("ended").resolve()
    browser.write_text(f'#!/bin/sh\necho "$1" >{called}.new; mv {called}.new {called}\n'
                       f'echo noise; echo noise >&2; while [ ! -e {ended}.may ]; do sleep 0.1; done; touch {ended}\n')
    browser.chmod(0o755)
    done = call("a.log", "-o", "out dir", env={"BROWSER": str(browser)}) # would hang if it waited for the browser
    assert done.returncode == 0
    wait_until(called.exists)
    ended.with_suffix(".may").touch()
    wait_until(ended.exists)
    assert called.read_text().startswith("file:///") and called.read_text().endswith("/out%20dir/index.html\n")
    assert "index.html (opened in the browser)\n" in said(done) and "noise" not in said(done) and done.stdout == b""
    called.unlink()
    for more, env in ((["--no-browser"], {"BROWSER": str(browser)}), ([], {}), ([], {"BROWSER": "nowhere/browser"})):
        done = call("a.log", "-o", "out", "--overwrite", *more, env={**env, "PATH": "/nowhere"})
        assert done.returncode == 0 and "report: out/index.html\n" in said(done), said(done)
    time.sleep(0.2)
    assert not called.exists()


def bound(function):
    """A case of hooks.py, which uses the helpers of this file."""
    def run():
        function(sys.modules[__name__])
    run.__name__ = function.__name__
    return run


for each in hooks.CASES:
    case(bound(each))


for each in share.cases({**globals(), "TLPARSE": lambda: TLPARSE}):
    case(each)


for each in redaction.cases(globals()):
    case(each)


def use(tlparse, _update):
    global TLPARSE
    TLPARSE = tlparse


if __name__ == "__main__":
    sys.exit(main(__doc__, use))

"""Cases of `tlparse share`: what is in the file, and wrong calls. redaction.py has those of --redact."""
import json
import os
import re
import signal
import subprocess
import zipfile
from pathlib import Path

import common
from common import LIMIT_S, call, case, environment, fails, hidden, open_file, process, said, wait_until

TOP = Path(__file__).resolve().parent.parent.parent
LOGS = TOP / "tests/data/logs"


def shares(*arguments, out="one.html", **how):
    done = call("share", *arguments, "-o", out, **how)
    assert done.returncode == 0, said(done)
    assert not hidden(), hidden()
    return done


@case
def share_zip_has_the_whole_report():
    Path("a.log").write_text(process(1, "f"))
    assert call("a.log", "-o", "report", "--no-browser").returncode == 0
    shares("report", out="all.zip")
    with zipfile.ZipFile("all.zip") as archive:
        assert archive.testzip() is None
        entries = {entry.filename: archive.read(entry) for entry in archive.infolist()}
        times = {entry.date_time for entry in archive.infolist()}
    wanted = {f"tlparse_report/{path.relative_to('report')}": path.read_bytes() for path in Path("report").rglob("*") if path.is_file()}
    assert entries == wanted and "tlparse_report/raw.log" in entries
    assert times == {(1980, 1, 1, 0, 0, 0)}
    assert not any(name.startswith("/") or ".." in name.split("/") for name in entries)
    os.utime("report/raw.log", (1, 1))
    shares("report", out="again.zip")
    assert Path("all.zip").read_bytes() == Path("again.zip").read_bytes()


@case
def share_of_a_log_is_that_of_its_report():
    Path("a.log").write_text(process(1, "f"))
    assert call("a.log", "-o", "report", "--no-browser").returncode == 0
    shares("a.log")
    shares("report", out="two.html")
    shares("report/report.json", out="three.html")
    one = Path("one.html").read_bytes()
    assert one == Path("two.html").read_bytes() == Path("three.html").read_bytes()
    _, files = open_file(one)
    assert json.loads(files["data/report"])["totals"]["compiles"] == 1
    assert not any(path.endswith(("raw.log", "raw.jsonl")) for path in files)
    assert sorted(os.listdir()) == ["a.log", "one.html", "report", "three.html", "two.html"]


@case
def share_says_what_is_in_the_file():
    Path("a.log").write_text(process(1, "f"))
    text = said(shares("a.log"))
    assert "one page without the log: 1 report" in text and re.search(r"^report: one\.html \(\d.*iB\)$", text, re.M), text
    text = said(shares("a.log", out="all.zip"))
    assert "all of the report, with the log" in text, text


@case
def share_never_overwrites():
    Path("a.log").write_text(process(1, "f"))
    Path("one.html").write_text("mine")
    fails(2, "one.html already exists; pass --overwrite", "share", "a.log", "-o", "one.html")
    assert Path("one.html").read_text() == "mine"
    shares("a.log", "--overwrite")
    assert Path("one.html").stat().st_size > 100_000
    Path("folder.html").mkdir()
    fails(2, "it is a folder", "share", "a.log", "-o", "folder.html", "--overwrite")


@case
def share_writes_to_standard_output():
    Path("a.log").write_text(process(1, "f"))
    shares("a.log")
    done = call("share", "a.log", "-o", "-", env={"TMPDIR": os.getcwd()})
    assert done.returncode == 0 and done.stdout == Path("one.html").read_bytes(), said(done)
    assert sorted(os.listdir()) == ["a.log", "one.html"] and not hidden()
    done = call("share", "-", "-o", "-", stdin=Path("a.log").read_bytes())
    assert done.returncode == 0 and done.stdout.startswith(b"<!DOCTYPE html>"), said(done)


@case
def share_wrong_calls():
    Path("a.log").write_text(process(1, "f"))
    for arguments, text in (
        (["a.log", "-o", "one.pdf"], "must end in .html or .zip"),
        (["a.log", "-o", ""], "must end in .html or .zip"),
        (["a.log", "--redact", "path"], "invalid value 'path' for --redact"),
        (["a.log", "--redact", ""], "invalid value '' for --redact"),
        (["a.log", "--redact", "paths,"], "ends with a comma"),
        (["a.log", "--max-size", "big"], "invalid value 'big' for --max-size"),
        (["a.log", "--max-size", "-1"], "invalid value '-1' for --max-size"),
        (["a.log", "--max-size", "99999999999G"], "invalid value"),
        (["nothing.log"], "nothing.log"),
    ):
        fails(2, text, "share", *arguments)
    assert os.listdir() == ["a.log"], os.listdir()
    fails(2, "Not a directory" if False else "cannot", "share", "a.log", "-o", "a.log/one.html")


@case
def share_of_broken_input():
    Path("empty.log").write_text("")
    shares("empty.log")
    Path("text.log").write_bytes(b"no record\n\xff\xfe\0" * 50)
    shares("text.log", "--redact", "paths,names", out="two.html")
    Path("a.log").write_text(process(1, "f"))
    assert call("a.log", "-o", "report", "--no-browser").returncode == 0
    Path("report/data/configs.js").write_text('tl.put("configs","!");\n')
    fails(2, "report/data/configs.js: it is not data of a report", "share", "report", "-o", "three.html")
    os.unlink("report/data/configs.js")
    Path("report/data/x.js").write_text('tl.put("x","KLUv/aD/////AQAA");\n')  # says that it unpacks to 4 GiB
    fails(2, "not data of a report", "share", "report", "-o", "three.html")
    os.unlink("report/data/x.js")
    os.symlink("/etc/passwd", "report/data/passwd.js")
    shares("report", out="four.zip")
    with zipfile.ZipFile("four.zip") as archive:
        assert not any("passwd" in name for name in archive.namelist())
    Path("report/assets/app.js").write_text("// older\n")
    fails(2, "report of another version", "share", "report", "-o", "three.html")
    assert not hidden()


@case
def share_of_hostile_names():
    name = "a\x1b[31m<script>alert(1)</script>'\".log"
    name = name.replace("/", "\u2215")
    Path(name).write_text(process(1, "</script><script>alert(1)//"))
    done = shares(name)
    assert b"\x1b" not in done.stderr
    page = Path("one.html").read_text()
    assert page.count("<script>") == 1 and "alert(1)" not in page.split("<title>")[0]
    assert "<script>alert" not in page


@case
def share_leaves_out_ranks_beyond_the_limit():
    done = shares(LOGS / "ranks4_desync", "--max-size", "900K")
    index, files = open_file(Path("one.html").read_bytes())
    assert "" in index["reports"] and index["left"], index["reports"]
    for folder in index["left"]:
        assert folder[:-1] in said(done) and not any(path.startswith(folder) for path in files)
    total = len(index["left"]) + len(index["reports"])
    assert f"left out {len(index['left'])} of {total} reports to stay below --max-size" in said(done), said(done)
    shares(LOGS / "ranks4_desync", out="all.html")
    assert open_file(Path("all.html").read_bytes())[0]["left"] == []


@case
def share_is_interrupted():
    Path("a.log").write_text(process(1, "f"))
    os.mkfifo("pipe.log")
    running = subprocess.Popen([common.tlparse, "share", "pipe.log", "-o", "one.html"], stderr=subprocess.PIPE, env=environment())
    with open("pipe.log", "wb") as pipe:  # opens when the program reads
        pipe.write(b"x\n")
        pipe.flush()
        wait_until(hidden)
        running.send_signal(signal.SIGTERM)
        running.communicate(timeout=LIMIT_S)
    assert running.returncode == -signal.SIGTERM
    assert not hidden() and not Path("one.html").exists()

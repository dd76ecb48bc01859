#!/usr/bin/env python3
"""Tests of `tlparse follow`: logs that grow, are rotated, truncated and removed, while the program follows them.
unfinished.py and report.py have more cases.

    run.py --tlparse build/tlparse [--update] [--list] [NAME...]     only the cases whose name starts with NAME

A case writes a log and waits for lines; nothing sleeps for a fixed time. Texts are compared with tests/follow/expected;
--update writes them. The last line is `N passed, N failed, N skipped`.
"""
import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import common
import validate
from common import (LIMIT_S, NAME, RANK, Follow, append, call, case, compare, environment, events, main, metrics, once, plain, record, records,
                    samples, start)
import unfinished  # noqa: F401  # adds its cases
import report  # noqa: F401
import descriptors  # noqa: F401


# ---- whole logs


@case
def a_log_ends_with_the_totals_of_summary():
    for log in samples.folders() + samples.logs():
        whole = once(log, columns=80)
        assert whole.endswith("\n" + call("summary", log, columns=80).stdout.decode()), log


@case
def memory_does_not_grow_with_a_line():
    """Neither with a line that is no record nor with an envelope. What is kept and counted is what a report keeps and counts."""
    good = start(0, "12:00:00.000000") + metrics(0, "12:00:00.200000", 200_000)
    envelope = record({"artifact": {"name": "x", "encoding": "string"}, "numbers": [0]}, "12:00:01.000000")
    head, tail = envelope.split("[0]")
    for most, begin, piece, end in ((64, "", "rubbish ", "\n"), (64, "", "rubbish ", ""), (160, f"{head}[0", ", 12345", f"]{tail}")):
        with open("a.log", "w", encoding="utf-8") as log:
            log.write(good + "some text\n" + begin)
            for _ in range(96):
                log.write(piece * (1_000_000 // len(piece)))
            log.write(end + (good.replace(" 12:00:0", " 12:01:0") if end else ""))
        with open("out", "wb") as out, open("err", "wb") as err:
            process = subprocess.Popen([common.tlparse, "follow", "--until-idle", "0", "a.log"], stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment())
            _, status, usage = os.wait4(process.pid, 0)
        assert status == 0, Path("err").read_text(encoding="utf-8")
        assert usage.ru_maxrss < most << 10, (usage.ru_maxrss, piece)
        whole = call("summary", "a.log")
        assert Path("out").read_text(encoding="utf-8").endswith("\n" + whole.stdout.decode()), (Path("out").read_text(encoding="utf-8"), whole.stdout.decode())
        wanted = [line for line in whole.stderr.decode().splitlines() if ": unrec" in line or "left out" in line]
        said = Path("err").read_text(encoding="utf-8").splitlines()
        assert wanted and all(line in said for line in wanted), (wanted, said)


@case
def lines_read_well():
    for log in ("graph_breaks", "recompiles", "errors", "gpt2", "hung", "ranks4_desync", "interrupted", "killed", "export_ok"):
        for columns in (80, 200):
            text = once(samples.LOGS / log, columns=columns)
            lines = text[:text.index(f"\n{samples.LOGS / log}\n")]
            for line in lines.split("\n"):
                assert len(line) <= columns and line == line.rstrip() and "\x1b" not in line, line
            compare(f"{log}.{columns}.txt", lines)


@case
def each_compile_recompile_and_break_has_a_line():
    """The events against the totals of the report, for logs whose records are complete."""
    for log in samples.logs():
        found = events(once(log, "--format", "json"))
        totals = found.pop()
        assert totals["event"] == "totals", log
        kinds = [e["event"] for e in found]
        if totals["kind"] != "run":
            continue
        t = totals["totals"]
        if len({e["rank"] for e in found}) > 1:
            continue
        ended = [e for e in found if e["event"] == "compile"]
        statuses = t["statuses"]
        with_metrics = [e for e in ended if e["status"] != "missing"]
        assert len(with_metrics) == t["compiles"] - statuses["missing"], log
        for status in ("ok", "restart", "empty", "error"):
            assert sum(e["status"] == status for e in with_metrics) == statuses[status], (log, status)
        assert sum(e["restarts"] for e in ended) == t["restarts"], log
        breaks = {(json.dumps(e["place"]), e["reason"]) for e in found if e["event"] == "graph_break"}
        assert len(breaks) >= t["graph_breaks"] > 0 or not t["graph_breaks"], (log, len(breaks), t["graph_breaks"])
        again = {(e["process"], e["compile"], e["generation"]) for e in found if e["event"] == "recompile"}
        assert len(again) == kinds.count("recompile"), log
        assert len(again) >= t["recompiles"], (log, len(again), t["recompiles"])


@case
def json_fits_its_schema():
    validator = validate.documented("follow.schema.json")
    seen = set()
    for log in samples.logs() + samples.folders():
        for event in events(once(log, "--format", "json")):
            seen.add(event["event"])
            faults = validator.faults(event)
            assert not faults, (log, event, faults[:3])
    assert {"log", "compile", "backward", "recompile", "graph_break", "totals"} <= seen, seen


# ---- logs that grow


def grow(log, positions, *arguments):
    """Appends the log in pieces that end at the positions. After each, waits for what the complete records say."""
    expected = events(once("whole.log", "--format", "json"))[1:-1]
    Path("growing").mkdir()
    path = Path("growing") / NAME
    path.touch()
    with Follow("growing", "--format", "json", "--slow", "1000000", *arguments) as follow:
        at = 0
        for position in [*positions, len(log)]:
            append(path, log[at:position])
            at = position
            Path("prefix.log").write_bytes(log[:max([0, *(r for r in records(log) if r <= position)])])
            known = len(events(once("prefix.log", "--format", "json"))) - 1 if Path("prefix.log").stat().st_size else 0
            follow.count(known)
        follow.count(1 + len(expected))
        text = follow.end()
    found = events(text)
    for one in found + expected:
        one.pop("log", None)
    for a, b in zip(found[1:-1], expected, strict=True):
        assert a == b, (a, b)
    assert found[-1]["totals"] == events(once("whole.log", "--format", "json"))[-1]["totals"]
    assert not re.search(r"malformed|MD5|JSON|unrecognized", "\n".join(follow.errors)), follow.errors
    shutil.rmtree("growing")


@case
def pieces_of_records_lines_and_characters():
    log = plain("graph_breaks")
    Path("whole.log").write_bytes(log)
    starts = records(log)
    some = starts[:: max(1, len(starts) // 12)]
    inside = [s + 40 for s in some] + [log.index(b"\n", s) for s in some] + [log.index(b"\n", s) + 1 for s in some]
    for positions in (sorted(set(inside)), [log.index(b"\t", s) + 1 for s in some[:-1] if b"\t" in log[s:]]):
        for more in ((), ("--poll",)):
            grow(log, sorted(set(positions)), *more)


@case
def a_character_may_be_cut():
    envelope = {"dynamo_start": {"stack": [{"line": 3, "name": "führe_aus_🔥", "filename": "/src/modell_ä.py"}]},
                "frame_id": 0, "frame_compile_id": 0, "attempt": 0}
    log = ("V0101 12:00:00.000000 7 torch/a.py:1] " + json.dumps(envelope, ensure_ascii=False) + "\n").encode()
    log += metrics(0, "12:00:01.000000", 5000).replace('"f"', '"führe_aus_🔥"').encode()
    Path("whole.log").write_bytes(log)
    cuts = [i for i in range(len(log)) if log[i] & 0xC0 == 0x80]
    assert len(cuts) > 8
    grow(log, cuts)


@case
def the_last_record_is_not_held_back():
    """A record without a payload, or with all of it, needs no next record."""
    Path("t").mkdir()
    with Follow("t") as follow:
        append(f"t/{NAME}", start(0, "12:00:00.000000") + metrics(0, "12:00:01.250000", 1_250_000))
        assert follow.line(r"^12:00:01  \[0/0\]   compiled       1\.25 s  model\.py:3 in f$")
        text = follow.end()
    assert "\nCompiles      1: 1 compiled\n" in text


@case
def logs_and_ranks_appear():
    Path("t").mkdir()
    with Follow("t/trace") as follow:
        follow.line("waiting for logs in t/trace", errors=True)
        Path("t/trace").mkdir()
        append("t/trace/" + RANK % 0, start(0, "12:00:00.000000", rank=0) + metrics(0, "12:00:01.000000", 9, rank=0))
        follow.line("tlparse: following t/trace/" + RANK % 0, errors=True)
        assert follow.line(r"^12:00:01  rank 0  \[0/0\]   compiled ")
        append("t/trace/notes.log", "no log\n")
        append("t/trace/" + RANK % 1, start(0, "12:00:02.000000", rank=1) + metrics(0, "12:00:03.000000", 9, rank=1))
        assert follow.line(r"^12:00:03  rank 1  \[0/0\]   compiled ")
        append("t/trace/" + RANK % 0, start(1, "12:00:04.000000", rank=0) + metrics(1, "12:00:05.000000", 9, rank=0))
        assert follow.line(r"^12:00:05  rank 0  \[1/0\]   compiled ")
        text = follow.end()
    assert "\nRanks         2" in text and "\nCompiles      3: 3 compiled\n" in text, text
    assert not any("following" in line and "notes.log" in line for line in follow.errors), follow.errors


def is_in_order(found):
    clocks = [e["clock"] for e in found if "clock" in e]
    assert len({e.get("rank") for e in found}) > 1 and clocks == sorted(clocks), clocks


@case
def ranks_are_read_in_the_order_of_time():
    for log in ("ranks4", "ranks4_desync", "ranks2_sizes"):
        is_in_order(events(once(samples.LOGS / log, "--format", "json")))
    text = once(samples.LOGS / "ranks4")
    assert all(re.search(r"  rank \d  \[", line) for line in text.split("\n\n")[0].split("\n") if line[:1].isdigit()), text


@case
def parts_of_rotated_and_compressed_logs_are_read_in_the_order_of_time():
    Path("t").mkdir()
    for rank in (0, 1):
        for part, suffix in enumerate((".2", ".1", "")):
            lines = "".join(metrics(3 * part + i, f"12:00:{10 * part + 2 * i + rank:02}.000000", 9, rank=rank) for i in range(3))
            Path("t", RANK % rank + suffix).write_text(lines)
    packed = Path("t", RANK % 1)
    packed.write_bytes(gzip.compress(packed.read_bytes()))
    found = events(once("t", "--format", "json"))
    is_in_order(found)
    assert sum(e["event"] == "compile" for e in found) == 18, found


@case
def the_year_may_end():
    Path("t").mkdir()
    for rank, day in ((0, "V0101 00:00"), (1, "V1231 23:59")):
        line = metrics(0, "12:00:00.000000", 9, rank=rank).replace("V0101 12:00", day)
        append("t/" + RANK % rank, line)
    assert [e["rank"] for e in events(once("t", "--format", "json")) if e["event"] == "compile"] == [1, 0]


@case
def one_rank_can_be_followed():
    Path("t").mkdir()
    for rank in (0, 1):
        append("t/" + RANK % rank, start(rank, "12:00:00.000000", rank=rank) +
               metrics(rank, "12:00:01.000000", 9, rank=rank))
    text = once("t", "--rank", "1")
    assert "[1/0]" in text and "[0/0]" not in text


@case
def earlier_runs_are_left_out_until_they_grow():
    Path("t").mkdir()
    for name, hour in (("old", "01"), ("new", "22")):
        path = Path("t") / f"dedicated_log_torch_trace_{name}.log"
        path.write_text(start(0, f"{hour}:00:00.000000") + metrics(0, f"{hour}:00:01.000000", 9))
        at = time.mktime((2026, 1, 1, int(hour), 0, 1, 0, 0, -1))
        os.utime(path, (at, at))
    with Follow("t") as follow:
        follow.line(r"^22:00:01  \[0/0\]")
        append("t/dedicated_log_torch_trace_old.log", start(1, "23:00:00.000000") + metrics(1, "23:00:01.000000", 9))
        follow.line(r"^23:00:01  process 7  \[1/0\]")


@case
def a_rotated_log_goes_on():
    log = plain("recompiles")
    starts = records(log)
    cut = starts[len(starts) // 2]
    Path("t").mkdir()
    path = Path("t") / NAME
    Path("whole.log").write_bytes(log)
    expected = [e for e in events(once("whole.log", "--format", "json")) if e["event"] == "compile"]
    with Follow("t", "--format", "json") as follow:
        append(path, log[:cut])
        follow.line('"event":"compile"')
        path.rename(f"{path}.1")
        append(path, log[cut:])
        follow.line('"event":"rotated"')
        follow.line(f'"compile":"{expected[-1]["compile"]}"')
        follow.wait(lambda: sum('"event":"compile"' in line for line in follow.out) >= len(expected), "all compiles")
        found = events(follow.end())
    ended = [e for e in found if e["event"] == "compile"]
    assert [(e["compile"], e["time_us"], e["status"]) for e in ended] == [
        (e["compile"], e["time_us"], e["status"]) for e in expected]
    assert found[-1]["totals"] == json.loads(call("summary", "t", "--format", "json").stdout)["totals"]
    assert sum(e["event"] == "log" for e in found) == 1 # x.log.1 is not another log


@case
def a_truncated_log_begins_again():
    for rewrite in (True, False):
        Path("t").mkdir()
        path = Path("t") / NAME
        with Follow("t", *(() if rewrite else ("--poll",))) as follow:
            append(path, start(0, "12:00:00.000000") + metrics(0, "12:00:01.000000", 9) + start(1, "12:00:02.000000"))
            follow.line(r"^12:00:01  \[0/0\]")
            log = start(5, "13:00:00.000000") + metrics(5, "13:00:01.000000", 11)
            if rewrite: # as many bytes, and other ones
                log += "x" * (path.stat().st_size - len(log) - 1) + "\n"
                path.write_text(log)
            else:
                os.truncate(path, 0)
                follow.line(r"was truncated: reading it from its start$", errors=True)
                append(path, log)
            follow.line(r"^13:00:01  \[5/0\]")
            follow.line(r"was truncated: reading it from its start$", errors=True)
            text = follow.end()
        assert "\nCompiles      1: 1 compiled\n" in text, text
        shutil.rmtree("t")


@case
def a_removed_log_is_named():
    Path("t").mkdir()
    path = Path("t") / NAME
    with Follow("t") as follow:
        append(path, start(0, "12:00:00.000000") + metrics(0, "12:00:01.000000", 9))
        follow.line(r"^12:00:01  \[0/0\]")
        with open(path, "ab") as writer:
            path.unlink()
            follow.line(r"was removed: waiting for it$", errors=True)
            writer.write((start(1, "12:00:02.000000") + metrics(1, "12:00:03.000000", 9)).encode())
            writer.flush()
            follow.line(r"^12:00:03  \[1/0\]")
        text = follow.end()
    assert "\nCompiles      2: 2 compiled\n" in text, text


# ---- manners


@case
def text_of_a_log_controls_nothing():
    Path("t").mkdir()
    evil = "\x1b[31mred\x1b]0;title\x07\u202e"
    append(f"t/{NAME}", start(0, "12:00:00.000000") + metrics(0, "12:00:01.000000", 9).replace('"f"', json.dumps(evil)))
    append(f"t/{NAME}", record({"compilation_metrics": {"co_name": "g", "fail_type": evil, "fail_reason": evil + "\nmore"},
                                "frame_id": 1, "frame_compile_id": 0}, "12:00:02.000000"))
    text = once("t")
    assert "\\x1b[31mred" in text and not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", text), text
    for event in events(once("t", "--format", "json")):
        assert event


@case
def broken_logs_are_followed():
    Path("t").mkdir()
    append(f"t/{NAME}", b"\xff\xfe text\n" + record({"a": 1}).encode() + b"V0101 12:00:00.000000 7 a.py:1] {broken\n\x00\n" +
           b"V9999 99:99:99.999999 7 a.py:1] {}\n" + metrics(0, "12:00:01.000000", 9).encode() +
           record({"compilation_metrics": [], "frame_id": "x", "frame_compile_id": -1}).encode() +
           b'V0101 12:00:00.000000 7 torch/a.py:1] {"artifact": {"name": "x"}, "has_payload": "0"}\n\tcut off')
    done = call("follow", "t", "--until-idle", "0")
    assert done.returncode == 0 and b"[0/0]   compiled" in done.stdout, done
    assert b"envelope is not a JSON object" in done.stderr


@case
def signals_and_pipes_end_it():
    Path("t").mkdir()
    append(f"t/{NAME}", start(0, "12:00:00.000000") + metrics(0, "12:00:01.000000", 9))
    for number in (signal.SIGINT, signal.SIGTERM):
        with Follow("t") as follow:
            follow.line("compiled")
            assert "\nCompiles      1: 1 compiled\n" in follow.end(number)
    with Follow("t/nothing") as follow: # no totals of nothing
        follow.line("waiting for logs", errors=True)
        assert follow.end() == "\n"
    with open("/dev/full", "w") as full:
        done = subprocess.run([common.tlparse, "follow", "t", "--until-idle", "0"], stdout=full, stderr=subprocess.PIPE,
                              timeout=LIMIT_S, env=environment())
    assert done.returncode == 2 and b"cannot write to standard output: No space left" in done.stderr, done


@case
def wrong_calls_exit_with_2():
    Path("t").mkdir()
    os.mkfifo("pipe")
    for arguments, text in (((), "no folder given\nhint: "), (("t", "t"), "but 2 paths were given"),
                            (("-",), "cannot read standard input"), (("none/none/none",), "cannot follow none/none/none: "),
                            (("pipe",), "it is neither a folder nor a file"),
                            (("t", "--format", "markdown"), "expected text or json"),
                            (("t", "--slow", "x"), "expected a number")):
        done = call("follow", *arguments)
        assert done.returncode == 2 and not done.stdout and text in done.stderr.decode(), (arguments, done)


@case
def the_environment_names_the_folder():
    Path("t").mkdir()
    append(f"t/{NAME}", metrics(0, "12:00:01.000000", 9))
    assert "[0/0]   compiled" in once(TORCH_TRACE="t")


def use(tlparse, update):
    common.tlparse, common.update = tlparse, update


if __name__ == "__main__":
    sys.exit(main(__doc__, use, updates=True))

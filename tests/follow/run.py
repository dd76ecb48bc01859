#!/usr/bin/env python3
"""Tests of `tlparse follow`: logs that grow, are rotated, truncated and removed, while the program follows them.

    run.py --tlparse build/tlparse [--update] [--list] [NAME...]     only the cases whose name starts with NAME

A case writes a log and waits for lines; nothing sleeps for a fixed time. Texts are compared with tests/follow/expected;
--update writes them. The last line is `N passed, N failed, N skipped`.
"""
import contextlib
import gzip
import itertools
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import samples  # noqa: E402
import validate  # noqa: E402
from cases import case, main, stop  # noqa: E402

LIMIT_S = 60
UPDATE = False
TLPARSE = None
NAME = "dedicated_log_torch_trace_abcdefgh.log"
RANK = "dedicated_log_torch_trace_rank_%d_abcdefgh.log"


def environment(**more):
    keep = {name: os.environ[name] for name in ("PATH", "HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS") if name in os.environ}
    return {**keep, "LC_ALL": "C", "COLUMNS": "200", **more}


def call(*arguments, columns=200, **env):
    return subprocess.run([TLPARSE, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S,
                          env=environment(COLUMNS=str(columns), **env))


def once(*arguments, **how):
    """What follow prints of a log that does not grow."""
    done = call("follow", *arguments, "--until-idle", "0", **how)
    assert done.returncode == 0, (done.returncode, done.stderr.decode())
    return done.stdout.decode()


def events(text):
    return [json.loads(line) for line in text.splitlines()]


def plain(name):
    """The bytes of a sample log."""
    [path] = [p for p in (samples.LOGS / name).iterdir() if ".log" in p.name]
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes())
    if path.suffix == ".zst":
        return subprocess.run(["zstd", "-dcq", path], check=True, stdout=subprocess.PIPE).stdout
    return path.read_bytes()


def records(log):
    """Where the records of a log begin."""
    return [m.start() for m in re.finditer(rb"(?m)^V\d{4} ", log)]


def record(envelope, clock="12:00:00.000000", process=7):
    return f"V0101 {clock} {process} torch/a.py:1] {json.dumps(envelope)}\n"


def start(frame, clock, process=7, **more):
    return record({"dynamo_start": {"stack": [{"line": 3, "name": "f", "filename": "/src/model.py"}]}, "frame_id": frame,
                   "frame_compile_id": 0, "attempt": 0, **more}, clock, process)


def metrics(frame, clock, us, process=7, **more):
    value = {"co_name": "f", "co_filename": "/src/model.py", "co_firstlineno": 3, "duration_us": us, "graph_op_count": 1}
    return record({"compilation_metrics": value, "frame_id": frame, "frame_compile_id": 0, "attempt": 0, **more}, clock,
                  process)


class Follow:
    """tlparse follow, and the lines that it has printed; ends with the `with` block, by SIGINT."""

    def __init__(self, *arguments, **env):
        self.process = subprocess.Popen([TLPARSE, "follow", *map(str, arguments)], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(**env),
                                        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.news = queue.Queue()
        self.out, self.errors = [], []
        self.threads = [threading.Thread(target=self._read, args=(self.process.stdout, self.out), daemon=True),
                        threading.Thread(target=self._read, args=(self.process.stderr, self.errors), daemon=True)]
        for thread in self.threads:
            thread.start()

    def _read(self, stream, lines):
        for line in stream:
            lines.append(line.decode().rstrip("\n"))
            self.news.put(None)
        self.news.put(None)

    def wait(self, condition, what):
        end = time.monotonic() + LIMIT_S
        while not condition():
            if self.process.poll() is not None and not any(t.is_alive() for t in self.threads):
                assert condition(), f"ended with {self.process.returncode} without {what}: {self.out[-5:]} {self.errors}"
                return
            with contextlib.suppress(queue.Empty):
                self.news.get(timeout=min(1, max(0.01, end - time.monotonic())))
            assert time.monotonic() < end, f"no {what}: {self.out[-5:]} {self.errors[-5:]}"

    def line(self, pattern, errors=False):
        """Waits for a line; returns the match."""
        lines = self.errors if errors else self.out
        found = []
        self.wait(lambda: found.extend(filter(None, (re.search(pattern, line) for line in list(lines)))) or found, pattern)
        return found[0]

    def count(self, count):
        self.wait(lambda: len(self.out) >= count, f"{count} lines")

    def end(self, number=signal.SIGINT):
        status = stop(self.process, number, LIMIT_S)
        for thread in self.threads:
            thread.join()
        assert status == 0, (status, self.errors)
        return "\n".join(self.out) + "\n"

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None and not error[0]:
            self.end()
        self.process.kill()
        self.process.wait()


def append(path, content):
    with open(path, "ab") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def compare(name, text):
    path = HERE / "expected" / name
    if UPDATE:
        path.write_text(text, encoding="utf-8")
        return
    assert text == path.read_text(encoding="utf-8"), f"{path} differs; run with --update and read the diff"


# ---- whole logs


@case
def a_log_ends_with_the_totals_of_summary():
    for log in samples.folders() + samples.logs():
        whole = once(log, columns=80)
        assert whole.endswith("\n" + call("summary", log, columns=80).stdout.decode()), log


@case
def lines_read_well():
    for log in ("graph_breaks", "recompiles", "errors", "gpt2", "hung", "ranks4_desync", "interrupted", "killed"):
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
    assert "\nCompiles      1 compile: 1 compiled\n" in text


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
    assert "\nRanks         2" in text and "\nCompiles      3 compiles: 3 compiled\n" in text, text
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
        assert "\nCompiles      1 compile: 1 compiled\n" in text, text
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
    assert "\nCompiles      2 compiles: 2 compiled\n" in text, text


# ---- compiles that run


@case
def a_hanging_compile_is_named():
    event = {"name": "inductor_compile", "ph": "B", "ts": 1767268803000000, "pid": 0, "tid": 0, "cat": "a", "args": {}}
    outer = {**event, "name": "dynamo", "ts": 1767268802000000, "args": {"compile_id": "1/0"}}
    id1 = {"frame_id": 1, "frame_compile_id": 0, "attempt": 0}

    def chromium(value):
        import hashlib
        text = json.dumps(value)
        md5 = hashlib.md5(text.encode()).hexdigest()
        return record({"chromium_event": {}, **id1, "has_payload": md5}, "12:00:03.000000") + f"\t{text}\n"

    Path("t").mkdir()
    with Follow("t", "--slow", "0") as follow:
        append(f"t/{NAME}", start(0, "12:00:00.000000") + metrics(0, "12:00:00.200000", 200_000))
        follow.line(r"^12:00:00  \[0/0\]   compiled ")
        append(f"t/{NAME}", start(1, "12:00:02.000000") + chromium(outer) + chromium(event))
        named = follow.line(r"^          \[1/0\]   unfinished  +(\S+ \w+)  model\.py:3 in f  \(since 12:00:02\)$")
        assert follow.line(r"^          in inductor_compile; no record for .*; the longest before took 200 ms$")
        follow.wait(lambda: sum("unfinished" in line for line in follow.out) >= 2, "a second naming") # when it has doubled
        append(f"t/{NAME}", metrics(1, "12:00:09.000000", 7_000_000))
        follow.line(r"^12:00:09  \[1/0\]   compiled +7\.00 s  model\.py:3 in f  \(finished, the longest so far\)$")
        lines = len([line for line in follow.out if "unfinished" in line])
        append(f"t/{NAME}", start(2, "12:00:10.000000") + metrics(2, "12:00:10.100000", 100_000))
        follow.line(r"\[2/0\]   compiled +100 ms  model\.py:3 in f$")
        text = follow.end()
    assert named and text.count("unfinished") >= lines


@case
def a_first_compile_may_hang():
    Path("t").mkdir()
    with Follow("t", "--slow", "0", "--format", "json") as follow:
        append(f"t/{NAME}", start(0, "12:00:00.000000"))
        found = json.loads(follow.line('.*"event":"unfinished".*')[0])
    assert found["longest_us"] is None and found["running_us"] == found["quiet_us"] > 0 and found["phase"] is None
    assert found["since"] == "01-01 12:00:00.000000" and found["span"] is None and found["artifact"] is None
    assert found["place"] == {"file": "/src/model.py", "line": 3, "function": "f"} and found["process"] == 7


def cut_in(log, event, count):
    """The first records of a log, up to `count` records after an event has begun."""
    starts = [*records(log), len(log)]
    name = f'"name": "{event}"'.encode()
    at = next(i for i, (a, b) in enumerate(itertools.pairwise(starts)) if name in log[a:b] and b'"ph": "B"' in log[a:b])
    return starts[at + count]


@case
def a_hanging_backward_is_named():
    """A real log that ends in the backward of its first compile; the last record is a minute late, for no compile took that long."""
    log = plain("training")
    cut, late = (cut_in(log, "entire_backward_compile", count) for count in (40, 39))
    assert log[late + 6:late + 14] == b"00:06:57", log[late:late + 20]
    Path("t").mkdir()
    with Follow("t", "--slow", "1") as follow:
        append(f"t/{NAME}", log[:late] + log[late:cut].replace(b"00:06:57", b"00:07:57", 1))
        follow.line(r"^          \[0/0\]   unfinished +(?:60\.\d s|1 min.*)  training\.py:13 in forward  \(backward, since 00:06:57\)$")
        follow.line(r"^          in \S+, after before_post_grad_graph; .*the longest before took 18\.5 s$")
        append(f"t/{NAME}", log[cut:])
        follow.line(r"^00:06:58  \[0/0\]   backward +1\.45 s  training\.py:13 in forward  \(finished\)$")
        follow.line(r"^00:07:13  \[5/0\]   backward ")
        text = follow.end()
    assert text.count("(finished") == 1 and "unfinished" not in text[text.index("(finished"):], text


@case
def a_hanging_aot_inductor_is_named():
    log = plain("aot_inductor")
    cut = cut_in(log, "compile_fx_aot", 120)
    Path("t").mkdir()
    with Follow("t", "--slow", "0", "--format", "json") as follow:
        append(f"t/{NAME}", log[:cut])
        found = json.loads(follow.line('.*"event":"unfinished".*')[0])
        assert (found["span"], found["compile"], found["since"]) == ("compile_fx_aot", "-/-", "11-21 22:53:01.306000"), found
        assert found["artifact"] == "inductor_post_grad_graph" and found["running_us"] > 13_000_000, found
        append(f"t/{NAME}", log[cut:])
        assert json.loads(follow.line('.*"event":"compile".*')[0])["was_unfinished"]
        follow.end()


@case
def a_span_of_the_run_time_is_no_compile():
    """The autotuner runs when the program does. A backward that has metrics has ended, even if its span has not."""
    import hashlib

    def event(name):
        text = json.dumps({"name": name, "ph": "B", "ts": 1767268803000000, "pid": 0, "tid": 0, "args": {"compile_id": "0/0"}})
        md5 = hashlib.md5(text.encode()).hexdigest()
        return record({"chromium_event": {}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0, "has_payload": md5},
                      "12:00:03.000000") + f"\t{text}\n"

    ended = record({"bwd_compilation_metrics": {"duration_us": 7}, "frame_id": 0, "frame_compile_id": 0}, "12:00:04.000000")
    for i, more in enumerate((event("CachingAutotuner.benchmark_all_configs"), event("entire_backward_compile") + ended)):
        Path(f"t{i}").mkdir()
        append(f"t{i}/{NAME}", start(0, "12:00:00.000000") + metrics(0, "12:00:00.200000", 200_000) + more)
        append(f"t{i}/{NAME}", record({"artifact": {"name": "x"}}, "12:09:00.000000"))
        assert "unfinished" not in once(f"t{i}", "--slow", "0")


@case
def what_has_finished_is_not_named():
    for log in samples.logs():
        if {"died", "disk_full", "hung", "interrupted", "killed", "truncated", "hangs_apart"}.isdisjoint(log.parts):
            assert '"unfinished"' not in once(log, "--slow", "0", "--format", "json"), log


@case
def compiles_that_are_not_slow_are_not_named():
    Path("t").mkdir()
    with Follow("t") as follow: # 10 s
        append(f"t/{NAME}", start(0, "12:00:00.000000") + metrics(0, "12:00:09.000000", 9_000_000))
        follow.line("compiled")
        append(f"t/{NAME}", start(1, "12:00:10.000000"))
        append(f"t/{NAME}", metrics(1, "12:00:10.500000", 500_000))
        follow.line(r"\[1/0\]   compiled")
        assert "unfinished" not in follow.end()


# ---- the report


@contextlib.contextmanager
def served(folder, *arguments):
    """The address of follow --serve, the process, and a function that reads a path."""
    import urllib.error
    import urllib.request
    Path("temporary").mkdir(exist_ok=True)
    with Follow(folder, "--serve", "--port", "0", "--no-browser", *arguments, TMPDIR=os.path.abspath("temporary")) as follow:
        url = follow.line(r"^tlparse: serving the report at (http://127\.0\.0\.1:\d+/)$", errors=True)[1]

        def get(path):
            try:
                with urllib.request.urlopen(url + path, timeout=LIMIT_S) as answer:
                    return answer.read().decode()
            except urllib.error.HTTPError as error:
                return f"{error.code}"

        yield url, follow, get
    assert os.listdir("temporary") == [], os.listdir("temporary")


def until(condition, what):
    end = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


class Events:
    """The states that a page hears of."""

    def __init__(self, url):
        import urllib.request
        self.answer = urllib.request.urlopen(url + "live.events", timeout=LIMIT_S)
        assert self.answer.headers["Content-Type"] == "text/event-stream"

    def state(self, condition):
        for line in self.answer:
            if line.startswith(b"data: "):
                state = json.loads(line[6:])
                if condition(state):
                    return state
        raise AssertionError("the stream ended")


@case
def the_report_is_made_again():
    Path("t").mkdir()
    with served("t") as (url, follow, get):
        assert "Waiting for records in t" in get("") and get("report.json") == "404" and "{" in get("assets/app.css")
        events = Events(url)
        append(f"t/{NAME}", start(0, "12:00:00.000000") + metrics(0, "12:00:01.000000", 9))
        first = events.state(lambda state: state["report"] > 0)
        until(lambda: json.loads(get("report.json"))["totals"]["compiles"] == 1, "no report of the first compile")
        page = get("")
        assert re.search(r' data-tl-live="\d+"', page) and "connect-src 'self'" in page
        assert "data-tl-live" not in get("failures_and_restarts.html")
        append(f"t/{NAME}", start(1, "12:00:02.000000") + metrics(1, "12:00:03.000000", 9))
        later = events.state(lambda state: state["report"] > first["report"])
        assert later["made_ms"] >= first["made_ms"]
        until(lambda: json.loads(get("report.json"))["totals"]["compiles"] == 2, "no report of the second compile")
        assert events.state(lambda state: state["still"])["grew_ms"] >= first["grew_ms"]
        append(f"t/{NAME}", start(2, "12:00:04.000000"))
        assert not events.state(lambda state: not state["still"])["still"]
        text = follow.end()
        assert "[0/0]   compiled" in text and "[1/0]   compiled" in text and "Serving" not in text


@case
def clients_may_come_and_go():
    Path("t").mkdir()
    with served("t") as (url, follow, get):
        def files():
            return len(os.listdir(f"/proc/{follow.process.pid}/fd"))

        get("")
        before = files()
        streams = [Events(url) for _ in range(20)]
        assert all(stream.state(lambda state: True)["report"] == 0 for stream in streams)
        for stream in streams[1:]:
            stream.answer.close()
        until(lambda: files() <= before + 1, "connections of clients that have gone stay open")
        append(f"t/{NAME}", start(0, "12:00:00.000000") + metrics(0, "12:00:01.000000", 9))
        assert streams[0].state(lambda state: state["report"] > 0)
        import urllib.request
        with urllib.request.urlopen(urllib.request.Request(url + "live.events", method="HEAD"), timeout=LIMIT_S) as head:
            assert head.headers["Content-Type"] == "text/event-stream" and not head.read()


@case
def a_second_rank_makes_it_a_report_of_ranks():
    Path("t").mkdir()
    for rank in (0, 1):
        append("t/" + RANK % rank, start(0, "12:00:00.000000", rank=rank) + metrics(0, "12:00:01.000000", 9, rank=rank))
        if rank == 0:
            holder = contextlib.ExitStack()
            url, follow, get = holder.enter_context(served("t"))
        kind = ("run", "ranks")[rank]
        until(lambda get=get, kind=kind: get("report.json").startswith("{") and json.loads(get("report.json"))["kind"] == kind, kind)
    with holder:
        assert "data-tl-live" in get("") and "data-tl-live" in get("rank_1/index.html")
        assert Events(url + "rank_1/").state(lambda state: True)["report"] > 0


@case
def a_report_that_fails_is_named_once():
    Path("t").mkdir()
    Path("temporary").mkdir()
    append(f"t/{NAME}", start(0, "12:00:00.000000") + metrics(0, "12:00:01.000000", 9))
    with served("t") as (url, follow, get):
        until(lambda: get("report.json").startswith("{"), "no report")
        [above] = Path("temporary").iterdir()
        foreign = above / "report" / "notes.txt" # a folder with other files is never replaced
        foreign.write_text("mine")
        append(f"t/{NAME}", start(1, "12:00:02.000000") + metrics(1, "12:00:03.000000", 9))
        follow.line("the report could not be made: ", errors=True)
        assert json.loads(get("report.json"))["totals"]["compiles"] == 1
        foreign.unlink()
        append(f"t/{NAME}", start(2, "12:00:04.000000") + metrics(2, "12:00:05.000000", 9))
        until(lambda: json.loads(get("report.json"))["totals"]["compiles"] == 3, "no report again")


def report_in(folder):
    assert Path(folder, "index.html").exists() and "data-tl-live" not in Path(folder, "index.html").read_text()
    return json.loads(Path(folder, "report.json").read_text())


@case
def the_report_is_left_at_the_end():
    Path("t").mkdir()
    with Follow("t", "-o", "out") as follow:
        append(f"t/{NAME}", start(0, "12:00:00.000000") + metrics(0, "12:00:01.000000", 9))
        follow.line("compiled")
        assert not Path("out").exists()
        text = follow.end()
        follow.line("^report: out/index.html$", errors=True)
    assert report_in("out")["totals"]["compiles"] == 1 and "\nCompiles      1 compile: 1 compiled\n" in text
    done = call("follow", "t", "-o", "out") # at once: nothing is followed
    assert done.returncode == 2 and not done.stdout and b"already exists" in done.stderr, done
    append(f"t/{NAME}", metrics(1, "12:00:03.000000", 9))
    assert events(once("t", "-o", "out", "--overwrite", "--format", "json"))[-1]["totals"]["compiles"] == 2
    assert report_in("out")["totals"]["compiles"] == 2
    Path("mine").mkdir()
    Path("mine/notes.txt").write_text("mine")
    done = call("follow", "t", "-o", "mine", "--overwrite")
    assert done.returncode == 2 and os.listdir("mine") == ["notes.txt"], done
    done = call("follow", "t", "--overwrite")
    assert done.returncode == 2 and b"requires --out" in done.stderr, done


@case
def the_served_report_is_left_at_the_end():
    Path("t").mkdir()
    with served("t", "-o", "out") as (url, follow, get):
        append(f"t/{NAME}", start(0, "12:00:00.000000") + metrics(0, "12:00:01.000000", 9))
        until(lambda: get("report.json").startswith("{"), "no report")
        assert not Path("out").exists()
        follow.end()
    assert report_in("out")["totals"]["compiles"] == 1


@case
def the_report_is_that_of_all_ranks_or_of_one():
    Path("t").mkdir()
    for rank in (0, 1):
        append("t/" + RANK % rank, start(0, "12:00:00.000000", rank=rank) + metrics(0, "12:00:01.000000", 9, rank=rank))
    once("t", "-o", "all")
    text = once("t", "-o", "one", "--rank", "1")
    assert [r["rank"] for r in report_in("all")["ranks"]] == [0, 1] and [r["rank"] for r in report_in("one")["ranks"]] == [1]
    assert "\nCompiles      1 compile: 1 compiled\n" in text, text


@case
def a_report_that_cannot_be_left_is_an_error():
    Path("t").mkdir()
    done = call("follow", "t", "-o", "out", "--until-idle", "0")
    assert done.returncode == 2 and b"no report was written: there are no records in t" in done.stderr and not Path("out").exists(), done
    with Follow("t", "-o", "out") as follow:
        append(f"t/{NAME}", metrics(0, "12:00:01.000000", 9))
        follow.line("compiled")
        Path("out").mkdir()
        Path("out/mine").write_text("mine")
        follow.process.send_signal(signal.SIGINT)
        assert follow.process.wait(LIMIT_S) == 2
        follow.line("Compiles      1 compile: 1 compiled")
        follow.line("^tlparse: .*out", errors=True)
    assert os.listdir("out") == ["mine"]


@case
def options_of_the_server_need_it():
    for arguments in (("--port", "0"), ("--host", "::1")):
        done = call("follow", ".", *arguments)
        assert done.returncode == 2 and b"requires --serve" in done.stderr, done


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
            assert "\nCompiles      1 compile: 1 compiled\n" in follow.end(number)
    with Follow("t/nothing") as follow: # no totals of nothing
        follow.line("waiting for logs", errors=True)
        assert follow.end() == "\n"
    with open("/dev/full", "w") as full:
        done = subprocess.run([TLPARSE, "follow", "t", "--until-idle", "0"], stdout=full, stderr=subprocess.PIPE,
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
    global TLPARSE, UPDATE
    TLPARSE, UPDATE = tlparse, update


if __name__ == "__main__":
    sys.exit(main(__doc__, use, updates=True))

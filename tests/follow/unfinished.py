"""Cases about compiles that run: which are named as unfinished, when, and which are not."""
import itertools
import json
from pathlib import Path

from common import NAME, Follow, append, case, metrics, once, place, plain, record, records, samples, start


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
        place(f"t/{NAME}", log[:late] + log[late:cut].replace(b"00:06:57", b"00:07:57", 1))
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
        place(f"t/{NAME}", log[:cut])
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

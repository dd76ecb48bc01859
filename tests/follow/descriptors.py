"""Cases with more logs than files that a process may open: quiet logs are closed, and none is lost without a word."""
import json
import subprocess
from pathlib import Path

import common
from common import LIMIT_S, RANK, Follow, allow, append, case, environment, events, metrics, start


def make_logs(count):
    Path("t").mkdir()
    for rank in range(count):
        append(f"t/{RANK % rank}", start(0, "12:00:00.000000", rank=rank) + metrics(0, "12:00:01.000000", 9, rank=rank))


def call(files, most, *arguments):
    return subprocess.run([common.tlparse, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S,
                          env=environment(TMPDIR=str(Path("t").absolute())), preexec_fn=lambda: allow(files, most))


def compiles(text):
    return [(e["rank"], e["compile"]) for e in events(text) if e["event"] == "compile"]


def all_compiles(follow, count):
    follow.wait(lambda: sum('"event":"compile"' in line for line in follow.out) >= count, "all compiles")


@case
def every_log_is_read_with_few_descriptors():
    make_logs(150)
    expected = [(rank, "0/0") for rank in range(150)]
    for files, most in ((64, 64), (20, 20), (20, 1000)):
        done = call(files, most, "follow", "t", "--until-idle", "0", "--format", "json")
        assert done.returncode == 0, done.stderr.decode()
        assert sorted(compiles(done.stdout.decode())) == expected, files


@case
def a_log_that_was_closed_is_read_on():
    make_logs(40)
    with Follow("t", "--format", "json", files=24) as follow:
        for number in range(1, 4):
            for rank in range(40):
                append(f"t/{RANK % rank}", start(number, "12:00:02.000000", rank=rank) + metrics(number, "12:00:03.000000", 9, rank=rank))
            all_compiles(follow, 40 * (number + 1))
        text = follow.end()
    assert sorted(compiles(text)) == [(rank, f"{n}/0") for rank in range(40) for n in range(4)]
    assert not any('"truncated"' in line or '"rotated"' in line for line in text.splitlines())


@case
def a_log_that_is_rotated_or_removed_while_it_is_closed_is_named():
    make_logs(40)
    with Follow("t", "--format", "json", files=24) as follow:
        all_compiles(follow, 40)
        first = Path("t") / (RANK % 0)
        first.rename(f"{first}.1")
        append(first, start(7, "12:00:02.000000", rank=0) + metrics(7, "12:00:03.000000", 9, rank=0))
        follow.line('"event":"rotated"')
        follow.line('"compile":"7/0"')
        follow.line("rotated while its file was closed", errors=True)
        (Path("t") / (RANK % 1)).unlink()
        follow.line('"event":"removed"')
        follow.end()


@case
def nothing_is_lost_without_a_word():
    """With hardly a descriptor, all is read, or the call fails, and leaves no folder."""
    make_logs(6)
    before = sorted(p.name for p in Path().rglob("*"))
    for files in range(4, 24):
        done = call(files, files, "follow", "t", "--until-idle", "0", "--format", "json")
        if done.returncode:
            assert b"Too many open files" in done.stderr, (files, done.stderr)
        else:
            assert len(compiles(done.stdout.decode())) == 6, (files, done.stderr)
            assert json.loads(done.stdout.splitlines()[-1])["totals"]["compiles"] == 6
        for command in (("follow", "t", "--until-idle", "0", "-o", "out"), ("t", "-o", "out", "--no-browser"), ("share", "t", "-o", "one.html"), ("share", "t", "-o", "-")):
            done = call(files, files, *command)
            assert done.returncode == 0 or b"oo many open files" in done.stderr, (files, command, done.stderr)
            assert done.returncode == 0 or sorted(p.name for p in Path().rglob("*")) == before, (files, command, done.stderr)
            subprocess.run(["rm", "-rf", "out", "one.html"], check=True)
            assert sorted(p.name for p in Path().rglob("*")) == before, (files, command)

"""Cases about the report: served while the log grows, and left at the end."""
import contextlib
import json
import os
import re
import signal
import urllib.request
from pathlib import Path

from common import LIMIT_S, NAME, RANK, Follow, append, call, case, events, metrics, once, served, start, wait_until


def wait_for_report(get, condition=lambda report: True):
    def is_there():
        text = get("report.json")
        return text.startswith("{") and condition(json.loads(text))

    wait_until(is_there, "the report")


class Events:
    """The states that a page hears of."""

    def __init__(self, url):
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
        states = Events(url)
        append(f"t/{NAME}", start(0, "12:00:00.000000") + metrics(0, "12:00:01.000000", 9))
        first = states.state(lambda state: state["report"] > 0)
        wait_for_report(get, lambda report: report["totals"]["compiles"] == 1)
        page = get("")
        assert re.search(r' data-tl-live="\d+"', page) and "connect-src 'self'" in page
        assert "data-tl-live" not in get("failures_and_restarts.html")
        append(f"t/{NAME}", start(1, "12:00:02.000000") + metrics(1, "12:00:03.000000", 9))
        later = states.state(lambda state: state["report"] > first["report"])
        assert later["made_ms"] >= first["made_ms"]
        wait_for_report(get, lambda report: report["totals"]["compiles"] == 2)
        assert states.state(lambda state: state["still"])["grew_ms"] >= first["grew_ms"]
        append(f"t/{NAME}", start(2, "12:00:04.000000"))
        assert not states.state(lambda state: not state["still"])["still"]
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
        wait_until(lambda: files() <= before + 1, "the end of the connections of clients that have gone")
        append(f"t/{NAME}", start(0, "12:00:00.000000") + metrics(0, "12:00:01.000000", 9))
        assert streams[0].state(lambda state: state["report"] > 0)
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
        wait_for_report(get, lambda report, kind=kind: report["kind"] == kind)
    with holder:
        assert "data-tl-live" in get("") and "data-tl-live" in get("rank_1/index.html")
        assert Events(url + "rank_1/").state(lambda state: True)["report"] > 0


@case
def a_report_that_fails_is_named_once():
    Path("t").mkdir()
    Path("temporary").mkdir()
    append(f"t/{NAME}", start(0, "12:00:00.000000") + metrics(0, "12:00:01.000000", 9))
    with served("t") as (url, follow, get):
        wait_for_report(get)
        [above] = Path("temporary").iterdir()
        foreign = above / "report" / "notes.txt" # a folder with other files is never replaced
        foreign.write_text("mine")
        append(f"t/{NAME}", start(1, "12:00:02.000000") + metrics(1, "12:00:03.000000", 9))
        follow.line("the report could not be made: ", errors=True)
        assert json.loads(get("report.json"))["totals"]["compiles"] == 1
        foreign.unlink()
        append(f"t/{NAME}", start(2, "12:00:04.000000") + metrics(2, "12:00:05.000000", 9))
        wait_for_report(get, lambda report: report["totals"]["compiles"] == 3)
        assert sum("could not be made" in line for line in follow.errors) == 1, follow.errors


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
    assert report_in("out")["totals"]["compiles"] == 1 and "\nCompiles      1: 1 compiled\n" in text
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
        wait_for_report(get)
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
    assert "\nCompiles      1: 1 compiled\n" in text, text


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
        follow.line("Compiles      1: 1 compiled")
        follow.line("^tlparse: .*out", errors=True)
    assert os.listdir("out") == ["mine"]


@case
def options_of_the_server_need_it():
    for arguments in (("--port", "0"), ("--host", "::1")):
        done = call("follow", ".", *arguments)
        assert done.returncode == 2 and b"requires --serve" in done.stderr, done

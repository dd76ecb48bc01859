#!/usr/bin/env python3
"""`follow --serve` for a week, with time compressed: libfaketime makes 1 s of the machine an hour for the program.

    soak.py [--tlparse build/tlparse] [--list] [NAME...]

On five days, a job compiles something each hour, and gets a further rank each midnight; for two days, nothing is compiled. Meanwhile
clients come and go, stop in the middle of a request, or listen for days. The last line is `N passed, N failed, N skipped`.
"""
import contextlib
import http.client
import json
import os
import re
import socket
import sys
import time
import urllib.request
from pathlib import Path

import common
from common import LIMIT_S, RANK, Skipped, append, call, case, main, metrics, served, start, wait_until

HOUR_S = 1  # of this machine
HOURS, QUIET = range(7 * 24), range(60, 108)
COMPILES = 20  # per hour
UNFINISHED = 4  # requests per hour
GROWTH_KIB = 256  # of resident memory in QUIET: what an allocator may keep


def fake_time():
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
    if not found:
        raise Skipped("the package faketime is not installed")
    return {"LD_PRELOAD": str(found[0]), "FAKETIME": f"+0 x{3600 // HOUR_S}"}


class Job:
    def __init__(self, folder):
        self.folder, self.compiles = Path(folder), 0

    def compile(self, hour):
        rank, records = hour // 24, ""
        for minute in range(COMPILES):
            clock = f"{hour % 24:02}:{minute:02}"
            records += start(self.compiles, f"{clock}:00.000000", rank=rank) + metrics(self.compiles, f"{clock}:01.000000", 9, rank=rank)
            self.compiles += 1
        append(self.folder / (RANK % rank), records)


class Clients:
    """What clients do in an hour. The server's time runs faster than theirs: it may end a connection before it is done."""

    def __init__(self, url):
        self.url, self.address = url, ("127.0.0.1", int(url.rstrip("/").rpartition(":")[2]))
        self.streams, self.unfinished, self.answered, self.ended = [], [], 0, 0

    def ask(self, path):
        with contextlib.suppress(OSError, http.client.HTTPException), urllib.request.urlopen(self.url + path, timeout=LIMIT_S) as answer:
            text = answer.read().decode()
            self.answered += 1
            return text
        self.ended += 1
        return ""

    def send(self, request):
        connection = socket.create_connection(self.address)
        with contextlib.suppress(OSError):
            connection.sendall(request)
        return connection

    def act(self, hour):
        for path in ("", "report.json", "assets/app.js", "rank_0/report.json"):
            self.ask(path)
        for connection in self.unfinished:
            connection.close()
        self.unfinished = [self.send(b"GET /report.json HTTP/1.1\r\nHost: loc") for _ in range(UNFINISHED)]
        if hour % 24 == 0:
            for stream in self.streams:
                stream.close()
            self.streams = [self.send(b"GET /live.events HTTP/1.1\r\nHost: localhost\r\n\r\n") for _ in range(8)]

    def leave(self):
        for connection in self.streams + self.unfinished:
            connection.close()
        self.streams, self.unfinished = [], []


class Program:
    """What `follow` takes of the machine."""

    def __init__(self, pid):
        self.proc = Path(f"/proc/{pid}")

    def held(self):
        """Resident memory (KiB), threads, open files, and files in the temporary folder."""
        status = (self.proc / "status").read_text()
        kib, threads = (int(re.search(rf"(?m)^{name}:\s+(\d+)", status)[1]) for name in ("VmRSS", "Threads"))
        files = sum(len(files) for _folder, _folders, files in os.walk("temporary"))
        return kib, threads, len(list((self.proc / "fd").iterdir())), files

    def at_rest(self):
        """held(), when the clients that have gone are forgotten and no report is being made."""
        before, seen = None, 0

        def is_still():
            nonlocal before, seen
            now = self.held()[1:]
            before, seen = now, seen + 1 if now == before else 0
            return seen > 100

        wait_until(is_still, "rest")
        return self.held()


def totals(report):
    """Ranks and compiles of a report."""
    return len(report.get("ranks", [report])), report["totals"]["compiles"]


def wait_for_report(clients, compiles):
    def is_there():
        text = clients.ask("report.json")
        return text.startswith("{") and totals(json.loads(text))[1] == compiles

    wait_until(is_there, "the report of all compiles")


@case
def a_week():
    Path("t").mkdir()
    job, rest = Job("t"), {}
    job.compile(0)
    with served("t", "-o", "out", **fake_time()) as (url, follow, _get):
        clients, program, begin = Clients(url), Program(follow.process.pid), time.monotonic()
        for hour in HOURS[1:]:
            time.sleep(max(0, begin + hour * HOUR_S - time.monotonic()))
            if hour not in QUIET:
                job.compile(hour)
            if hour in (QUIET[0], QUIET[-1], HOURS[-1]):
                clients.leave()
                wait_for_report(clients, job.compiles)
                rest[hour] = program.at_rest()
            clients.act(hour)
        clients.leave()
        follow.end()
    (before, *held), (after, *still), (last, threads, files, _files) = rest.values()
    print(f"     {clients.answered} requests answered, {clients.ended} ended by the server; KiB, threads, descriptors, files: {list(rest.values())}")
    assert clients.answered > 2 * len(HOURS), "the server answers too few requests"
    assert still == held and after - before <= GROWTH_KIB, "something was kept while nothing was compiled"
    assert threads == held[0] and files == held[1] + 6 - len({hour // 24 for hour in range(QUIET[0])}), "threads or descriptors were kept"
    assert last - before <= 6 * COMPILES * (len(HOURS) - QUIET[-1]), "more than 6 KiB for each compile"
    done = call("t", "-o", "once", "--no-browser")
    assert done.returncode == 0, done.stderr
    served_report, once = (json.loads(Path(folder, "report.json").read_text()) for folder in ("out", "once"))
    assert totals(served_report) == totals(once) == (6, job.compiles)  # of seven days, one has no compile
    assert served_report["findings"] == once["findings"]


def use(tlparse, update):
    common.tlparse, common.update = tlparse, update


if __name__ == "__main__":
    sys.exit(main(__doc__, use))

"""What the tests of follow share: logs, and the program that follows them."""
import contextlib
import gzip
import json
import os
import queue
import re
import resource
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import samples  # noqa: E402
from cases import LIMIT_S, Skipped, case, compare_file, main, stop, wait_until  # noqa: E402, F401  # for the files with cases

update = False  # write the expected texts
tlparse = None  # the path of the program
NAME = "dedicated_log_torch_trace_abcdefgh.log"
RANK = "dedicated_log_torch_trace_rank_%d_abcdefgh.log"


def environment(**more):
    keep = {name: os.environ[name] for name in ("PATH", "HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS") if name in os.environ}
    return {**keep, "LC_ALL": "C", "COLUMNS": "200", **more}


def call(*arguments, columns=200, **env):
    return subprocess.run([tlparse, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=LIMIT_S, env=environment(COLUMNS=str(columns), **env))


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


def allow(files, most=None):
    """Limits the open files of this process; None: as they are."""
    if files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, most or files))


class Follow:
    """tlparse follow, and the lines that it has printed; ends with the `with` block, by SIGINT."""

    def __init__(self, *arguments, files=None, **env):
        self.process = subprocess.Popen([tlparse, "follow", *map(str, arguments)], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(**env),
                                        preexec_fn=lambda: (signal.signal(signal.SIGINT, signal.SIG_DFL), allow(files)))
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
        status = stop(self.process, number)
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


@contextlib.contextmanager
def served(folder, *arguments, **env):
    """The address of follow --serve, the process, and a function that reads a path."""
    Path("temporary").mkdir(exist_ok=True)
    with Follow(folder, "--serve", "--port", "0", "--no-browser", *arguments, TMPDIR=os.path.abspath("temporary"), **env) as follow:
        url = follow.line(r"^tlparse: serving the report at (http://127\.0\.0\.1:\d+/)$", errors=True)[1]

        def get(path):
            try:
                with urllib.request.urlopen(url + path, timeout=LIMIT_S) as answer:
                    return answer.read().decode()
            except urllib.error.HTTPError as error:
                return f"{error.code}"

        yield url, follow, get
    assert os.listdir("temporary") == [], os.listdir("temporary")


def append(path, content):
    with open(path, "ab") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def place(path, content):
    """Creates a log with all of its content at once: who looks while it is written would see a part of it."""
    part = Path("part")
    part.write_bytes(content)
    part.rename(path)


def compare(name, text):
    """With the file of that name in expected."""
    compare_file(HERE / "expected" / name, text, update)

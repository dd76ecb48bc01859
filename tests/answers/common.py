"""What the tests of answers share: the program, its calls, expected texts and schemas."""
import os
import pty
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
DOC = HERE.parent.parent / "doc"
sys.path.insert(0, str(HERE.parent / "tools"))
import samples  # noqa: E402
import validate  # noqa: E402, F401  # for the files with cases
from cases import case, compare_file, main  # noqa: E402, F401  # for the files with cases

LIMIT_S = 120
update = False  # write the expected texts
tlparse = None  # the path of the program


def environment(**more):
    keep = {name: os.environ[name] for name in ("PATH", "HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS") if name in os.environ}
    return {**keep, **more}


def call(*arguments, columns=80, env=None, stdin=None, cwd=samples.LOGS):
    return subprocess.run([tlparse, *map(str, arguments)], stdin=stdin or subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S, cwd=cwd,
                          env=environment(LC_ALL="C", COLUMNS=str(columns), **(env or {})))


def answer(*arguments, status=0, **how):
    done = call(*arguments, **how)
    assert done.returncode == status, (done.returncode, done.stderr.decode())
    return done.stdout.decode()


def report_of(log):
    """The folder of the report of a log, which the suites share: do not modify it."""
    return samples.report(tlparse, log).out


def compare(name, text):
    """With the file of that name in expected."""
    compare_file(HERE / "expected" / name, text, update)


def check_text(text, columns):
    """Each character of the logs of these tests takes one column."""
    for line in text.split("\n"):
        assert len(line) <= columns, f"{len(line)} columns: {line}"
        assert line == line.rstrip(), f"space at the end: {line!r}"
        assert "\x1b" not in line


def on_terminal(*arguments, status=0, **env):
    """What the program prints to a terminal."""
    master, slave = pty.openpty()
    child = subprocess.Popen([tlparse, *arguments], stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.DEVNULL,
                             cwd=samples.LOGS, env=environment(**{"TERM": "xterm", "COLUMNS": "80", **env}))
    os.close(slave)
    text = b""
    while True:
        try:
            part = os.read(master, 1 << 16)
        except OSError:
            part = b""
        if not part:
            break
        text += part
    os.close(master)
    assert child.wait(LIMIT_S) == status
    return text.decode().replace("\r\n", "\n")

"""Cases about the folder of the report: what is replaced, and what signals, failures and other calls leave of it."""
import contextlib
import ctypes
import os
import re
import resource
import signal
import subprocess
import time
from pathlib import Path

import common
from common import LIMIT_S, call, case, contents, environment, fails, hidden, last_line, makes, raw, record, said, small_disk, wait_until


@case
def a_log_that_ends_within_a_header_is_not_whole():
    for end, status in (("V01", 2), ("V0101 12:00:0", 2), ("V0101 12:00:00.000000 7 torch/a.p", 2), ("other text", 0), ("", 0)):
        Path("a.log").write_text(record() + end)
        done = call("check", "a.log", "--max", "failures=0")
        assert done.returncode == status, (end, done.returncode, done.stdout)
        assert (b"it ends within the header of a record" in done.stdout) == (status == 2), done.stdout


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
    assert "Stats" not in said(done) and last_line(done) == "hint: choose another folder with -o, or remove this folder yourself"
    assert Path("out/thesis.tex").exists() and Path("out/index.html").exists() and not hidden()
    os.unlink("out/thesis.tex")
    fails(1, "it contains the log", "out/raw.log", "-o", "out", "--overwrite", "--no-browser")
    with open("out/raw.log", "rb") as log:
        done = subprocess.run([common.tlparse, "-", "-o", "out", "--overwrite", "--no-browser"], stdin=log,
                              stderr=subprocess.PIPE, env=environment(), timeout=LIMIT_S)
    assert done.returncode == 1 and b"it contains the log" in done.stderr
    assert raw() == Path("a.log").read_bytes()
    Path("file").write_text("x")
    fails(1, "it is a file", "a.log", "-o", "file", "--overwrite", "--no-browser")
    assert Path("file").read_text() == "x"


@contextlib.contextmanager
def building(*arguments, folder="."):
    """The hidden folder of a run that has read a part of its input. Then ends the input."""
    os.umask(0o022)
    more = environment(TMPDIR=str(Path(folder).absolute()))
    with subprocess.Popen([common.tlparse, *arguments], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=more) as process:
        process.stdin.write(record().encode())
        process.stdin.flush()
        wait_until(lambda: list(Path(folder).glob(".*.tlparse-*")))
        yield next(Path(folder).glob(".*.tlparse-*"))
        process.stdin.close()
        assert process.wait(LIMIT_S) == 0


def mode_of(path):
    return Path(path).stat().st_mode & 0o7777


@case
def nobody_else_enters_what_is_being_built():
    os.mkdir("temporary")
    with building("-", "-o", "out", "--no-browser") as staging:
        assert mode_of(staging) == 0o700, oct(mode_of(staging))
    assert mode_of("out") == 0o755, oct(mode_of("out"))
    os.chmod("out", 0o2750)
    with building("-", "-o", "out", "--no-browser", "--overwrite") as staging:
        assert mode_of(staging) & 0o777 == 0o700, oct(mode_of(staging))
    assert mode_of("out") == 0o2750, oct(mode_of("out"))
    for to, where in (("-", "temporary"), ("one.html", ".")):
        with building("share", "-", "-o", to, "--redact", "code", folder=where) as staging:
            assert mode_of(staging) == 0o700, oct(mode_of(staging))


@case
def a_file_keeps_the_mode_of_the_one_that_it_replaces():
    Path("a.log").write_text(record())
    for command, one in ((("share", "a.log", "-o", "one.html"), "one.html"), (("facts", "a.log", "-o", "one.facts"), "one.facts")):
        os.umask(0o022)
        done = call(*command)
        assert done.returncode == 0, said(done)
        assert mode_of(one) == 0o644, oct(mode_of(one))
        for mode in (0o600, 0o640):
            os.chmod(one, mode)
            done = call(*command, "--overwrite")
            assert done.returncode == 0, said(done)
            assert mode_of(one) == mode, (command, oct(mode_of(one)))


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
    with small_disk("4m"):
        Path("a.log").write_text(record())
        Path("big.log").write_text(record(payload="x" * 8000000))
        makes("a.log", out="disk/out")
        before = contents("disk/out")
        fails(1, "No space left on device", "big.log", "-o", "disk/out", "--overwrite", "--no-browser")
        assert contents("disk/out") == before and not hidden("disk")
        fails(1, "No space left on device", "big.log", "-o", "disk/other", "--no-browser")
        assert os.listdir("disk") == ["out"]


# ---- signals


class Running:
    """A run that has created its staging folder and waits for standard input."""

    def __init__(self, *arguments, before=None):
        self.child = subprocess.Popen([common.tlparse, "-", "-o", "out", "--no-browser", "--block-bytes", "4096", *arguments],
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


PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT, WAIT_FOR_THREADS = 17, 0x4206, 0x4207, 0x40000000


@contextlib.contextmanager
def held(thread):
    """Holds one thread of a program, as a debugger does: as if the kernel did not run it."""
    libc = ctypes.CDLL(None, use_errno=True)

    def ptrace(request):
        if libc.ptrace(request, thread, None, None):
            raise OSError(ctypes.get_errno(), f"ptrace {request}: {os.strerror(ctypes.get_errno())}")

    ptrace(PTRACE_SEIZE)
    ptrace(PTRACE_INTERRUPT)
    os.waitpid(thread, WAIT_FOR_THREADS)
    yield
    ptrace(PTRACE_DETACH)


@case
def a_signal_before_the_end_of_the_input_keeps_the_old_report():
    """Also if the kernel runs the thread that receives signals (the first that starts) last of all."""
    makes("-", stdin=record(name="old").encode())
    before = contents("out")
    run = Running("--overwrite")
    receiver = sorted(map(int, os.listdir(f"/proc/{run.child.pid}/task")))[1]
    status = Path(f"/proc/{run.child.pid}/task/{receiver}/status")
    with held(receiver):
        run.child.send_signal(signal.SIGTERM)
        run.child.stdin.close()
        # The program has made the report, and sends its thread a signal of its own, to end it.
        wait_until(lambda: int(re.search(r"SigPnd:\t(\w+)", status.read_text())[1], 16), "the end of the thread")
    assert run.end()[0] == -signal.SIGTERM
    assert os.listdir(".") == ["out"] and contents("out") == before


@case
def an_ignored_signal_is_ignored():
    run = Running(before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))  # nohup
    run.child.send_signal(signal.SIGHUP)  # would keep it from completing the report: see the case before
    status, text = run.end()
    assert status == 0 and "Stats { ok: 1000 }" in text
    assert os.listdir(".") == ["out"]


@case
def a_signal_at_any_time_leaves_a_whole_report_or_none():
    Path("a.log").write_text(record() * 300)
    whole = None
    seen = set()
    for i in range(40):
        child = subprocess.Popen([common.tlparse, "a.log", "-o", "out", "--overwrite", "--no-browser"],
                                 stderr=subprocess.DEVNULL, env=environment())
        time.sleep(i * 0.0015)
        child.send_signal(signal.SIGTERM)
        seen.add(child.wait(LIMIT_S))
        assert not hidden(), hidden()
        if Path("out").exists():
            whole = whole or contents("out")
            assert contents("out") == whole
    assert seen <= {0, -signal.SIGTERM}, seen
    makes("a.log", "--overwrite")
    assert whole in (None, contents("out"))


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
    runs = [subprocess.Popen([common.tlparse, "a.log", "-o", "out", "--overwrite", "--no-browser"], stderr=subprocess.PIPE,
                             env=environment()) for _ in range(6)]
    for run in runs:
        text = run.communicate(timeout=LIMIT_S)[1]
        assert run.returncode == 0, text
    assert raw() == Path("a.log").read_bytes() and sorted(os.listdir(".")) == ["a.log", "out"]

#!/usr/bin/env python3
"""Tests of the commands run and runs: how a program runs below tlparse, and what the store keeps of it.

    run.py --tlparse build/tlparse [NAME...]     only the cases whose name starts with NAME

Programs are small Python scripts that copy logs of tests/data/logs to $TORCH_TRACE. Each case has its own folder, home and store. The
last line is `N passed, N failed, N skipped`.
"""
import contextlib
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
sys.path.insert(0, str(HERE))
import samples  # noqa: E402
import terminal  # noqa: E402
import validate  # noqa: E402
from cases import case, main  # noqa: E402

LIMIT_S = 60
TLPARSE = None
PYTHON = sys.executable
COPY = "import os,shutil,sys\nfor log in sys.argv[1:]: shutil.copy(log, os.environ['TORCH_TRACE'])\n"


def log(name):
    """Paths of the logs of a sample."""
    path = samples.LOGS / name
    return sorted(str(p) for p in path.rglob("dedicated_log_*")) if path.is_dir() else [str(path)]


def environment(**more):
    keep = {name: os.environ[name] for name in ("PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS") if name in os.environ}
    here = os.getcwd()
    return {**keep, "LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": here, "XDG_STATE_HOME": here + "/state", "COLUMNS": "80",
            "PYTHONDONTWRITEBYTECODE": "1", **more}


def start(*arguments, env=None, **how):
    how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
    return subprocess.Popen([TLPARSE, *map(str, arguments)], env=environment(**(env or {})), **how)


class Done:
    def __init__(self, process, stdin=None):
        out, said = process.communicate(stdin, timeout=LIMIT_S)
        self.status, self.out, self.said = process.returncode, (out or b"").decode(), (said or b"").decode()


def call(*arguments, stdin=None, **how):
    return Done(start(*arguments, **({"stdin": subprocess.PIPE} if stdin is not None else {}), **how), stdin)


def run(*arguments, **how):
    return call("run", *arguments, **how)


def python(code, *arguments):
    return [PYTHON, "-c", code, *arguments]


def runs(*arguments, status=0, **how):
    done = call("runs", *arguments, **how)
    assert done.status == status, (done.status, done.said)
    return done.out


def kept(**how):
    """The runs that are kept, newest first."""
    return json.loads(runs("--format", "json", **how))["runs"]


def wait_until(condition):
    end = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.01)


def wait_for_file(path):
    wait_until(Path(path).exists)


def check_schema(text):
    validate.check(validate.documented("runs.schema.json"), json.loads(text))


# ---- the program


@case
def has_its_streams_and_status():
    code = COPY + "print(sys.stdin.read().upper(), end=''); print('oops', file=sys.stderr); sys.exit(3)"
    done = run("--", *python(code, *log("simple")), stdin=b"text\n")
    assert done.status == 3 and done.out == "TEXT\n", (done.status, done.out, done.said)
    assert done.said.startswith("oops\n") and "\nCompiles " in done.said
    report = re.search(r"(?m)^report: (.*/index\.html)$", done.said)[1]
    assert Path(report).exists() and done.said.endswith(f"run: {kept()[0]['id']}\n")
    one = kept()[0]
    assert (one["status"], one["signal"], one["state"], one["totals"]["compiles"]) == (3, None, "ended", 1), one
    assert one["command"] == python(code, *log("simple")) and one["cwd"] == os.getcwd()
    assert one["packages"]["torch"].startswith("2.15.0") and one["duration_us"] > 0


@case
def checks_the_run():
    program = python(COPY, *log("graph_breaks"))
    done = run("--check", "--max", "graph_breaks=0", "--", *program)
    assert done.status == 1 and "graph breaks, at most 0" in done.said and "\nCompiles " in done.said, done.said
    assert not done.out and kept()[0]["status"] == 0
    assert run("--check", "--max", "graph_breaks=99", "--", *program).status == 0
    done = run("--check", "--max", "graph_breaks=0", "--", *python(COPY + "sys.exit(7)", *log("graph_breaks")))
    assert done.status == 7 and "graph breaks, at most 0" in done.said  # the program's own status comes first
    for words, text in ((("--check", "--max", "no=1"), "no"), (("--check",), "there is no budget"), (("--max", "compiles=1"), "requires --check")):
        done = run(*words, "--", *python("open('ran', 'w')"))
        assert done.status in (2, 125) and text in done.said and not Path("ran").exists(), (words, done.status, done.said)
    assert run("--check", "--max", "compiles=1", "--", *python("pass")).status == 2  # there is no log


@case
def its_signal_is_ours():
    for name in ("SIGKILL", "SIGTERM", "SIGSEGV", "SIGPIPE", "SIGABRT"):
        done = run("--", *python(COPY + f"import signal; n = signal.{name}; signal.getsignal(n) and signal.signal(n, 0)\nos.kill(os.getpid(), n)", *log("simple")))
        assert done.status == -getattr(signal, name), (name, done.status, done.said)
        assert kept()[0]["signal"] == name and kept()[0]["status"] is None and "report: " in done.said
    assert "  SIGKILL  " in runs()


@case
def options_of_the_program_are_its_own():
    for words in (["--"], []):
        done = run("--top", "1", *words, *python("import sys; print(sys.argv[1:])", "--top", "x", "-h"))
        assert done.status == 0 and done.out == "['--top', 'x', '-h']\n", done.said


@case
def arguments_never_reach_a_shell():
    words = ["$(touch evil)", "`touch evil`", "; touch evil", "a b", "*"]
    assert run("--", *python("import sys; print(sys.argv[1:])", *words)).out == f"{words}\n"
    assert not Path("evil").exists()
    Path("script").write_text("echo no shell\n")
    os.chmod("script", 0o755)
    assert run("--", "./script").status == 126


@case
def a_program_that_cannot_start():
    for command, status, text in ((["no-such-program"], 127, "cannot run no-such-program: No such file"), (["/"], 126, "Permission denied")):
        done = run("--", *command)
        assert done.status == status and text in done.said and not done.out, (done.status, done.said)
    assert kept() == []
    done = run()
    assert done.status == 2 and "no command given" in done.said


@case
def a_store_that_cannot_be_made():
    Path("state").write_text("a file")
    done = run("--", *python("open('ran', 'w')"))
    assert done.status == 125 and "hint: set XDG_STATE_HOME" in done.said and not Path("ran").exists(), done.said


@case
def a_program_without_logs():
    done = run("--", *python("pass"))
    assert done.status == 0 and "no logs were written to " in done.said and "torch.compile" in done.said, done.said
    assert kept()[0]["report"] is None and kept()[0]["totals"] is None
    os.mkdir("bin")
    Path("bin/docker").write_text("#!/bin/sh\nexit 0\n")
    os.chmod("bin/docker", 0o755)
    assert "docker may not pass TORCH_TRACE on" in run("--", "docker", "run", env={"PATH": os.getcwd() + "/bin"}).said


@case
def a_log_without_records_is_no_failure():
    done = run("--", *python("import os; open(os.environ['TORCH_TRACE'] + '/dedicated_log_torch_trace_x.log', 'w')"))
    assert done.status == 0, done.said


@case
def our_output_ends_with_the_program():
    """Who reads the output does not wait for the report, nor for the server."""
    process = start("run", "--serve", "--port", "0", "--", *python(COPY + "print('end')", *log("simple")))
    assert process.stdout.read() == b"end\n"  # up to the end of the file
    said = ""
    while "Press Ctrl+C" not in said:
        said += process.stderr.readline().decode()
    address = re.search(r"http://\S+", said)[0]
    with urllib.request.urlopen(address, timeout=LIMIT_S) as page:
        assert page.status == 200
    process.terminate()
    assert Done(process).status == 0


@case
def does_not_wait_for_what_runs_on():
    code = COPY + """
if os.fork() == 0:
    os.close(1), os.close(2)
    import time
    while not os.path.exists('stop'): time.sleep(0.01)
    open('stopped', 'w')
    os._exit(0)
"""
    done = run("--", *python(code, *log("simple")))
    assert done.status == 0 and not Path("stopped").exists() and kept()[0]["state"] == "ended"
    Path("stop").touch()
    wait_for_file("stopped")


@case
def a_run_in_a_run_is_one_run():
    done = run("--", TLPARSE, "run", "--", *python(COPY + "sys.exit(5)", *log("simple")))
    assert done.status == 5 and done.said.count("report: ") == 1 and len(kept()) == 1, done.said
    # A variable that is left of a run that has ended means nothing.
    assert "report: " in run("--", *python(COPY, *log("simple")), env={"TLPARSE_RUN": kept()[0]["id"]}).said
    assert len(kept()) == 2


# ---- logs and reports


@case
def reads_all_logs_of_the_run_and_no_others():
    done = run("--", *python(COPY, *log("ranks4")))
    assert re.search(r"(?m)^Ranks +4 of 4$", done.said), done.said
    done = run("--", *python(COPY, *log("simple")))
    assert "Ranks" not in done.said and kept()[0]["totals"]["compiles"] == 1
    first = "os.utime(os.environ['TORCH_TRACE'] + '/' + os.path.basename(sys.argv[1]), (1, 1))"  # written long before the others
    run("--", *python(COPY + first, *log("ranks4")))
    assert [one["totals"]["compiles"] for one in kept()[::2]] == [kept()[0]["totals"]["compiles"]] * 2


@case
def an_own_trace_folder():
    """The logs go to a new folder in $TORCH_TRACE, which is the user's."""
    os.makedirs("trace/sub")
    shutil.copy(log("gpt2")[0], "trace")
    done = run("--", *python(COPY, *log("simple")), env={"TORCH_TRACE": "trace"})
    one = kept()[0]
    assert one["totals"]["compiles"] == 1 and Path(one["logs"]).parent == Path("trace").resolve(), done.said
    assert f"logs: {one['logs']}\n" in done.said
    runs("rm", one["id"])
    assert kept() == [] and len(list(Path(one["logs"]).iterdir())) == 1


@case
def an_own_report_folder():
    mark = python(COPY + "open('ran', 'w')", *log("simple"))
    os.mkdir("out")
    Path("out/mine").write_text("mine")
    done = run("-o", "out", "--", *mark)
    assert done.status == 125 and "out" in done.said and not Path("ran").exists() and kept() == [], done.said
    shutil.rmtree("out")
    assert run("-o", "out", "--", *mark).status == 0 and kept()[0]["report"] == os.path.realpath("out")
    assert run("-o", "out", "--", *mark).status == 125
    assert run("-o", "out", "--overwrite", "--", *mark).status == 0
    runs("rm", "--all")
    assert Path("out/index.html").exists() and kept() == []


@case
def a_report_that_cannot_be_written():
    """Nothing of it concerns the program."""
    code = COPY + "os.makedirs('out'); open('out/mine', 'w'); sys.exit(4)"
    done = run("-o", "out", "--", *python(code, *log("simple")))
    assert done.status == 4 and "tlparse: " in done.said and f"logs: {kept()[0]['logs']}\n" in done.said, done.said
    assert kept()[0]["report"] is None and kept()[0]["status"] == 4


@case
def the_summary_is_short():
    done = run("--", *python(COPY, *log("graph_breaks")))
    assert "7 more issues: see the report" in done.said
    assert "more issues" not in run("--top", "99", "--", *python(COPY, *log("graph_breaks"))).said


# ---- signals

COUNTER = """
import os, signal, sys
names = []
def note(number, frame):
    names.append(signal.Signals(number).name)
    open('got', 'a').write(names[-1] + '\\n')
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGQUIT, signal.SIGWINCH):
    if signal.getsignal(number) != signal.SIG_IGN: signal.signal(number, note)
open('ready', 'w').close()
while 'SIGUSR2' not in names: signal.pause()
"""


def got():
    return Path("got").read_text().split() if Path("got").exists() else []


@contextlib.contextmanager
def counting(**how):
    """Runs a program that writes down its signals and ends with SIGUSR2. Of several pending signals, tlparse handles the one with the
    lowest number first; so when SIGWINCH arrives, all others have been handled."""
    for name in ("got", "ready"):
        Path(name).unlink(missing_ok=True)
    process = start("run", "--", *python(COUNTER), **how)
    wait_for_file("ready")
    yield process
    process.send_signal(signal.SIGWINCH)
    wait_until(lambda: "SIGWINCH" in got())
    process.send_signal(signal.SIGUSR2)
    assert Done(process).status == 0


@case
def signals_for_us_are_passed_on_once():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGQUIT):
        with counting() as process:
            process.send_signal(number)
            wait_until(lambda: got())
        assert got() == [number.name, "SIGWINCH", "SIGUSR2"], got()


@case
def signals_for_the_group_arrive_once():
    """What torchrun does to its workers. tlparse is held until the program has handled the signal: a second one would count."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        with counting(start_new_session=True) as process:
            process.send_signal(signal.SIGSTOP)
            os.killpg(process.pid, number)
            wait_until(lambda number=number: got() == [number.name])
            process.send_signal(signal.SIGCONT)
        assert got() == [number.name, "SIGWINCH", "SIGUSR2"], got()


@case
def a_stopped_group_continues_with_us():
    with counting(start_new_session=True) as process:
        os.killpg(process.pid, signal.SIGSTOP)
        process.send_signal(signal.SIGCONT)
    assert got() == ["SIGWINCH", "SIGUSR2"], got()


@case
def ignored_signals_stay_ignored():
    with counting(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as process:
        process.send_signal(signal.SIGHUP)
    assert got() == ["SIGWINCH", "SIGUSR2"]


@case
def a_program_that_ignores_sigterm_goes_on():
    code = ("import os, signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nsignal.signal(signal.SIGUSR1, lambda *_: open('usr1', 'w'))\n"
            "open('pid', 'w').write(str(os.getpid())); os.rename('pid', 'ready')\nwhile True: signal.pause()")
    process = start("run", "--", *python(code))
    wait_for_file("ready")
    process.terminate()
    process.send_signal(signal.SIGUSR1)
    wait_for_file("usr1")
    assert process.poll() is None
    os.kill(int(Path("ready").read_text()), signal.SIGKILL)
    assert Done(process).status == -signal.SIGKILL


@case
def the_terminal_is_the_programs():
    """Ctrl-Z stops both, fg continues both, Ctrl-C arrives once."""
    code = COUNTER.replace("while", "assert all(map(os.isatty, (0, 1, 2)))\nprint('ready', flush=True)\nwhile")
    with terminal.Shell([TLPARSE, "run", "--", *python(code)], environment()) as shell:
        shell.expect("ready")
        shell.type("\x1a")
        assert shell.wait_for_stop() == signal.SIGTSTP
        assert all(state == "T" for state in shell.states_of("-c")), shell.states_of("-c")
        shell.foreground()
        shell.wait_until(lambda: all(state in "SR" for state in shell.states_of("-c")))
        shell.type("\x03")
        wait_until(lambda: got())
        os.kill(shell.job, signal.SIGUSR2)
        assert shell.wait() == 0
    assert got() == ["SIGINT", "SIGUSR2"], got()


@case
def the_background_may_not_read_the_terminal():
    """A job that is stopped because it reads from the terminal stops as a whole."""
    code = "import os, sys; os.rename('unready', 'ready'); print('read', sys.stdin.readline().strip(), flush=True)"
    Path("unready").touch()
    with terminal.Shell([TLPARSE, "run", "--", *python(code)], environment(), background=True) as shell:
        assert shell.wait_for_stop() == signal.SIGTTIN
        shell.foreground()
        shell.type("line\n")
        shell.expect("read line")
        assert shell.wait() == 0


@case
def interrupted_runs_are_recognized():
    for also in (True, False):  # the program is killed with us, or survives us
        code = "import os, time\nopen('p', 'w').write(str(os.getpid())); os.rename('p', 'pid')\nwhile True: time.sleep(0.01)"
        process = start("run", "--", *python(code), start_new_session=True)
        wait_for_file("pid")
        assert kept()[0]["state"] == "running" and "  running  " in runs()
        assert "is running" in call("runs", "rm", kept()[0]["id"]).said and len(kept()) == 1
        pid = int(Path("pid").read_text())
        if also:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait(LIMIT_S)
        assert kept()[0]["state"] == "interrupted" and "  interrupted  " in runs()
        assert "State         interrupted" in runs("show")
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        process.stdout.close(), process.stderr.close()
        Path("pid").unlink()
        runs("rm", "last")
        assert kept() == []


# ---- jobs


def rank_environment(rank, size, **more):
    return {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(size), "LOCAL_WORLD_SIZE": str(size), "MASTER_ADDR": "localhost",
            "MASTER_PORT": "29500", "TORCHELASTIC_RUN_ID": "none", "TORCHELASTIC_RESTART_COUNT": "0", **more}


# Copies its log, waits until all ranks have begun, then until the file go.<rank> exists, and exits with the status in it.
WORKER = COPY + """
import time
rank, size = os.environ['RANK'], int(os.environ['WORLD_SIZE'])
open('begun.' + rank, 'w').close()
while not all(os.path.exists(f'begun.{r}') for r in range(size)): time.sleep(0.01)
while not os.path.exists('go.' + rank): time.sleep(0.01)
sys.exit(int(open('go.' + rank).read()))
"""


def go(rank, status=0):
    Path(f"go.{rank}.new").write_text(str(status))
    os.rename(f"go.{rank}.new", f"go.{rank}")


def start_ranks(size, **more):
    for old in [*Path(".").glob("begun.*"), *Path(".").glob("go.*")]:
        old.unlink()
    logs = log("ranks4")
    return [start("run", "--", *python(WORKER, logs[rank]), env=rank_environment(rank, size, **more), start_new_session=True)
            for rank in range(size)]


@case
def ranks_of_a_launcher_are_one_run():
    ranks = start_ranks(4)
    wait_until(lambda: all(Path(f"begun.{rank}").exists() for rank in range(4)))
    assert [one["state"] for one in kept()] == ["running"] and len(kept()[0]["processes"]) == 4
    for rank in (2, 0, 3, 1):  # one after the other; 0 fails first, then 3
        go(rank, {0: 7, 3: 9}.get(rank, 0))
        done = Done(ranks[rank])
        assert done.status == {0: 7, 3: 9}.get(rank, 0)
        assert ("report: " in done.said) == (rank == 1), (rank, done.said)
    assert re.search(r"(?m)^Ranks +4 of 4$", done.said), done.said
    one, = kept()
    assert (one["state"], one["status"], one["failed_rank"]) == ("ended", 7, 0), one
    assert one["job"] == {"launcher": "torchrun", "run_id": "none", "world_size": 4, "local_size": 4}
    assert sorted((p["rank"], p["status"]) for p in one["processes"]) == [(0, 7), (1, 0), (2, 0), (3, 9)]
    assert "(rank 0, the first that failed)" in runs("show") and "rank 3: status 9" in runs("show")


@case
def all_ranks_at_once():
    for round_ in range(3):
        ranks = start_ranks(4)
        for rank in range(4):
            go(rank)
        said = [Done(process).said for process in ranks]
        assert sum("report: " in text for text in said) == 1, said
        assert len(kept()) == round_ + 1 and kept()[0]["totals"] == kept()[-1]["totals"] and kept()[0]["status"] == 0


@case
def restarted_ranks_stay_in_the_run():
    for count, status in ((0, 1), (1, 0)):
        ranks = start_ranks(2, TORCHELASTIC_RESTART_COUNT=str(count))
        for rank in range(2):
            go(rank, status)
        assert sum("report: " in Done(process).said for process in ranks) == 1
    one, = kept()
    assert one["status"] == 0 and [p["restart"] for p in one["processes"]] == [0, 0, 1, 1]


@case
def a_killed_rank_does_not_keep_the_others():
    ranks = start_ranks(2)
    wait_until(lambda: all(Path(f"begun.{rank}").exists() for rank in range(2)))
    os.killpg(ranks[0].pid, signal.SIGKILL)
    Done(ranks[0])
    go(1)
    assert "report: " in Done(ranks[1]).said
    assert kept()[0]["state"] == "interrupted" and [p["status"] for p in kept()[0]["processes"] if p["rank"] == 1] == [0]


@case
def ranks_that_start_late_are_waited_for():
    first = start("run", "--", *python(COPY, log("ranks4")[0]), env=rank_environment(0, 2))  # waits some seconds
    wait_until(lambda: kept() and "ended" in kept()[0]["processes"][0])
    assert first.poll() is None
    second = run("--", *python(COPY, log("ranks4")[1]), env=rank_environment(1, 2))
    assert "report: " in second.said and "report: " not in Done(first).said and len(kept()) == 1


@case
def a_rank_that_joins_and_ends_between_two_looks_is_the_last():
    first = start("run", "--", *python(COPY, log("ranks4")[0]), env=rank_environment(0, 2))
    wait_until(lambda: kept() and "ended" in kept()[0]["processes"][0])
    first.send_signal(signal.SIGSTOP)
    second = run("--", *python(COPY, log("ranks4")[1]), env=rank_environment(1, 2))
    first.send_signal(signal.SIGCONT)
    assert "report: " in second.said, second.said
    said = Done(first).said
    assert "report: " not in said, said
    assert len(kept()) == 1 and len(kept()[0]["processes"]) == 2, kept()


@case
def jobs_of_other_launchers_are_other_runs():
    """A shell script that starts ranks is the launcher."""
    script = 'for r in 0 1; do RANK=$r "$@" >said.$1.$r 2>&1 & done; wait'.replace("$1.", "$NAME.")
    plain = {name: value for name, value in rank_environment(0, 2).items() if name not in ("RANK", "LOCAL_RANK", "TORCHELASTIC_RUN_ID")}
    shells = []
    for name in "ab":
        command = ["sh", "-c", script, "sh", TLPARSE, "run", "--", *python(
            COPY.replace("sys.argv[1:]", "[sys.argv[1 + int(os.environ['RANK'])]]"), *log("ranks4")[:2])]
        shells.append(subprocess.Popen(command, env=environment(**plain, NAME=name)))
    for shell in shells:
        assert shell.wait(LIMIT_S) == 0
    assert [len(one["processes"]) for one in kept()] == [2, 2] and all(one["report"] for one in kept()), kept()


SLURM = {"SLURM_JOB_ID": "4711", "SLURM_STEP_ID": "2", "SLURM_STEP_NUM_TASKS": "2", "SLURM_NODEID": "0", "SLURM_STEP_TASKS_PER_NODE": "2"}
LAUNCHERS = {
    "mpirun": (None, lambda r: {"OMPI_COMM_WORLD_RANK": r, "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_LOCAL_SIZE": "2",
                                **SLURM, "SLURM_PROCID": "0"}),  # the task of srun is its daemon
    "mpiexec": (None, lambda r: {"PMI_RANK": r, "PMI_SIZE": "2", "MPI_LOCALNRANKS": "2", **SLURM, "SLURM_STEP_NUM_TASKS": "1", "SLURM_PROCID": "0"}),
    "srun": ("4711.2", lambda r: {**SLURM, "SLURM_PROCID": r, "PMI_RANK": r, "PMI_SIZE": "2"}),
    "torchrun": ("none", lambda r: {**rank_environment(r, 2), **SLURM, "SLURM_PROCID": "0", "OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1"}),
    None: (None, lambda r: {"RANK": r, "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", **SLURM, "SLURM_PROCID": "0"}),
}


@case
def ranks_of_other_launchers_are_one_run():
    worker = WORKER.replace("'RANK'", "'TEST_RANK'").replace("'WORLD_SIZE'", "'TEST_SIZE'")
    for name, (run_id, of_rank) in LAUNCHERS.items():
        for old in [*Path(".").glob("begun.*"), *Path(".").glob("go.*")]:
            old.unlink()
        ranks = [start("run", "--", *python(worker, log("ranks4")[r]), env={**of_rank(str(r)), "TEST_RANK": str(r), "TEST_SIZE": "2"})
                 for r in range(2)]
        for r in range(2):
            go(r)
        said = [Done(process).said for process in ranks]
        assert sum("report: " in text for text in said) == 1 and any("Ranks " in text for text in said), (name, said)
        assert kept()[0]["job"] == {"launcher": name, "run_id": run_id, "world_size": 2, "local_size": 2}, (name, kept()[0]["job"])
        assert sorted(p["rank"] for p in kept()[0]["processes"]) == [0, 1], name
    assert len(kept()) == len(LAUNCHERS)
    check_schema(runs("--format", "json"))


@case
def steps_of_slurm_are_other_runs():
    alone = {**SLURM, "SLURM_STEP_NUM_TASKS": "1", "SLURM_STEP_TASKS_PER_NODE": "1", "SLURM_PROCID": "0"}
    for _ in range(2):  # one after the other in the shell of a step
        assert "report: " in run("--", *python(COPY, *log("simple")), env=alone).said
    assert len(kept()) == 2
    batch = {**SLURM, "SLURM_PROCID": "0", "SLURM_NTASKS": "4"}
    for step in (None, "4294967290"):  # the script of sbatch, the shell of salloc
        batch.pop("SLURM_STEP_ID", None)
        env = {**batch, "SLURM_STEP_ID": step} if step else batch
        assert "report: " in run("--", *python(COPY, *log("simple")), env=env).said and kept()[0]["job"] is None
    for text, node, size in (("2(x2),1", "1", 2), ("2(x2),1", "2", 1), ("3", "1", None), ("", "0", None), ("2(x", "0", None),
                             ("x", "0", None), ("99999999999", "0", None), ("0,1", "1", 1)):
        env = {**alone, "SLURM_STEP_TASKS_PER_NODE": text, "SLURM_NODEID": node}
        process = start("run", "--", *python("pass"), env=env)
        wait_until(lambda process=process: process.poll() is not None or (kept() and "ended" in kept()[0]["processes"][0]))
        assert kept()[0]["job"]["local_size"] == size, (text, node, kept()[0]["job"])
        process.kill()
        process.communicate()
        runs("rm", "--all")
    del alone["SLURM_STEP_NUM_TASKS"]
    run("--", *python("pass"), env={**alone, "SLURM_NTASKS": "1"})
    assert kept()[0]["job"]["world_size"] == 1


@case
def a_rank_that_cannot_start_may_be_the_last():
    first = start("run", "--", *python(COPY, log("ranks4")[0]), env=rank_environment(0, 2))  # has ended, and waits for the other one
    wait_until(lambda: kept() and "ended" in kept()[0]["processes"][0])
    first.send_signal(signal.SIGSTOP)
    second = run("--", "no-such-program", env=rank_environment(1, 2))
    first.send_signal(signal.SIGCONT)
    assert second.status == 127 and "report: " in second.said and "cannot run no-such-program" in second.said, second.said
    said = Done(first).said
    assert "report: " not in said and kept()[0]["totals"]["compiles"] > 0, said
    assert (kept()[0]["status"], kept()[0]["failed_rank"]) == (127, 1), kept()


@case
def ranks_that_cannot_start_make_no_report():
    ranks = [start("run", "--", "no-such-program", env=rank_environment(rank, 2)) for rank in range(2)]
    for done in map(Done, ranks):
        assert done.status == 127 and "no logs were written" not in done.said and "report: " not in done.said, done.said
    assert [one["state"] for one in kept()] == ["ended"] and kept()[0]["report"] is None


# ---- the store


@case
def only_the_user_can_read_the_store():
    run("--", *python(COPY, *log("simple")), preexec_fn=lambda: os.umask(0))
    top = Path("state/tlparse/runs")
    one = top / kept()[0]["id"]
    for folder in (Path("state/tlparse"), top, one, one / "logs"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700, folder
    for file in one.iterdir():
        assert file.is_dir() or stat.S_IMODE(file.stat().st_mode) == 0o600, file


@case
def the_store_is_bounded():
    for n in range(4):
        run("--keep", "3", "--", *python("pass"))
        if n == 0:
            runs("pin", "last")
    ids = [one["id"] for one in kept()]
    assert len(ids) == 3 and [one["pinned"] for one in kept()] == [False, False, True]
    assert f"{ids[2]}*" in runs() and re.search(r"\*\s+is\s+pinned", runs())
    process = start("run", "--", *python("import sys; open('ready', 'w'); sys.stdin.read()"), stdin=subprocess.PIPE)
    wait_for_file("ready")
    run("--keep", "1", "--", *python("pass"))
    assert [(one["state"], one["pinned"]) for one in kept()] == [("ended", False), ("running", False), ("ended", True)]
    assert Done(process, b"").status == 0
    runs("unpin", ids[2])
    run("--keep", "1", "--", *python("pass"))
    assert len(kept()) == 1
    assert sorted(p.name for p in Path("state/tlparse/runs").iterdir()) == [kept()[0]["id"]]


@case
def the_store_is_bounded_in_bytes():
    for _ in range(3):
        run("--", *python("pass"))
    ids = [one["id"] for one in kept()]
    file = Path("state/tlparse/runs") / ids[1] / "run.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "bytes": 10 << 30}))
    run("--", *python("pass"))
    assert [one["id"] for one in kept()][1:] == [ids[0], ids[2]]


@case
def what_a_killed_program_leaves_is_swept():
    top = Path("state/tlparse/runs")
    run("--", *python("pass"))
    for name, age in ((".new-00000001", 7200), (".new-00000002", 0), (".gone-00000003", 0)):
        (top / name / "logs").mkdir(parents=True)
        os.utime(top / name, (time.time() - age,) * 2)
    (top / "jobs").mkdir()
    (top / "jobs/key").symlink_to("0badf00d")
    assert len(kept()) == 1
    run("--", *python("pass"))
    assert sorted(p.name for p in top.iterdir() if p.name[0] == ".") == [".new-00000002"] and not os.listdir(top / "jobs")


@case
def runs_at_once_do_not_harm_each_other():
    processes = [start("run", "--keep", "3", "--", *python(COPY, *log("simple"))) for _ in range(8)]
    for process in processes:
        done = Done(process)
        assert done.status == 0 and "report: " in done.said and "cannot" not in done.said, done.said
    assert 3 <= len(kept()) <= 8 and all(one["state"] == "ended" and not one["damaged"] for one in kept())
    run("--keep", "3", "--", *python("pass"))
    assert len(kept()) == 3


@case
def runs_have_names():
    for _ in range(3):
        run("--", *python("pass"))
    ids = [one["id"] for one in kept()]
    for name, place in (("last", 0), ("last~1", 1), ("last~2", 2), (ids[1], 1)):
        assert runs("show", name).startswith(ids[place])
    top = Path("state/tlparse/runs")
    for old, new in zip(ids, ("aaaa0000", "aaaa1111", "bbbb0000"), strict=True):
        os.rename(top / old, top / new)
    assert runs("show", "aaaa1").startswith("aaaa1111") and runs("show", "b").startswith("bbbb0000")
    for name, text in (("aaaa", "aaaa is ambiguous: 2 runs"), ("cccc", "no run cccc"), ("last~3", "only 3 runs"), ("", "no run"),
                       ("../aaaa0000", "no run"), ("last~x", "no run")):
        done = call("runs", "show", name)
        assert done.status == 2 and text in done.said and not done.out, done.said


@case
def runs_are_removed():
    for _ in range(4):
        run("--", *python("pass"))
    ids = [one["id"] for one in kept()]
    runs("rm", ids[3], "last")
    assert [one["id"] for one in kept()] == ids[1:3]
    assert call("runs", "rm", ids[1], "nothing").status == 2 and len(kept()) == 2  # all or none
    runs("rm", "--older-than", "1d")
    assert len(kept()) == 2
    runs("pin", ids[1])
    runs("rm", "--older-than", "0s")
    assert [one["id"] for one in kept()] == [ids[1]]
    runs("rm", "--all")
    assert len(kept()) == 1
    runs("rm", ids[1])  # named
    assert kept() == []
    for wrong in (["rm"], ["rm", "--all", "last"], ["rm", "--older-than", "7"], ["rm", "--older-than", "d"], ["list", "x"], ["--all"], ["no"],
                  ["show", "a", "b"], ["diff", "a"], ["pin"], ["--stat"], ["--format", "markdown"]):
        done = call("runs", *wrong)
        assert done.status == 2 and not done.out and "tlparse: " in done.said, (wrong, done.said)
    assert "unknown action shwo: did you mean show?" in call("runs", "shwo").said


@case
def runs_are_compared():
    for name in ("cache_runs/first", "cache_runs/second"):
        run("--", *python(COPY, *log(name)))
    new, base = kept()
    here = call("diff", base["logs"], new["logs"], "--stat").out
    text = runs("diff", "--stat")
    assert [line.split() for line in text.split("\n")[1:]] == [line.split() for line in here.split("\n")[1:]]
    assert base["id"] in text and new["id"] in text, text
    assert runs("diff", "last~1", "last") == runs("diff") and runs("diff", new["id"], base["id"]) != runs("diff")
    assert json.loads(runs("diff", "--format", "json"))["limits"] == []
    assert "exceeded" in runs("diff", "--fail-on", "guards>-1", status=1)
    shutil.rmtree(new["logs"])
    assert "has no logs anymore" in call("runs", "diff").said


@case
def json_fits_its_schema():
    assert json.loads(runs("--format", "json"))["runs"] == []
    ranks = start_ranks(2)
    go(0), go(1)
    assert all(Done(process).status == 0 for process in ranks)
    run("--", *python(COPY, *log("simple")))
    run("--", *python("import os, signal; os.kill(os.getpid(), signal.SIGKILL)"))
    check_schema(runs("--format", "json"))
    check_schema(runs("show", "--format", "json"))
    assert len(json.loads(runs("show", "last~1", "--format", "json"))["runs"]) == 1


@case
def text_fits_the_terminal():
    run("--", *python("pass", "x" * 300))
    run("--", *python(COPY, *log("recompiles")))
    runs("pin", "last")
    for columns in (80, 200):
        for text in (runs(env={"COLUMNS": str(columns)}), runs("show", env={"COLUMNS": str(columns)})):
            assert max(map(len, text.split("\n"))) <= columns, text
            assert all(line == line.rstrip() for line in text.split("\n"))
    head, row = runs(env={"COLUMNS": "80"}).split("\n")[:2]
    assert head.split() == "Run Age Command Exit Compiles Compile time Recompiles Breaks".split(), head
    assert row.split()[-1] == str(kept()[0]["totals"]["graph_breaks"])


EVIL = "\x1b]0;title\x07\x1b[31m\u202e"


def hostile_files():
    good = {"format": "tlparse-run", "version": 1, "command": ["a"], "processes": [{}], "logs": "logs"}
    yield json.dumps({**good, "command": [EVIL, "b\n\nc"], "cwd": EVIL, "host": EVIL, "logs": "/" + EVIL, "report": EVIL,
                      "git": {"commit": EVIL * 9, "dirty": 1}, "packages": {"torch": EVIL}, "environment": {EVIL: EVIL}, "totals": {"compiles": EVIL},
                      "processes": [{"rank": 0, "signal": EVIL, "ended": "2026-01-01T00:00:00.000000Z"}], "started": "2026-01-01T00:00:00.000000Z"})
    yield json.dumps({**good, "started": EVIL})
    yield json.dumps({**good, "totals": {"compiles": -1, "time_us": 1e300, "recompiles": 2**64, "graph_breaks": []}, "bytes": 2**63})
    for key, value in (("command", "text"), ("command", [1]), ("processes", {}), ("processes", [[]]), ("git", []), ("environment", 7), ("cwd", {}),
                       ("job", "x"), ("totals", []), ("logs", 1)):
        yield json.dumps({**good, key: value})
    yield from ("", "{", "[]", "null", '"text"', "{}", json.dumps({"format": "other"}), "[" * 100000, '{"a":"' + "x" * (9 << 20) + '"}')
    yield json.dumps({**good, "processes": [{}] * 100000})


@case
def hostile_files_do_no_harm():
    run("--", *python("pass"))
    top = Path("state/tlparse/runs")
    for n, text in enumerate(hostile_files()):
        folder = top / f"{n:08x}"
        folder.mkdir()
        (folder / "run.json").write_text(text)
    for n, make in enumerate((lambda p: p.mkdir(), os.mkfifo, lambda p: p.symlink_to("/etc/passwd"))):
        (top / f"f{n:07x}").mkdir()
        make(top / f"f{n:07x}/run.json")
    (top / "ffffffff").symlink_to("/")
    (top / "eeeeeeee").write_text("a file")
    text = runs(env={"COLUMNS": "500"})
    assert "\x1b" not in text and "\x07" not in text and "\u202e" not in text and "  (damaged)  " in text
    check_schema(runs("--format", "json"))
    for one in kept():
        text = runs("show", one["id"])
        assert "\x1b" not in text and "\u202e" not in text and ("State         unknown" in text) == one["damaged"], text
    runs("rm", "--all")
    assert kept() == [] and Path("/etc/passwd").exists() and Path("/").exists()
    assert "\x1b" not in call("runs", "show", EVIL).said and "\x1b" not in call("runs", EVIL).said


@case
def names_cannot_control_the_terminal():
    Path(EVIL.replace("/", "")).mkdir()
    done = run("--", EVIL)
    assert done.status == 127 and "\x1b" not in done.said and "\\x1b" in done.said
    done = run("-o", EVIL + "2", "--", *python(COPY, *log("simple")), env={"TORCH_TRACE": EVIL})
    assert done.status == 0 and "\x1b" not in done.said and done.said.count("\\x1b") > 2, done.said


# ---- what is known about a run


SECRETS = ("hunter2", "tok123", "hf_abcdef", "sekret")


@case
def secrets_are_not_kept():
    env = {"HF_TOKEN": "hunter2", "TORCH_API_KEY": "tok123", "TORCH_URL": "https://me:sekret@host/", "TORCH_HUB": "hf_abcdef",
           "TORCH_LOGS": "+dynamo", "CUDA_VISIBLE_DEVICES": "0,1", "AWS_SECRET_ACCESS_KEY": "hunter2", "MY_SETTING": "private"}
    run("--", *python("pass", "--api-key=tok123", "--token", "hunter2", "--url", "s3://me:sekret@host/x", "PASSWORD=hunter2", "hf_abcdef",
                      "--max-tokens", "128", "--tokenizer", "gpt2"), env=env)
    one = kept()[0]
    text = (Path("state/tlparse/runs") / one["id"] / "run.json").read_text()
    assert not any(secret in text for secret in SECRETS), text
    assert one["command"][3:] == ["--api-key=***", "--token", "***", "--url", "***", "PASSWORD=***", "***", "--max-tokens", "128", "--tokenizer", "gpt2"]
    assert one["environment"] == {"CUDA_VISIBLE_DEVICES": "0,1", "TORCH_LOGS": "+dynamo"}
    assert "TORCH_LOGS=+dynamo" in runs("show")


def git(*arguments):
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, env=environment(), stdout=subprocess.DEVNULL)


@case
def the_commit_is_known():
    run("--", *python("pass"))
    assert kept()[0]["git"] is None
    os.mkdir("repo")
    os.chdir("repo")
    try:
        store = {"XDG_STATE_HOME": os.path.dirname(os.getcwd()) + "/state"}
        git("init", "-q")
        Path("file").write_text("1")
        git("add", "file")
        git("commit", "-qm", "first")
        Path("untracked").touch()
        run("--", *python("pass"), env=store)
        assert re.fullmatch("[0-9a-f]{40}", kept(env=store)[0]["git"]["commit"]) and kept(env=store)[0]["git"]["dirty"] is False
        Path("file").write_text("2")
        run("--", *python("pass"), env=store)
        assert kept(env=store)[0]["git"]["dirty"] is True and "with uncommitted changes" in runs("show", env=store)
        os.mkdir("bin")
        for script in (None, "#!/bin/sh\nexec sleep 1000\n", "#!/bin/sh\nyes\n", "#!/bin/sh\necho not a commit\n"):
            if script:
                Path("bin/git").write_text(script)
                os.chmod("bin/git", 0o755)
            done = run("--", *python("pass"), env={**store, "PATH": os.getcwd() + "/bin" + (":/usr/bin:/bin" if script else "")})
            assert done.status == 0 and kept(env=store)[0]["git"] is None, (script, done.said)
    finally:
        os.chdir("..")


@case
def packages_are_found_without_importing():
    site = Path("venv/lib/python3.11/site-packages")
    for name in ("torch-9.8.7+cpu.dist-info", "pytorch_triton-3.2.1.dist-info", "torchvision-1.0.dist-info"):
        (site / name).mkdir(parents=True)
    Path("venv/pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.99\n")
    Path("venv/bin").mkdir()
    Path("venv/bin/python").symlink_to(os.path.realpath(PYTHON))
    Path("venv/bin/tool").write_text(f"#!{os.getcwd()}/venv/bin/python\n")
    os.chmod("venv/bin/tool", 0o755)
    wanted = {"torch": "9.8.7+cpu", "triton": "3.2.1", "python": "3.11.99"}
    for command in (["venv/bin/python", "-c", "pass"], ["venv/bin/tool"], ["tool"]):
        run("--", *command, env={"PATH": os.getcwd() + "/venv/bin:/usr/bin:/bin"})
        assert kept()[0]["packages"] == wanted, (command, kept()[0]["packages"])
    run("--", "/bin/true")
    assert kept()[0]["packages"] == {"torch": None, "triton": None, "python": None}


def use(tlparse, _update):
    global TLPARSE
    TLPARSE = tlparse


if __name__ == "__main__":
    sys.exit(main(__doc__, use))

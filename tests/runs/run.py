#!/usr/bin/env python3
"""Tests of the commands run and runs: how a program runs below tlparse, and its report. signals.py, jobs.py, profiles.py and
store.py have more cases.

    run.py --tlparse build/tlparse [NAME...]     only the cases whose name starts with NAME

Programs are small Python scripts that copy logs of tests/data/logs to $TORCH_TRACE. Each case has its own folder, home and store. The
last line is `N passed, N failed, N skipped`.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import common
from common import COPY, LIMIT_S, Done, case, kept, log, main, python, run, runs, start, wait_for_file
import signals  # noqa: F401  # adds its cases, as the following do
import jobs  # noqa: F401
import profiles  # noqa: F401
import store  # noqa: F401


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
    assert done.status == 0 and "hint: set XDG_STATE_HOME" in done.said and Path("ran").exists(), done.said
    assert "the program runs, but the run is not kept" in done.said
    done = run("--", *python("import os, sys; sys.exit(7 if 'TLPARSE_RUN' not in os.environ else 0)"))
    assert done.status == 7, done.said
    done = run("--check", "--max", "recompiles=1", "--", *python("pass"))
    assert done.status == 2, "what cannot be checked did not pass"


@case
def a_home_that_cannot_be_entered():
    Path("home").mkdir(mode=0)
    bounded = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.getuid() == 0 else []
    done = subprocess.run([*bounded, common.tlparse, "run", "--", "echo", "ran"], env=common.environment(HOME=str(Path("home").absolute()), XDG_STATE_HOME=""),
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    Path("home").chmod(0o700)
    assert done.returncode == 0 and done.stdout == "ran\n" and "the run is not kept" in done.stderr, done.stderr


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
    done = run("--", common.tlparse, "run", "--", *python(COPY + "sys.exit(5)", *log("simple")))
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
    assert "6 more issues: see the report" in done.said
    assert "more issues" not in run("--top", "99", "--", *python(COPY, *log("graph_breaks"))).said


def use(tlparse, _update):
    common.tlparse = tlparse


if __name__ == "__main__":
    sys.exit(main(__doc__, use))

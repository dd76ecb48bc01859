"""Cases about signals and the terminal: what reaches the program below tlparse, how often, and what stops."""
import contextlib
import os
import signal
from pathlib import Path

import common
import terminal
from common import LIMIT_S, Done, call, case, environment, kept, python, runs, start, wait_for_file, wait_until


# It looks again and again: signal.pause() would miss a signal that arrives just before it.
COUNTER = """
import os, signal, sys, time
names = []
def note(number, frame):
    names.append(signal.Signals(number).name)
    open('got', 'a').write(names[-1] + '\\n')
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGQUIT, signal.SIGWINCH):
    if signal.getsignal(number) != signal.SIG_IGN: signal.signal(number, note)
open('ready', 'w').close()
while 'SIGUSR2' not in names: time.sleep(0.01)
"""


def got():
    return Path("got").read_text().split() if Path("got").exists() else []


@contextlib.contextmanager
def counting(code=COUNTER, **how):
    """Runs a program that writes down its signals and ends with SIGUSR2. Of several pending signals, tlparse handles the one with the
    lowest number first; so when SIGWINCH arrives, all others have been handled."""
    for name in ("got", "ready"):
        Path(name).unlink(missing_ok=True)
    process = start("run", "--", *python(code), **how)
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


def witness_of(process):
    """The process of the same program that tlparse asks whether a signal was for the group."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    witness, = (int(pid) for pid in children if common.tlparse in Path(f"/proc/{pid}/cmdline").read_text())
    return witness


# A process that takes all time of a core. It is in the session of tlparse: the kernel shares time first among sessions.
BUSY = """
import os
parent, core = os.getpid(), min(os.sched_getaffinity(0))
if os.fork() == 0:
    os.setpgid(0, 0)
    os.sched_setaffinity(0, {core})
    while os.getppid() == parent: pass
    os._exit(0)
"""


@case
def signals_for_the_group_arrive_once_on_a_busy_machine():
    """The kernel runs the witness last of all."""
    with counting(BUSY + COUNTER, start_new_session=True) as process:
        witness = witness_of(process)
        os.sched_setaffinity(witness, {min(os.sched_getaffinity(0))})
        os.sched_setscheduler(witness, os.SCHED_IDLE, os.sched_param(0))
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            os.killpg(process.pid, number)
            wait_until(lambda number=number: number.name in got(), number.name)
    assert got() == ["SIGTERM", "SIGINT", "SIGHUP", "SIGWINCH", "SIGUSR2"], got()


@case
def a_stopped_group_continues_with_us():
    """Also the witness, which knows what is for the group from then on, but nothing of what came before."""
    with counting(start_new_session=True) as process:
        witness = witness_of(process)
        os.killpg(process.pid, signal.SIGSTOP)
        wait_until(lambda: terminal.state_of(process.pid) == terminal.state_of(witness) == "T", "the stop")
        os.killpg(process.pid, signal.SIGUSR1)
        process.send_signal(signal.SIGCONT)
        wait_until(lambda: got() == ["SIGUSR1"] and terminal.state_of(witness) == "S", "SIGUSR1")
        os.killpg(process.pid, signal.SIGTERM)
        wait_until(lambda: "SIGTERM" in got(), "SIGTERM")
        process.send_signal(signal.SIGUSR1)
    assert got() == ["SIGUSR1", "SIGTERM", "SIGUSR1", "SIGWINCH", "SIGUSR2"], got()


@case
def ignored_signals_stay_ignored():
    with counting(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as process:
        process.send_signal(signal.SIGHUP)
    assert got() == ["SIGWINCH", "SIGUSR2"]


@case
def a_program_that_ignores_sigterm_goes_on():
    code = ("import os, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nsignal.signal(signal.SIGUSR1, lambda *_: open('usr1', 'w'))\n"
            "open('pid', 'w').write(str(os.getpid())); os.rename('pid', 'ready')\nwhile True: time.sleep(0.01)")
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
    with terminal.Shell([common.tlparse, "run", "--", *python(code)], environment()) as shell:
        shell.expect("ready")
        shell.type("\x1a")
        assert shell.wait_for_stop() == signal.SIGTSTP
        assert all(state == "T" for state in shell.states_of("-c")), shell.states_of("-c")
        shell.foreground()
        wait_until(lambda: all(state in "SR" for state in shell.states_of("-c")))
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
    with terminal.Shell([common.tlparse, "run", "--", *python(code)], environment(), background=True) as shell:
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

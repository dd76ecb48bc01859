"""A shell with job control, as small as possible: a session with a terminal of its own, in which one job runs in the foreground or the
background. The tests type into the terminal and see what the job does."""
import fcntl
import os
import pty
import select
import signal
import termios
import time
from pathlib import Path

from cases import LIMIT_S


def state_of(pid):
    """R: running, S: sleeping, T: stopped, and so on."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


class Shell:
    """The shell itself is a forked process that leads the session, because only a member of it may change its foreground group."""

    def __init__(self, command, env, background=False):
        self.master, self.slave = pty.openpty()
        self.text = b""
        self.orders, orders = os.pipe()[::-1]
        reports, self.report_end = os.pipe()
        self.reports = os.fdopen(reports, "rb", buffering=0)  # select() does not see what is in a buffer
        self.pid = os.fork()
        if self.pid == 0:
            try:
                self.be_shell(command, env, background, os.fdopen(orders))
            finally:
                os._exit(1)
        os.close(orders)
        os.close(self.report_end)
        os.close(self.slave)
        self.job = int(self.read_report()[1])

    def be_shell(self, command, env, background, orders):
        """Reads "fg" from the pipe; writes "started PID", "stopped SIGNAL" and "ended STATUS"."""
        os.setsid()
        fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        os.close(self.orders)
        job = os.fork()
        if job == 0:
            os.setpgid(0, 0)
            if not background:
                os.tcsetpgrp(self.slave, os.getpid())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            for fd in range(3):
                os.dup2(self.slave, fd)
            os.closerange(3, 100)
            os.execvpe(command[0], command, env)
        self.tell(f"started {job}")
        while True:
            _, status = os.waitpid(job, os.WUNTRACED)
            if not os.WIFSTOPPED(status):
                break
            os.tcsetpgrp(self.slave, os.getpid())
            self.tell(f"stopped {os.WSTOPSIG(status)}")
            assert orders.readline() == "fg\n"
            os.tcsetpgrp(self.slave, job)
            os.killpg(job, signal.SIGCONT)
        self.tell(f"ended {os.waitstatus_to_exitcode(status)}")
        os._exit(0)

    def tell(self, text):
        os.write(self.report_end, (text + "\n").encode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in (self.job, self.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        os.waitpid(self.pid, 0)
        os.close(self.master)
        os.close(self.orders)
        self.reports.close()

    def read_report(self):
        """What the shell tells next. What the job prints meanwhile is kept: a full terminal would stop it."""
        end = time.monotonic() + LIMIT_S
        while True:
            ready, _, _ = select.select([self.reports, self.master], [], [], max(0, end - time.monotonic()))
            assert ready, f"timed out; the terminal shows {self.text!r}"
            if self.reports in ready:
                return self.reports.readline().decode().split()
            self.read_some()

    def read_some(self):
        try:
            self.text += os.read(self.master, 1 << 16)
        except OSError:  # nobody has the terminal open
            time.sleep(0.01)

    def type(self, text):
        os.write(self.master, text.encode())

    def expect(self, text):
        end = time.monotonic() + LIMIT_S
        while text.encode() not in self.text:
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            assert ready, f"timed out; the terminal shows {self.text!r}"
            self.read_some()

    def wait_for_stop(self):
        kind, number = self.read_report()
        assert kind == "stopped", (kind, number, self.text)
        return int(number)

    def wait(self):
        kind, number = self.read_report()
        assert kind == "ended", (kind, number, self.text)
        return int(number)

    def foreground(self):
        os.write(self.orders, b"fg\n")

    def states_of(self, argument):
        """The states of tlparse and of its program, which has the argument; the witness of signals has no state to speak of."""
        states = [state_of(self.job)]
        for pid in map(int, Path(f"/proc/{self.job}/task/{self.job}/children").read_text().split()):
            command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if command[1:2] == [argument.encode()]:
                states.append(state_of(pid))
        assert len(states) == 2, states
        return states

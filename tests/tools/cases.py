"""Declares, lists and runs the cases of a suite of the command line: functions that fail with an exception.

Each case runs in an empty temporary folder of its own, with signals as an interactive shell leaves them. The suites that use
this take the same arguments:

    run.py [--tlparse build/tlparse] [--update] [--list] [NAME...]     only the cases whose names begin with NAME

The last line is `N passed, N failed, N skipped`. Exit status 1 if a case failed, or if none passed.
"""
import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

CASES = []
LIMIT_S = 120  # after which what must happen has not; no case takes nearly as long, also on a busy machine


class Skipped(Exception):
    """Raised by a case that cannot run on this machine; the text says why."""


def case(function):
    """Declares a case; cases run in the order of their declaration."""
    CASES.append(function)
    return function


def wait_until(condition, what="what the case waits for"):
    """Returns the first value of condition() that is true. `what` is the subject of the message if none is."""
    end = time.monotonic() + LIMIT_S
    while not (value := condition()):
        assert time.monotonic() < end, f"{what} did not come within {LIMIT_S} s"
        time.sleep(0.01)
    return value


@contextlib.contextmanager
def small_disk(size):
    """The folder `disk` on a file system of its own, of a size such as "4m"."""
    os.mkdir("disk")
    if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", "disk"], stderr=subprocess.DEVNULL).returncode:
        raise Skipped("cannot mount a small disk")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", "disk"], check=True)


def compare_file(path, text, update):
    """A text with the expected one in a file, which `update` writes."""
    if update:
        path.write_text(text, encoding="utf-8")
        return
    assert text == path.read_text(encoding="utf-8"), f"{path} differs; run with --update and read the diff"


def stop(process, number):
    """Sends a signal to a program that ends by it, and returns its exit status. Kills it if it does not end."""
    process.send_signal(number)
    try:
        return process.wait(LIMIT_S)
    finally:
        process.kill()


def run(function, suite):
    """Runs a case and prints its result: "passed", "failed" or "skipped"."""
    home, name, begin = os.getcwd(), function.__name__, time.monotonic()
    with tempfile.TemporaryDirectory(prefix=f"tlparse-{suite}-", ignore_cleanup_errors=True) as folder:
        os.chdir(folder)
        try:
            function()
        except Skipped as why:
            print(f"skip {name}: {why}", flush=True)
            return "skipped"
        except (Exception, SystemExit):
            print(f"FAIL {name}\n{traceback.format_exc()}", flush=True)
            for file in Path(folder).glob("stderr"): # of a server
                print(file.read_text(errors="replace")[-3000:], flush=True)
            return "failed"
        finally:
            os.chdir(home)
    print(f"ok   {name} ({time.monotonic() - begin:.1f} s)", flush=True)
    return "passed"


def main(about, use, updates=False):
    """Runs the suite whose script calls this, and returns its exit status. `about` is its docstring. use(tlparse, update) gets
    the path of the program, and whether to write expected texts, which is an option only if `updates`."""
    script = Path(sys.argv[0]).resolve()
    parser = argparse.ArgumentParser(description=about.split("\n")[0])
    parser.add_argument("--tlparse", type=Path, default=script.parent.parent.parent / "build/tlparse")
    if updates:
        parser.add_argument("--update", action="store_true", help="write the expected texts")
    parser.add_argument("--list", action="store_true", help="name the cases and exit")
    parser.add_argument("names", nargs="*", help="run the cases whose names begin with NAME")
    arguments = parser.parse_args()
    if arguments.list:
        print(*(function.__name__ for function in CASES), sep="\n")
        return 0
    use(str(arguments.tlparse.resolve()), updates and arguments.update)
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM):  # a background shell may ignore them, and children inherit that
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    wanted = tuple(arguments.names)
    results = [run(function, script.parent.name) for function in CASES if not wanted or function.__name__.startswith(wanted)]
    passed, failed, skipped = (results.count(result) for result in ("passed", "failed", "skipped"))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0

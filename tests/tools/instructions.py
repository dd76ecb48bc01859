"""Counts the instructions of a program with valgrind: the same on a busy machine as on an idle one, unlike time."""
import re
import subprocess


def count(argv, text=""):
    """Instructions of a run of the program, which must succeed, without those of the kernel. It reads the text from standard input."""
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    done = subprocess.run([*valgrind, *map(str, argv)], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"exit status {done.returncode}: {done.stderr}")
    return int(re.search(r"I +refs: +([\d,]+)", done.stderr)[1].replace(",", ""))

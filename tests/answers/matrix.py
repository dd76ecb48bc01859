"""Every command in every format on every log: real, broken, hostile, of several ranks, two runs, several runs.

| input                          | summary              | diff                       | check                              |
|--------------------------------|----------------------|----------------------------|------------------------------------|
| each folder of real logs       | here                 | here, with the next one    | check.py, every_format_of_every_log |
| broken: cut, empty, no records | here                 | here                       | here                               |
| hostile records and names      | here                 | here                       | here, check.py, hostile_names      |
| finished reports, one, several | run.py, edits.py     | run.py                     | check.py, edits.py                 |
| several ranks, two runs        | here, expected texts | here, edits.py             | check.py, expected texts           |
| several runs or jobs a side    |                      | edits.py, jobs_of_a_side   | check.py, new_is_what              |
"""
import gzip
import json
import re
import tempfile
from pathlib import Path

from common import call, case, check_text, report_of, samples, validate

import hostile

FORMATS = {"summary": ("text", "json", "markdown"), "diff": ("text", "json", "markdown"),
           "check": ("text", "json", "markdown", "github", "junit", "sarif")}
SCHEMAS = {command: validate.documented(f"{command}.schema.json") for command in FORMATS}
LIMITS = ("--max=recompiles=0", "--max=graph_breaks=0", "--max=compile_time_s=0", "--max=findings=0", "--max=cache_misses=0")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def check_formats(command, *arguments, expected, wide=False):
    """Each format of a call: its exit status, text that fits and cannot control a terminal, JSON that fits its schema."""
    statuses = set()
    for format in FORMATS[command]:
        done = call(command, *arguments, "--format", format)
        assert done.returncode in expected, (command, arguments, format, done.returncode, done.stderr.decode()[-500:])
        statuses.add(done.returncode)
        text = done.stdout.decode()
        if not text:
            assert done.returncode == 2 and done.stderr, (command, arguments, format)
            continue
        if format in ("json", "sarif"):
            value = json.loads(text)
            if format == "json":
                faults = SCHEMAS[command].faults(value)
                assert not faults, (command, arguments, faults[:3])
        else:
            assert not CONTROL.search(text), (command, arguments, format, CONTROL.search(text))
        if format == "text" and not wide:
            for columns, printed in ((80, text), (200, call(command, *arguments, columns=200).stdout.decode())):
                # The first line of a summary or check is the path of the call, which is not cut.
                check_text(printed if command == "diff" else printed.partition("\n")[2], columns)
    assert len(statuses) == 1, (command, arguments, statuses)
    return statuses.pop()


@case
def summary_and_diff_of_every_log_in_every_format():
    inputs = [log.relative_to(samples.LOGS) for log in samples.folders() if samples.LOGS in log.parents]
    assert len(inputs) >= 29
    reports = [report_of(samples.LOGS / log) for log in inputs]  # a report, whose answers are those of its log, is read in less time
    for log, report, following in zip(inputs, reports, reports[1:] + reports[:1], strict=True):
        assert check_formats("summary", log, expected=(0,)) == 0
        check_formats("diff", report, following, expected=(0,))


def broken(folder):
    """Files that are no whole logs."""
    whole = samples.read(next((samples.LOGS / "simple").glob("*.log*")))
    packed = gzip.compress(whole)
    files = {"cut.log": whole[:len(whole) // 3], "cut.log.gz": packed[:len(packed) // 2], "empty.log": b"", "prints.log": b"hello\nworld\n",
             "zeros.log": bytes(100_000), "binary.log": bytes(range(256)) * 400, "middle.log": whole[len(whole) // 2:], "json.log": b"{}\n[]\n"}
    for name, content in files.items():
        Path(folder, name).write_bytes(content)
    return [Path(folder, name) for name in files]


@case
def broken_logs_in_every_format():
    """A summary of nothing is a summary; a diff of nothing is one of zeros; a check of it is not decided."""
    with tempfile.TemporaryDirectory() as folder:
        for log in broken(folder):
            check_formats("summary", log, expected=(0,))
            for pair in ((log, "simple"), ("simple", log)):
                check_formats("diff", *pair, expected=(0, 2))
            check_formats("check", log, *LIMITS, expected=(1, 2))
        for command, more in (("summary", ()), ("diff", ("simple",)), ("check", LIMITS)):
            done = call(command, Path(folder, "none.log"), *more)
            assert done.returncode == 2 and not done.stdout and b"No such file" in done.stderr, done


@case
def hostile_logs_in_every_format():
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "hostile.log")
        count = 0
        for name, content in hostile.cases():
            if len(content) > 1 << 20:
                continue
            count += 1
            log.write_bytes(content + hostile.good("last"))
            assert check_formats("summary", log, expected=(0,), wide=True) == 0, name
            check_formats("diff", log, "simple", expected=(0,), wide=True)
            check_formats("check", log, *LIMITS, expected=(1, 2, 0), wide=True)
        assert count > 40, count

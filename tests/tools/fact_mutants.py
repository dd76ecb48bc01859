"""Facts files in which a member of a line has a wrong value, merged together with good facts: part of the suite `mutants`.

Each member of each kind of line gets each of the values in `wrong`, or is missing. Definitions get the hash of their new text, so that it is not the hash
that is refused. In every case:
  - tlparse exits with status 0, and report.json fits its schema
  - the rank with the good facts is in the report, and so are all others, or standard error names the file
  - the facts can be merged to a file, whose report is the same
"""
import copy
import json
import re
import subprocess
import tempfile
from pathlib import Path

import fact_lines
import hostile
import samples

RANK = re.compile(r"_rank_(\d+)_")
JOBS = ("rank_causes/branch", "rank_causes/hangs_apart", "cache_ranks", "ranks2_sizes", "ranks4_desync")
AT_MOST_S = 60
MISSING = object()


def members(value, at=()):
    """The places of all values below this one."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*at, key)
        yield from members(item, (*at, key))


def without(value, at):
    value = copy.copy(value)
    if len(at) > 1:
        value[at[0]] = without(value[at[0]], at[1:])
    else:
        del value[at[0]]
    return value


def kind_of(line, value):
    return value[1] if fact_lines.is_definition(line) else "log" if "log" in value else "end" if "logs" in value else "head"


class Job:
    """The facts of all ranks but the last one, and those of the last one."""

    def __init__(self, tlparse, folder, work):
        *self.logs, self.last = sorted(folder.glob("*_rank_*.log*"), key=lambda p: int(RANK.search(p.name)[1]))
        self.tlparse, self.good = tlparse, work / "good.facts"
        work.mkdir(parents=True)
        self.call("facts", *self.logs, "-o", work / "job.facts")
        self.call("facts", self.last, "-o", self.good)
        self.lines = fact_lines.read(work / "job.facts")
        self.values = [json.loads(line) for line in self.lines]

    def call(self, *arguments):
        return subprocess.run([self.tlparse, *map(str, arguments)], capture_output=True, timeout=AT_MOST_S, check=False)

    def with_value(self, number, at, new, replaced):
        value = without(self.values[number], at) if new is MISSING else replaced(self.values[number], at, new)
        line = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        return list(fact_lines.rehashed([*self.lines[:number], line, *self.lines[number + 1:]]))

    def faults(self, lines, work):
        """What is wrong with the report of these lines and the good facts."""
        bad, out, again = work / "bad.facts", work / "out", work / "again"
        fact_lines.write(bad, lines)
        done = self.call("merge", bad, self.good, "-o", out, "--overwrite", "--full", "none", "--threads", 0)
        said = done.stderr.decode(errors="replace")
        if done.returncode:
            return [f"exit status {done.returncode}: {said[-300:]}"]
        report = json.loads((out / "report.json").read_text(encoding="utf-8"))
        found = [*hostile.schema().faults(report)[:3], *hostile.unreadable(out)]
        names = [rank["files"][0] for rank in report["ranks"]]
        if self.last.name not in names:
            found.append("the rank with the good facts is missing")
        if len(names) <= len(self.logs) and "bad.facts: " not in said and "in several files" not in said:
            found.append(f"of {len(self.logs)} ranks, {len(names) - 1} are in the report, without a message")
        done = self.call("merge", bad, self.good, "-o", work / "all.facts", "--overwrite", "--threads", 0)
        done = done if done.returncode else self.call("merge", work / "all.facts", "-o", again, "--overwrite", "--full", "none", "--threads", 0)
        if done.returncode:
            return [*found, f"merged to a file: exit status {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}"]
        if (again / "report.json").read_bytes() != (out / "report.json").read_bytes():
            found.append("merged to a file, the report is another one")
        return found


def cases(tlparse, work):
    """(kind, job, number of the line, place of the member), each place once."""
    seen = set()
    for name in JOBS:
        job = Job(tlparse, samples.LOGS / name, work / name)
        for number, value in enumerate(job.values):
            kind = kind_of(job.lines[number], value)
            for at in members(value):
                place = (kind, *("*" if isinstance(key, int) and len(at) > 1 else key for key in at))
                if place not in seen:
                    seen.add(place)
                    yield kind, job, number, at


def check(some, wrong, every, replaced):
    tried = [(*case, new) for case in some for new in (*wrong, MISSING)][::every]
    with tempfile.TemporaryDirectory(prefix="tlparse-mutants-") as folder:
        for job, number, at, new in tried:
            try:
                found = job.faults(job.with_value(number, at, new, replaced), Path(folder))
            except subprocess.TimeoutExpired:
                found = [f"takes more than {AT_MOST_S} s"]
            for fault in found:
                yield f"{'.'.join(map(str, at))} of line {number + 1} of {job.good.parent.name} is {'missing' if new is MISSING else repr(new)}: {fault}"


def add(checks, tlparse, work, every, wrong, replaced):
    """Adds a check for each kind of line."""
    kinds = {}
    for kind, *case in cases(tlparse, work):
        kinds.setdefault(kind, []).append(case)
    for kind, some in sorted(kinds.items()):
        checks.add(f"facts {kind}", check, some, wrong, every, replaced)

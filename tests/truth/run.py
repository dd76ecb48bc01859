#!/usr/bin/env python3
"""Check texts and values in report.json of real logs against the tables in this folder.

    run.py [--tlparse build/tlparse] [--list] [TABLE...]     check all tables, or these (by name: recompiles)

Each *.json here is a list of rows:

    {"log": "values/*.log*", "path": "recompiles[frame.function=by_flag].steps[0].changes[0]",
     "expect": {"source": "L['flag']", "had": "True", "has": "False"}}

  log     a pattern in tests/data/logs that matches exactly one log or folder
  args    options of tlparse, as a list
  profile the name of a profile in the folder of the log
  path    members joined by "."; [2] selects an item, [*] every item, [key=0/1] those whose member has this text (also nested:
          [frame.function=f]). It may lead to several values. Without a path: the whole report.
  expect  at least one of the values matches
  every   all of the values match, and there is at least one
  absent  none of the values matches (true: there are no values at all)
  count   the number of values
  why     a note for the reader

A text matches if it is equal; one that begins with "~" is a regular expression that is searched for. An object matches one that
has at least its members. A row may have several of expect, every, absent and count. "absent" with a text fails if the path
without its last step leads nowhere, so that a wrong path does not pass.

Exit status 0 if all checks pass; the last line is the total.
"""
import argparse
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import samples  # noqa: E402

STEP = re.compile(r"\.?([^.\[\]]+)|\[((?:[^\[\]]|\[[^\[\]]*\])*)\]")
CHECKS = ("expect", "every", "absent", "count")


def members(value, path):
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def steps(path):
    found, at = [], 0
    while at < len(path):
        step = STEP.match(path, at)
        if not step or step.end() == at:
            raise ValueError(f"cannot read the path at {path[at:]!r}")
        found.append(("name", step[1]) if step[1] is not None else ("pick", step[2]))
        at = step.end()
    return found


def follow(values, step):
    kind, text = step
    if kind == "name":
        return [v[text] for v in values if isinstance(v, dict) and text in v]
    lists = [v for v in values if isinstance(v, list)]
    if text == "*":
        return [item for items in lists for item in items]
    if re.fullmatch(r"-?\d+", text):
        return [items[int(text)] for items in lists if -len(items) <= int(text) < len(items)]
    key, wanted = text.split("=", 1)
    return [item for items in lists for item in items if fits(members(item, key), wanted)]


def fits(value, wanted):
    if isinstance(wanted, str):
        if isinstance(value, str) or value is None:
            return value is not None and (re.search(wanted[1:], value) is not None if wanted.startswith("~") else value == wanted)
        return json.dumps(value) == wanted  # [line=12]
    if isinstance(wanted, dict):
        return isinstance(value, dict) and all(key in value and fits(value[key], part) for key, part in wanted.items())
    if isinstance(wanted, list):
        return isinstance(value, list) and len(value) == len(wanted) and all(map(fits, value, wanted))
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def faults(row, report):
    path = steps(row.get("path", ""))
    values, before = [report], [report]
    for step in path:
        before, values = values, follow(values, step)
    shown = json.dumps(values)[:600]
    if not any(check in row for check in CHECKS):
        yield "a row without expect, every, absent and count checks nothing"
    if "expect" in row and not any(fits(v, row["expect"]) for v in values):
        yield f"expected {row['expect']!r}, found {shown}"
    if "every" in row and not (values and all(fits(v, row["every"]) for v in values)):
        yield f"expected everywhere {row['every']!r}, found {shown}"
    if "absent" in row:
        if row["absent"] is True and values:
            yield f"expected nothing, found {shown}"
        elif row["absent"] is not True and not before:
            yield "the path leads nowhere"
        elif row["absent"] is not True and any(fits(v, row["absent"]) for v in values):
            yield f"must be absent: {row['absent']!r}, found {shown}"
    if "count" in row and len(values) != row["count"]:
        yield f"expected {row['count']} values, found {len(values)}: {shown}"


def options_of(row, log):
    return [*row.get("args", []), *(["--profile", log.parent / row["profile"]] if "profile" in row else [])]


def check(tlparse, row):
    found = sorted(samples.LOGS.glob(row["log"]))
    if len(found) != 1:
        yield f"{len(found)} logs match the pattern, expected one"
        return
    yield from faults(row, samples.report(tlparse, found[0], *options_of(row, found[0])).json())


def main():
    args = samples.arguments(argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter))
    checks, tables = samples.Checks("truth", args.names), sorted(HERE.glob("*.json"))
    for table in tables:
        for n, row in enumerate(json.loads(table.read_text(encoding="utf-8")), 1):
            checks.add(f"{table.stem} row {n}, {row['log']} {row.get('path', '')}", check, args.tlparse, row)
    if args.list:
        print(*(table.stem for table in tables), sep="\n")
        return 0
    return checks.run()


if __name__ == "__main__":
    sys.exit(main())

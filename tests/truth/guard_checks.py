#!/usr/bin/env python3
"""Numbers of checks against what PyTorch's guard managers held, in logs beside what the program counted while they were recorded.

    guard_checks.py [--tlparse build/tlparse] [--list] [NAME...]

The program (tests/data/scripts/guard_filters.py) compiles each of its parts without a filter and with each filter of torch.compiler.

  counted    each compile has the checks, by kind, that its guard manager held, also as its number of guards
  predicted  what guard_checks says that a filter leaves is what was left when the part was compiled with it
  summed     the lists of a row and what they leave out add up to its checks

Exit status 0 if all checks pass; the last line is the total.
"""
import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
import samples

DATA = Path(__file__).resolve().parent.parent / "data/guard_truth"


def truth_of(case):
    """The rows, with the key that the report gives to their compile: torch._dynamo.reset() starts the ids again."""
    seen = {}
    for line in (DATA / f"{case}.jsonl").read_text().splitlines():
        row = json.loads(line)
        nth = seen[row["id"]] = seen.get(row["id"], 0) + 1
        yield {**row, "key": row["id"] if nth == 1 else f"{row['id']}#{nth}"}


def counted(truth, rows, compiles):
    for want in truth:
        name = f"{want['program']} with {want['filter']}: {want['key']}"
        row = rows.get(want["key"])
        if not row:
            yield f"{name} has no row"
            continue
        kinds = {kind["kind"]: kind["checks"] for kind in row["by_kind"]}
        if (row["checks"], kinds) != (want["checks"], want["by_kind"]):
            yield f"{name} has {row['checks']} checks {kinds}, the manager held {want['checks']} {want['by_kind']}"
        if compiles[want["key"]]["guards"] != want["checks"]:
            yield f"{name}: guards of the compile are {compiles[want['key']]['guards']}, not {want['checks']}"


def predicted(truth, rows):
    """The parts are compared by the first version of each frame: a filter may save later ones."""
    whole = {(want["program"], want["id"]): rows.get(want["key"]) for want in truth if want["filter"] is None}
    compared = 0
    for want in truth:
        row = whole.get((want["program"], want["id"]))
        if not want["filter"] or not row or not want["id"].endswith("/0"):
            continue
        compared += 1
        said = {left["name"]: left["checks"] for left in row["filters"]}[want["filter"]]
        if said != want["checks"]:
            yield f"{want['program']} {want['id']} with {want['filter']}: {said} predicted, {want['checks']} were left"
    if compared < 30:
        yield f"only {compared} predictions were compared"


def summed(rows):
    for key, row in rows.items():
        if sum(kind["checks"] for kind in row["by_kind"]) + row["more_kinds"] != row["checks"]:
            yield f"{key}: the kinds do not add up to {row['checks']}"
        if sum(module["checks"] for module in row["by_module"]) + row["more_modules"] != row["in_modules"]:
            yield f"{key}: the modules do not add up to {row['in_modules']}"
        if row["in_modules"] > row["checks"]:
            yield f"{key}: more checks in modules than checks"


def faults_of(tlparse, case):
    report = samples.report(tlparse, [DATA / f"{case}.log.zst"]).json()
    truth, rows = list(truth_of(case)), {row["compile"]: row for row in report["guard_checks"]}
    compiles = {compile["key"]: compile for compile in report["compiles"]}
    return {"counted": counted(truth, rows, compiles), "predicted": predicted(truth, rows), "summed": summed(rows)}


def check(tlparse, case, name):
    return list(faults_of(tlparse, case)[name])


def main():
    args = samples.arguments(argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter))
    checks = samples.Checks("checks of guard trees", args.names)
    for path in sorted(DATA.glob("*.jsonl")):
        for name in ("counted", "predicted", "summed"):
            checks.add(f"{path.stem} {name}", check, args.tlparse, path.stem, name)
    return checks.list() if args.list else checks.run()


if __name__ == "__main__":
    sys.exit(main())

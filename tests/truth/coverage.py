#!/usr/bin/env python3
"""Check that the tables in this folder have rows for every kind of finding and every advice that the program can give.

    coverage.py [--tlparse build/tlparse]

The kinds are read from src/findings/findings.c, and must be those in doc/report.schema.json. Each needs a row that expects it for a
recorded log, and a row for a log that must not have it. So does each kind of line that
explains the compile time. The texts of advice are read from the C sources, too: each needs a row whose
expected text contains it, and a row that expects no such advice. NOT_RECORDED lists what no recorded log produces, and why; unit
tests cover these.

Exit status 0 if all checks pass; the last line is the total.
"""
import argparse
import json
import re
import sys
from pathlib import Path

import run
import samples

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
FRAGMENT = 10  # characters that distinguish one advice from another

LINES = 25  # kinds of lines of compile time, at least

NOT_RECORDED = {
    "not_logged": "no timers and no complete events, but a duration: only in a log of which records were removed",
    "benchmarks": "Triton kernels in several configurations need a GPU",
    "compile_worker_death": "PyTorch logs it only if its monitor sees the end of the worker before the reader of its pipe does",
    "Run again with `TORCHINDUCTOR_COMPILE_THREADS=1` to compile in the main process.": "the same",
    "If the condition always holds, state it before this line with `torch._check(…)`.": "records without the expression",
    "torch.sym_not(": "draft_export takes the branch for False",
    "torch.sym_not(…)": "the same, for a symbol without a name",
    "If the model is only used where this holds, say so: in `dynamic_shapes` give `Dim(\"name\", min=…, max=…)`, or `Dim.AUTO` to let export "
    "find the range.": "a guard that is not an equality",
    "Call tlparse with this log alone: each rank then gets a report.": "a log of several ranks that is compared as a run",
}


def source(name):
    """The text of a file of this name, whatever its folder: names are unique."""
    (path,) = (TOP / "src").glob(f"*/{name}")
    return path.read_text(encoding="utf-8")


def kinds_of_sources():
    return set(re.findall(r'\[FINDING_\w+\] = "(\w+)"', source("findings.c")))


def kinds_of_schema():
    found = []

    def look(value):
        if isinstance(value, dict):
            if isinstance(value.get("enum"), list) and "graph_break" in value["enum"] and "log_fault" in value["enum"]:
                found.append(set(value["enum"]))
            for part in value.values():
                look(part)
        elif isinstance(value, list):
            for part in value:
                look(part)

    look(json.loads((TOP / "doc/report.schema.json").read_text(encoding="utf-8")))
    return found


def kinds_of(row):
    """The kinds of findings that a row is about, from its path and its expectations."""
    path = row.get("path", "")
    kinds = set(re.findall(r"findings\[kind=(\w+)\]", path))
    for check in ("expect", "every", "absent"):
        value = row.get(check)
        if isinstance(value, dict) and isinstance(value.get("kind"), str):
            kinds.add(value["kind"])
        elif isinstance(value, str) and path.endswith(".kind"):
            kinds.add(value)
    return kinds


def has_kind(row):
    """Whether the row fails if the finding is missing."""
    return "expect" in row or "every" in row or row.get("count", 0) > 0


def lacks_kind(row):
    path = row.get("path", "")
    if re.search(r"findings\[kind=\w+\]$", path):
        return row.get("absent") is True or row.get("count") == 0
    return re.search(r"findings\[[^\]]*\](\.kind)?$", path) is not None and "absent" in row


def keys_of_lines():
    """The kinds of lines that explain the compile time: parts, phases and hints."""
    found = set(re.findall(r"\[(?:SPEND|TAKEN)_\w+\] =\s+\{\"(\w+)\"", source("compile_time.c")))
    found |= set(re.findall(r"\.key = \"(\w+)\"", source("compile_time_hints.c")))
    table = re.search(r"shown_phases\[SHOWN_PHASES\] = \{(.*?)\n\};", source("phases.c"), re.S)[1]
    return found | set(re.findall(r"^    \{\"(\w+)\"", table, re.M))


def faults_of_lines(rows, tested):
    """Each kind of line has a row with a log that has it, and one with a log that must not."""
    for key in sorted(keys_of_lines()):
        lines = [row for row in rows if re.match(r"compile_time\.(parts|hints)\[", row.get("path", ""))]
        there = any(f"[key={key}]" in row["path"] and has_kind(row) for row in lines)
        if key in NOT_RECORDED and key not in tested:
            yield f"no recorded log has the line {key}, and no unit test has it"
        elif key not in NOT_RECORDED and not there:
            yield f"no row expects a line {key}"
        if not any(row["path"].endswith("[*].key") and row.get("absent") == key for row in lines):
            yield f"no row states that a log has no line {key}"


def function_bodies(text, names):
    for name in names:
        found = re.search(rf"^\w[^;{{]*\b{name}\([^;{{]*\{{(.*?)^\}}", text, re.S | re.M)
        if not found:
            raise ValueError(f"no function {name}")
        yield found[1]


def texts_of(code, sliced):
    """The texts in C code: adjacent literals are joined. `sliced`: including those in SLICE()."""
    found, before, wanted = [], None, False
    for literal in LITERAL.finditer(code):
        text = literal[1].replace('\\"', '"').replace("\\n", "\n")
        between = "" if before is None else code[before : literal.start()]
        if before is not None and re.fullmatch(r"\s*(PRI\w+\s*)?", between):
            if wanted:
                found[-1] += ("u" if between.strip() else "") + text  # PRIu64 is a part of the conversion
        else:
            # arguments of SLICE() are searched for; those of cite() name records
            wanted = sliced or not re.search(r"(SLICE\(|cite\(\w+,)\s*$", code[: literal.start()])
            found += [text] if wanted else []
        before = literal.end()
    return found


def fragments():
    """(where, part that identifies an advice): the longest part of its format."""
    texts = []
    for path in sorted((TOP / "src/findings").glob("findings*.c")):
        for code in re.findall(r"advice =\s+((?:SLICE|finding_say)\(.*?\));", path.read_text(encoding="utf-8"), re.S):
            texts += [(path.name, text) for text in texts_of(code, True)]
    sizes = ["add_marks_on_zero_one", "advise_dynamic"]
    for code, names in (
        (source("export_words.c"), []),
        (source("recompile_advice.c"), ["add_limit_cause"]),
        (source("advice_parts.c"), ["advice_add_argument"]),
        (source("recompile_constants.c"), ["add_size"]),
        (source("recompile_kinds.c"), ["add_kind", "add_keys", "add_keys_of", "add_prose", "add_setting", "add_tensor"]),
        (source("recompile_lengths.c"), []),
        (source("recompile_loops.c"), ["add_versions"]),
        (source("recompile_mixed.c"), ["add_parts", "add_why"]),
        (source("recompile_modules.c"), []),
        (source("recompile_notes.c"), []),
        (source("recompile_objects.c"), ["add_buffers", "add_creation"]),
        (source("recompile_sizes.c"), sizes),
        (source("recompile_dynamic.c"), ["add_mark", "add_marks", "add_variable", "dynamic_add_text"]),
        (source("recompile_stack.c"), []),
        (source("recompile_wrapped.c"), []),
    ):
        names += re.findall(r"^(?:static )?\w+ ((?:advise|explain|note)_\w+)\(", code, re.M)
        for name, body in zip(names, function_bodies(code, names), strict=True):
            texts += [(name, line) for text in texts_of(body, False) for line in text.split("\n")]
    for where, text in texts:
        longest = max(re.split(r"%[-.*\d]*(?:l?l?[dsux]|zu)|%%", text), key=len).strip()
        if len(longest) >= FRAGMENT:
            yield where, longest


def advice_in(value):
    """All texts of advice in a value of a report."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key == "advice" and isinstance(part, str):
                yield part
            elif key == "advice" and isinstance(part, list):
                yield from (item if isinstance(item, str) else item.get("text", "") for item in part)
            else:
                yield from advice_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from advice_in(part)


def expected_texts(row):
    """What the row states about an advice: patterns as in run.py."""
    path = row.get("path", "")
    for check in ("expect", "every"):
        value = row.get(check)
        if isinstance(value, str) and re.search(r"advice(\[[^\]]*\])?(\.text)?$", path):
            yield value
        elif isinstance(value, dict):
            yield from (value[key] for key in ("advice", "text") if isinstance(value.get(key), str))


def denied(row, texts):
    """The texts that must be absent according to the row; True: any."""
    path = row.get("path", "")
    about = re.search(r"advice(\[[^\]]*\])?(\.text)?$", path) is not None
    absent = row.get("absent")
    if about and (absent is True or row.get("count") == 0 or ("every" in row and row["every"] is None)):
        return True
    if isinstance(absent, dict):
        absent = next((absent[key] for key in ("advice", "text") if isinstance(absent.get(key), str)), None)
        about = absent is not None
    if about and isinstance(absent, str):
        return {text for text in texts if run.fits(text, absent)}
    return set()


def null_kinds(row):
    """Kinds of findings for which the row states that there is no advice."""
    said = any(isinstance(row.get(check), dict) and "advice" in row[check] and row[check]["advice"] is None for check in ("expect", "every"))
    return kinds_of(row) if said else set()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args = samples.arguments(parser)
    rows = [row for table in sorted(HERE.glob("*.json")) for row in json.loads(table.read_text(encoding="utf-8"))]
    faults, checked = [], 0

    kinds = kinds_of_sources()
    for listed in kinds_of_schema():
        checked += 1
        if listed != kinds:
            faults.append(f"kinds of the sources and of the schema differ: {sorted(listed ^ kinds)}")
    for kind in sorted(kinds):
        about = [row for row in rows if kind in kinds_of(row)]
        checked += 2
        if kind not in NOT_RECORDED and not any(has_kind(row) and not lacks_kind(row) for row in about):
            faults.append(f"no row expects a finding of kind {kind}")
        if not any(lacks_kind(row) for row in about):
            faults.append(f"no row states that a log has no finding of kind {kind}")

    logs = [(row, log) for row in rows for log in sorted(samples.LOGS.glob(row["log"]))[:1]]
    calls = {(log, *run.options_of(row, log)) for row, log in logs}
    reports = [samples.report(args.tlparse, *call).json() for call in sorted(calls)]
    if not kinds or not reports:
        faults.append("no kinds were found in the sources, or no reports")
    given, by_kind = set(), {}
    for report in reports:
        given.update(advice_in(report))
        for finding in report.get("findings", []) + report.get("rank_findings", []):
            by_kind.setdefault(finding["kind"], set()).update(advice_in(finding))
    expected = {text for row in rows for pattern in expected_texts(row) for text in given if run.fits(text, pattern)}
    refused = [denied(row, given) for row in rows]
    nulls = {kind for row in rows for kind in null_kinds(row)} | {kind for row in rows if lacks_kind(row) for kind in kinds_of(row)}
    without = {text for kind in nulls for text in by_kind.get(kind, ())}
    without.update(text for found in refused if found is not True for text in found)
    if any(found is True for found in refused):
        without.update(text for report in reports for text in advice_in(report.get("recompiles", [])))
    for where, part in sorted(set(fragments())):
        if part in NOT_RECORDED:
            continue
        checked += 2
        if not any(part in text for text in expected):
            faults.append(f"no row expects the advice of {where}: {part!r}" + ("" if any(part in text for text in given) else ", and no log produces it"))
        if not any(part in text for text in without):
            faults.append(f"no row states that a log does not have the advice of {where}: {part!r}")
    tested = " ".join("".join(texts_of(path.read_text(encoding="utf-8"), True)) for path in (TOP / "tests/unit").glob("*.c"))
    for name in sorted(NOT_RECORDED):
        checked += 1
        if name not in kinds | keys_of_lines() and name not in {part for _, part in fragments()}:
            faults.append(f"NOT_RECORDED has an entry that the sources do not have: {name!r}")
        elif name not in tested:
            faults.append(f"no recorded log produces it, and no unit test has it: {name!r}")
    keys = keys_of_lines()
    checked += 2 * len(keys)
    faults += faults_of_lines(rows, tested)
    if len(keys) < LINES:
        faults.append(f"only {len(keys)} kinds of lines of compile time were found in the sources")
    for fault in faults:
        print(f"FAIL {fault}")
    print(f"{checked - len(faults)} passed, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compare report.json with what PyTorch itself printed: recompiles with reasons and values, graph breaks, numbers of guards.

Each case of tests/data/corpus, and each folder of tests/data/logs, that has a torch_logs.txt.zst is compared. The text was printed by
the same process as the log (TORCH_LOGS=recompiles,graph_breaks,guards), and printed.py reads it without anything of ours.
"""
import argparse
import re
import sys
from collections import Counter
from functools import lru_cache
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests/tools"))
import advice  # noqa: E402
import printed  # noqa: E402
import samples  # noqa: E402

CORPUS = TOP / "tests/data/corpus"
ORACLE = "torch_logs.txt.zst"
STATED = re.compile(r"expected (.+?), actual (.+?)(?:\. Guard failed on a parameter, .*)?$")


DTYPES = {"Float": "float32", "Double": "float64", "Half": "float16", "BFloat16": "bfloat16", "Long": "int64", "Int": "int32",
          "Short": "int16", "Char": "int8", "Byte": "uint8", "Bool": "bool"}


def cases():
    return {p.parent.name: p.parent for base in (CORPUS, samples.LOGS) for p in sorted(base.rglob(ORACLE))}


@lru_cache(None)
def oracle(folder):
    return printed.read(samples.read(folder / ORACLE).decode("utf-8", "replace"))


def plain_guard(text):
    """A guard without comments."""
    return printed.COMMENT.sub("", text or "").strip()


def normal_guard(text):
    """The same for the two spellings of a check: a failing guard names locals without L[...] and types by ___check_type_id()."""
    text = re.sub(r"\bL\['(\w+)'\]", r"\1", plain_guard(text))
    return re.sub(r"^___check_type_id\((.*), \d+\)(?:, type=.*)?$", r"type(\1)", text)


def version_of(key):
    """The compile id in a key, without process and generation."""
    return key.split("#")[0].split(":")[-1] if key else None


def plain_value(text):
    """The same for the spellings of C++ (Float) and Python (torch.float32), and without the name of a type."""
    keys = re.fullmatch(r"DispatchKeySet\((.*)\)", text or "")
    return keys[1] if keys else f"torch.{DTYPES[text]}" if text in DTYPES else text


def faults_of_values(name, ours):
    """Whether a guard that states both values has others in the report."""
    stated = STATED.search(plain_guard(ours["guard"]))
    values = tuple(map(plain_value, stated.groups())) if stated else ()
    if (ours["source"] or "").endswith(".device"):  # the backend comes first in a set of dispatch keys
        values = tuple(value.split(", ")[0] for value in values)
    if stated and (plain_value(ours["had"]), plain_value(ours["has"])) != values:
        yield f"{name}: {ours['guard']!r}, but the report has {ours['had']} -> {ours['has']}"


def by_id(compiles):
    """{id: compiles with this id, in order}: after a reset, ids begin again."""
    found = {}
    for compile_ in compiles:
        found.setdefault(compile_["id"], []).append(compile_)
    return found


def steps_of(report):
    """{key of a compile: (chain, step)}"""
    return {step["compile"]: (chain, step) for chain in report["recompiles"] for step in chain["steps"]}


def same_place(frame, said):
    return frame and (frame["function"], frame["file"], frame["line"]) == (said.function, said.file, said.line)


def step_faults(said, key, chain, step):
    """What is wrong in a step of a chain, compared with the printed recompile."""
    name = f"{said.compile} ({said.function})"
    if not same_place(chain["frame"], said):
        yield f"{name}: PyTorch says {said.function} in {said.file}:{said.line}, the report {chain['frame']}"
    ours = [(version_of(r["against"]), plain_guard(r["guard"])) for r in step["reasons"]]
    if Counter(ours) != Counter(said.reasons[: len(ours)]) or len(ours) + step["more_reasons"] != len(said.reasons):
        yield f"{name}: PyTorch gives the reasons {said.reasons}, the report {ours}"
        return
    for reason in step["reasons"]:
        yield from faults_of_values(name, reason)
    nearest = version_of(step["nearest"])
    guards = {normal_guard(guard) for version, guard in said.reasons if nearest in (None, version)}
    cause = step["changes"][0] if step["changes"] else {"guard": None}
    if normal_guard(cause["guard"]) not in guards:
        yield f"{name}: the cause in the report is {cause['guard']!r}; PyTorch names {sorted(guards)} against {nearest}"
    else:
        yield from faults_of_values(name, cause)


def recompile_faults(said, report):
    """Differences between the printed recompiles of a process and those of its report."""
    compiles, steps, used = by_id(report["compiles"]), steps_of(report), set()
    for recompile in said.recompiles:
        keys = [c["key"] for c in compiles.get(recompile.compile, []) if c["recompile_reasons"] and c["key"] not in used]
        if not keys:
            yield f"{recompile.compile}: PyTorch printed a recompile of {recompile.function}; the report has none"
            continue
        used.add(keys[0])
        if keys[0] not in steps:
            yield f"{recompile.compile}: the recompile of {recompile.function} is in no chain"
            continue
        yield from step_faults(recompile, keys[0], *steps[keys[0]])
    for key, (chain, step) in steps.items():
        if step["reasons"] and key not in used:
            yield f"{key}: the report says why {(chain['frame'] or {}).get('function')} was recompiled; PyTorch printed no recompile"


def break_faults(said, report):
    """Differences between printed graph breaks and those of the report, by place: their number and reasons."""
    texts = {}
    for _, file, line, text in said.breaks:
        texts[file, line] = texts.get((file, line), "") + text
    theirs = Counter((file, line) for _, file, line, _ in said.breaks)
    ours = Counter()
    for found in report["graph_breaks"]:
        place = found["place"] or {}
        where = place.get("file"), place.get("line")
        ours[where] += found["count"]
        unsaid = "torch.compile will skip tracing the frame" in texts.get(where, "")  # only the log has the exception
        if where in texts and not unsaid and found["reason"] not in texts[where]:
            yield f"{where[0]}:{where[1]}: the report has the reason {found['reason']!r}, PyTorch printed {texts[where][:300]!r}"
    for place in sorted(set(theirs) | set(ours), key=str):
        if theirs[place] != ours[place]:
            yield f"{place[0]}:{place[1]}: PyTorch printed {theirs[place]} graph breaks, the report has {ours[place]}"


def guard_faults(said, report):
    """Differences between the number of leaves of the printed guard trees and the guards that the report counts: in the artifacts, and
    as the number of guards of a compile, which is that of its latest tree."""
    compiles = by_id(report["compiles"])
    for id_, trees in said.guards.items():
        ours = [a["guards"]["count"] for c in compiles.get(id_, []) for a in c["artifacts"] if "guards" in a]
        if sorted(ours) != sorted(trees):
            yield f"{id_}: the printed guard trees have {trees} guards, the report {ours}"
        latest = [c["guards"] for c in compiles.get(id_, [])]
        if len(latest) == 1 and trees and latest != trees[-1:]:
            yield f"{id_}: the latest printed guard tree has {trees[-1]} guards, the report says {latest[0]}"


def process_faults(said, report):
    yield from recompile_faults(said, report)
    if said.complete:
        yield from break_faults(said, report)
        yield from guard_faults(said, report)


def reports(tlparse, folder):
    """(process, report.json) of each log in the folder."""
    for log in sorted(p for p in folder.iterdir() if samples.plain_name(p).suffix == ".log"):
        report = samples.report(tlparse, log).json()
        processes = {c["process"] for c in report["compiles"]}
        yield log.name, processes, report


def case_faults(tlparse, folder):
    said, seen = oracle(folder), set()
    missing = printed.Process(complete=any(process.complete for process in said.values()))
    for name, processes, report in reports(tlparse, folder):
        if len(processes) > 1:
            yield f"{name}: several processes {processes}"
            continue
        process = next(iter(processes), None)
        seen.add(process)
        yield from process_faults(said.get(process, missing), report)
    for process, text in said.items():
        if process not in seen and (text.recompiles or text.breaks or any(text.guards.values())):
            yield f"PyTorch printed compiles of process {process}, which no report has"


def pairs():
    """{name: (folder of NAME_without, folder of NAME_with)}"""
    names = [p.name.removesuffix("_without") for p in sorted(CORPUS.glob("*_without"))]
    return {name: (CORPUS / f"{name}_without", CORPUS / f"{name}_with") for name in names}


def pair_faults(tlparse, without, with_):
    (_, _, before), (_, _, after) = next(reports(tlparse, without)), next(reports(tlparse, with_))
    yield from advice.pair_faults(before, after)


def unnoticed(tlparse, without, with_):
    """Whether a prediction that is wrong by one is noticed, for each piece of advice."""
    (_, _, before), (_, _, after) = next(reports(tlparse, without)), next(reports(tlparse, with_))
    promised = [item for chain in before["recompiles"] for item in chain["advice"] if item["saves"]]
    for item in promised:
        item["saves"] -= 1
        if not list(advice.pair_faults(before, after)):
            yield f"{item['text']}: it saves one less, and nothing was noticed"
        item["saves"] += 1
    if not promised:
        yield "no advice promises anything"


def alterations():
    """Changes to a text after which the comparison must fail, by name: (expression, replacement)."""
    return {
        "value": (r"(size mismatch at index \d+\. expected \d+, actual )\d+", r"\g<1>99"),
        "version": (r"(\[__recompiles\]     - )0/0:", r"\g<1>7/7:"),
        "function": (r"Recompiling function \w+", "Recompiling function other"),
        "recompile": (r"(?m)^.*\[__recompiles\].*\n", ""),
        "break": (r"(Graph break in user code at .*:)\d+", r"\g<1>1"),
        "reason": (r"(__graph_breaks\] )(?!Graph|User| )\S.*", r"\1Something else"),
        "guard": (r"(?m)^.*GLOBAL_STATE: .*\n", ""),
    }


def altered(tlparse, pattern, replacement):
    """Whether the comparison notices a change: its errors if it does not."""
    tried = False
    for name, folder in cases().items():
        text = samples.read(folder / ORACLE).decode("utf-8", "replace")
        wrong = re.sub(pattern, replacement, text)
        if wrong == text:
            continue
        tried, true, false = True, printed.read(text), printed.read(wrong)
        for _, processes, report in reports(tlparse, folder):
            process = next(iter(processes), None)
            before = list(process_faults(true.get(process, printed.Process()), report))
            after = list(process_faults(false.get(process, printed.Process()), report))
            if true.get(process) != false.get(process) and before == after:
                return [f"{name}: the text was altered, and nothing was noticed"]
    return [] if tried else ["no text has what should be altered"]


def main():
    args = samples.arguments(argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter))
    checks = samples.Checks("the oracle", args.names)
    for name, folder in cases().items():
        checks.add(name, case_faults, args.tlparse, folder)
    for name, folders in pairs().items():
        checks.add(f"{name}-tried", pair_faults, args.tlparse, *folders)
        checks.add(f"{name}-noticed", unnoticed, args.tlparse, *folders)
    for name, (pattern, replacement) in alterations().items():
        checks.add(f"altered-{name}", altered, args.tlparse, pattern, replacement)
    return checks.list() if args.list else checks.run()


if __name__ == "__main__":
    sys.exit(main())

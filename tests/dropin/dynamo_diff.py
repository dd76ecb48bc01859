#!/usr/bin/env python3
"""dynamo-diff of PyPI reads our reports as it reads those of the reference: the same counts, notices and refusals.

    dynamo_diff.py --peer .cache/peer/bin/tlparse [--tlparse build/tlparse] [--dynamo-diff PROGRAM] [LOG...]

Without --dynamo-diff, version 0.1.1 is installed into build/dropin, which needs a network; `./dev test` does not run this. LOG is the
name of a folder of tests/data/logs; by default, all that have one log. dynamo-diff accepts PyTorch 2.14.0 only, so it gets reports (-p)
of copies with that version number. The last line is `N passed, N failed, N refused by both,
N with a known deviation`.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests/tools"))
import samples  # noqa: E402

VERSION = "0.1.1"
DEVIATIONS = {  # logs that this tlparse deliberately reads in another way (DEVIATIONS of tests/tools/compat.py)
    "interleaved": "several ranks in one file: each gets a report",
    "overlap": "the reference drops the first record, which has no rank",
}
READERS = {".gz": ["zcat"], ".zst": ["zstd", "-dqc"]}


def installed():
    """The program, in an environment of its own."""
    folder = TOP / "build/dropin"
    if not (folder / "bin/dynamo-diff").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin/pip", "install", "--quiet", "--only-binary", ":all:", f"dynamo-diff=={VERSION}"], check=True)
    return folder / "bin/dynamo-diff"


def single_logs():
    """{name: file} of the folders with exactly one log."""
    found = {}
    for folder in sorted(path for path in samples.LOGS.iterdir() if path.is_dir()):
        logs = [file for file in folder.rglob("*") if re.search(r"\.log(\.gz|\.zst)?$", file.name)]
        if len(logs) == 1:
            found[folder.name] = logs[0]
    return found


def copy(log, to):
    """A log as plain text, with the version that dynamo-diff accepts."""
    text = subprocess.run([*READERS.get(log.suffix, ["cat"]), log], check=True, stdout=subprocess.PIPE).stdout
    to.write_bytes(re.sub(rb"\b2\.1\d\.\d\+\w+", b"2.14.0", text))


def imported(program, tlparse, log, work):
    """What dynamo-diff says about the report of a log: its JSON without the hash of the files, or its refusal."""
    out = work / "report"
    made = subprocess.run([tlparse, log, "-p", "-o", out, "--no-browser"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if made.returncode:
        return {"no report": True}
    done = subprocess.run([program, "--store", work / "store", "import", out], capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        return {"refused": done.stderr.strip().replace(str(work), "")}
    return {key: value for key, value in json.loads(done.stdout).items() if key != "capture_id"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tlparse", type=Path, default=TOP / "build/tlparse")
    parser.add_argument("--peer", type=Path, required=True, help="the reference")
    parser.add_argument("--dynamo-diff", type=Path, help="an installed dynamo-diff")
    parser.add_argument("logs", nargs="*", metavar="LOG")
    args = parser.parse_args()
    program, known = args.dynamo_diff or installed(), single_logs()
    passed = failed = refused = deviating = 0
    for name in args.logs or known:
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            log = folder / "dedicated_log_torch_trace_copy.log"
            copy(known[name], log)
            answers = []
            for tlparse in (args.tlparse, args.peer):
                work = folder / str(len(answers))
                work.mkdir()
                answers.append(imported(program.resolve(), tlparse.resolve(), log, work))
        ours, theirs = answers
        if name in DEVIATIONS and ours != theirs:
            deviating += 1
            print(f"note {name}: {DEVIATIONS[name]}")
        elif ours != theirs or name in DEVIATIONS:
            failed += 1
            print(f"FAIL {name}\n  {json.dumps(ours)[:600]}\n  {json.dumps(theirs)[:600]}")
        elif "counts" not in ours:
            refused += 1
            print(f"same {name}: {json.dumps(ours)[:160]}")
        else:
            passed += 1
            counts = ours["counts"]
            print(f"ok   {name}: {counts['completed']} completed, {counts['failed']} failed, {counts['graph_break_records']} graph breaks")
    print(f"{passed} passed, {failed} failed, {refused} refused by both, {deviating} with a known deviation")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compare with the reference program on damaged logs: records left out, repeated, moved, cut, renumbered, with another byte.

    differential.py --tlparse build/tlparse --peer .cache/peer/bin/tlparse [--count N] [--first SEED]

The logs are those of ../shared/traces below 400 KB, and ../shared/tools/compat.py compares the files of both reports. Log number SEED is
the same in every call. Prints the logs that differ and keeps them; the last line is that of compat.py, whose exit status it is.
"""
import argparse
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
SHARED = TOP.parent / "shared"
LARGEST_BYTES = 400_000
HEAD = re.compile(r"^[VIWEC]\d{4} ", re.M)
BYTES = '{}[]",:\\\t\n 0aé<&'


def renumbered(record, name, chance):
    return re.sub(rf'"{name}": \d+', f'"{name}": {chance.randrange(4)}', record, count=1)


def damage(records, chance):
    """Changes the list in one place."""
    at, how = chance.randrange(len(records)), chance.randrange(8)
    record = records[at]
    if how == 0:
        del records[at:at + chance.randint(1, 5)]
    elif how == 1:
        records.insert(at, chance.choice(records))
    elif how == 2:
        records.insert(chance.randrange(len(records)), records.pop(at))
    elif how == 3:
        records[at] = record[:chance.randrange(len(record) + 1)] + "\n"
    elif how == 4 and record:
        byte = chance.randrange(len(record))
        records[at] = record[:byte] + chance.choice(BYTES) + record[byte + 1:]
    else:
        records[at] = renumbered(record, ("frame_id", "frame_compile_id", "attempt")[how % 3], chance)


def damaged(logs, seed):
    chance = random.Random(seed)
    text = chance.choice(logs).read_text(encoding="utf-8", errors="surrogateescape")
    starts = [0, *(found.start() for found in HEAD.finditer(text) if found.start()), len(text)]
    records = [text[a:b] for a, b in zip(starts, starts[1:], strict=False)]
    for _ in range(chance.randint(1, 6)):
        if records:
            damage(records, chance)
    return "".join(records)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tlparse", type=Path, required=True)
    parser.add_argument("--peer", type=Path, required=True)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--first", type=int, default=1)
    args = parser.parse_args()
    logs = sorted(log for log in (SHARED / "traces").rglob("*.log") if log.stat().st_size < LARGEST_BYTES)
    folder = Path(tempfile.mkdtemp(prefix="differential-"))
    for seed in range(args.first, args.first + args.count):
        (folder / f"{seed}.log").write_text(damaged(logs, seed), encoding="utf-8", errors="surrogateescape")
    command = [sys.executable, SHARED / "tools/compat.py", "--ours", args.tlparse.absolute(), "--peer", args.peer.absolute(), *sorted(folder.glob("*.log"))]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    lines = done.stdout.splitlines()
    different = {word for line in lines if line.startswith("DIFF") for word in line.split() if word.endswith(".log")}
    for log in folder.glob("*.log"):
        if str(log) not in different:
            log.unlink()
    print("\n".join(line for line in lines if not line.startswith(("ok", "skip"))))
    if not different:
        folder.rmdir()
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())

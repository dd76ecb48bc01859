#!/usr/bin/env python3
"""Golden cases: make the report of a real log and compare it with what is written down in expected/.

    run.py --tlparse build/tlparse [NAME...]     the cases of cases.txt (whose name begins with NAME)
    run.py --tlparse build/tlparse --update      write expected/ anew; read the difference before it is committed

A log may be a folder: then its logs are put into a folder, and the call is for that.

expected/<name>.txt holds the exit status, stderr, each file with its size and the start of its SHA-256 (of a
data/*.js: of what it carries, since packing may differ between versions of a library; of assets/ the names only),
compile_directory.json, and report.json with long tables cut to their digest.

Besides, the same bytes must come out for any number of threads, any size of block, and however the log comes in:
plain, gzip, zstd or on standard input (where the name and the size of the input are left out of account).
"""
import argparse
import base64
import difflib
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOGS = HERE.parent / "data/logs"
MODIFIED = 1767225600  # the logs' time of modification: logs without a date of their own take the year from it
LIMIT_S = 300
WIDTH, ROW_WIDTH = 160, 480
SHOWN = 3  # of a list that is long


def cases():
    """(name, log or folder, options) of each line of cases.txt."""
    for line in (HERE / "cases.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, pattern, *options = line.split()
            (place,) = LOGS.glob(pattern)
            yield name, place, options


def unpack(log):
    data = log.read_bytes()
    if log.suffix == ".gz":
        return gzip.decompress(data)
    if log.suffix == ".zst":
        return subprocess.run(["zstd", "-dc"], input=data, stdout=subprocess.PIPE, check=True).stdout
    return data


class Run:
    """One run of tlparse in a folder of its own: exit status, stderr and the files it wrote."""

    def __init__(self, tlparse, work, log, options, stdin=False):
        out = Path(tempfile.mkdtemp(dir=work)) / "out"
        command = [tlparse, "-" if stdin else log, "-o", out, "--no-browser", *options]
        with open(log if stdin else os.devnull, "rb") as source:
            done = subprocess.run(
                [str(c) for c in command], stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S, cwd=work
            )
        text = done.stderr.decode("utf-8", "replace")
        self.stderr = text.replace(str(out), "OUT").replace(str(log), "LOG")
        self.status = done.returncode
        self.files = {str(p.relative_to(out)): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()}
        shutil.rmtree(out.parent)


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def parts(script):
    """What a data/*.js carries, unpacked: {key: bytes}."""
    calls = re.findall(rb'tl\.put\("((?:[^"\\]|\\.)*)",\s*"([A-Za-z0-9+/=]*)"\)', script)
    return {json.loads(b'"%s"' % key): gzip.decompress(base64.b64decode(text)) for key, text in calls}


def pretty(value, indent=""):
    """JSON, a value on one line where it fits; an object without further objects may be longer, as the row of a table."""
    flat = json.dumps(value, ensure_ascii=False)
    nested = flat.count("{") > 1
    if len(indent) + len(flat) <= (WIDTH if nested else ROW_WIDTH) or not isinstance(value, (dict, list)) or not value:
        return flat
    inner = indent + "  "
    if isinstance(value, dict):
        rows = [f"{inner}{json.dumps(k, ensure_ascii=False)}: {pretty(v, inner)}" for k, v in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + pretty(v, inner) for v in value) + f"\n{indent}]"


def trimmed(report):
    """report.json without what is long, or differs from version to version."""

    def table(values):
        return values and f"{len(values)} keys, {digest(json.dumps(values, sort_keys=True).encode())}"

    def head(values):
        rest = values[SHOWN:]
        return values[:SHOWN] + [f"{len(rest)} more, {digest(json.dumps(rest).encode())}"] if len(rest) > 1 else values

    report.get("tool", {}).pop("version", None)
    if "shape_stacks" in report:
        report["shape_stacks"] = head(report["shape_stacks"])
    for part, lists in (("kernels", ("list",)), ("timeline", ("totals", "lanes"))):
        for key in lists:
            if key in (report.get(part) or {}):
                report[part][key] = head(report[part][key])
    for compile in report.get("compiles", ()):
        for key in ("metrics", "backward_metrics"):
            if key in compile:
                compile[key] = table(compile[key])
        if compile.get("shapes"):
            compile["shapes"] = {key: head(values) if isinstance(values, list) else values for key, values in compile["shapes"].items()}
    for config in report.get("configs", ()):
        config["values"] = table(config.get("values"))
    return report


def row(name, data):
    return f"  {len(data):9} {digest(data)} {name}"


def listed(name, data):
    """The lines that tell of one file."""
    kind = name.split("/")[-2:]
    if kind[-1] == "report.json":
        yield row(name, json.dumps(trimmed(json.loads(data))).encode()) if "/" in name else f"  {'':26} {name}"
    elif kind[0] == "assets":
        yield f"  {'':26} {name}"
    elif kind[0] == "data":
        yield f"  {'':26} {name}"
        for key, part in parts(data).items():
            if key != "report":
                yield row(f"  {key}", part)
    else:
        yield row(name, data)


def described(run):
    lines = [f"exit status {run.status}", "", "stderr", *(f"  {line}" for line in run.stderr.splitlines()), "", "files"]
    for name, data in run.files.items():
        lines += listed(name, data)
    for name, shown in (("compile_directory.json", lambda v: v), ("report.json", trimmed)):
        if name in run.files:
            lines += ["", name, pretty(shown(json.loads(run.files[name])))]
    return "\n".join(lines) + "\n"


def without_input(run):
    """The files, with the name and the size of the input taken out of those that tell them."""
    files, names = dict(run.files), set()

    def bare(text):
        report = json.loads(text)
        names.update(entry["name"] for entry in report["log"]["files"])
        report["log"]["files"] = []
        for rank in report.get("ranks", ()):
            rank["files"] = []
        return json.dumps(report).encode()

    for name, data in files.items():
        if name.endswith("report.json"):
            files[name] = bare(data)
        elif name.endswith("data/report.js"):
            files[name] = bare(parts(data)["report"])
    for name in files:
        if name.endswith("index.html"):
            for log in names:
                files[name] = files[name].replace(log.encode(), b"LOG")
    return files


def difference(base, other):
    """None, or the first file in which they differ."""
    for name in sorted(base.keys() | other.keys()):
        if name not in base or name not in other:
            return f"{name} is there only once"
        if base[name] != other[name]:
            return f"{name} differs"
    return None


def put(folder, logs, pack):
    """Puts the logs (name -> bytes), packed with that function, into a fresh folder."""
    folder = folder / "logs"  # a name that the report may show
    folder.mkdir(parents=True)
    for name, data in logs.items():
        (folder / name).write_bytes(pack(data))
        os.utime(folder / name, (MODIFIED, MODIFIED))
    return folder


def zstd(data):
    return subprocess.run(["zstd", "-c", "-1"], input=data, stdout=subprocess.PIPE, check=True).stdout


def variants(work, logs, few):
    """(what, options, folder with the logs or None for the base's, on standard input): other ways to the same report."""
    ways = [("--threads", 2)] if few else [("--threads", 1), ("--threads", 2), ("--threads", 4)]
    if not few:
        ways += [("--block-bytes", 1), ("--block-bytes", 4099), ("--block-bytes", 1 << 26)]
    for option, n in ways:
        yield f"{option} {n}", [option, str(n)], None, False
    if few:
        return
    yield "gzip", [], put(work / "gzip", logs, lambda data: gzip.compress(data, 1)), False
    yield "zstd", [], put(work / "zstd", logs, zstd), False
    if len(logs) == 1:
        yield "standard input", [], None, True


def check(args, name, place, options):
    """Runs one case: (passed, failed, lines to print)."""
    packed = sorted(p for p in place.iterdir() if ".log" in p.suffixes) if place.is_dir() else [place]
    logs = {p.name.removesuffix(".gz").removesuffix(".zst"): unpack(p) for p in packed}
    passed, faults = 0, []
    with tempfile.TemporaryDirectory(prefix="golden-") as work:

        def target(folder):
            return folder if place.is_dir() else folder / next(iter(logs))

        plain = put(Path(work, "plain"), logs, bytes)
        base = Run(args.tlparse, work, target(plain), [*options, "--threads", str(args.threads)])
        found, written = described(base), HERE / "expected" / f"{name}.txt"
        if args.update:
            written.parent.mkdir(exist_ok=True)
            written.write_text(found, encoding="utf-8")
        expected = written.read_text(encoding="utf-8") if written.exists() else ""
        if found == expected:
            passed += 1
        else:
            rows = list(difflib.unified_diff(expected.splitlines(), found.splitlines(), "expected", "found", "", "", 1, ""))
            faults.append("\n".join(rows[: args.show] + [f"… {len(rows) - args.show} lines more"] * (len(rows) > args.show)))
        for file, data in base.files.items():
            if file.endswith("report.json") and json.loads(data)["checks"]:
                faults.append(f"{file} contradicts itself or the log: {json.loads(data)['checks'][:3]}")
        for what, more, folder, stdin in () if args.update else variants(Path(work), logs, args.few):
            other = Run(args.tlparse, work, target(folder or plain), [*options, *more], stdin)
            if folder or stdin:
                why = difference(without_input(base), without_input(other))
            else:
                why = difference(base.files, other.files)
            if base.status != other.status:
                why = f"exit status {other.status}, else {base.status}"
            if why:
                faults.append(f"with {what}: {why}")
            else:
                passed += 1
    return passed, len(faults), [f"FAIL {name}: {fault}" for fault in faults]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tlparse", type=Path, required=True)
    parser.add_argument("--update", action="store_true", help="write what is found to expected/")
    parser.add_argument("--few", action="store_true", help="only one other way beside the base")
    parser.add_argument("--threads", type=int, default=0, help="threads of the base run")
    parser.add_argument("--show", type=int, default=40, help="lines of a difference that are printed")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    args.tlparse = args.tlparse.resolve()
    chosen = [c for c in cases() if not args.names or c[0].startswith(tuple(args.names))]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda c: check(args, *c), chosen))
    for _, _, lines in results:
        for line in lines:
            print(line)
    known = {f"{name}.txt" for name, _, _ in cases()}
    stale = sorted(p.name for p in (HERE / "expected").glob("*") if p.name not in known)
    for name in stale:
        print(f"FAIL expected/{name} belongs to no case")
    failed = sum(r[1] for r in results) + len(stale)
    print(f"{sum(r[0] for r in results)} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

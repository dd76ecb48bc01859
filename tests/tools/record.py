#!/usr/bin/env python3
"""Record programs of tests/data/scripts/corpus, each with what PyTorch prints about it, into tests/data/corpus.

    record.py --root PYROOT --site SITE CASE...
    record.py --recorded FOLDER --used "torch 2.11.0, …" CASE...    what record_gpu.sh recorded on another machine, in FOLDER/CASE

PYROOT is a Python installation, SITE a site-packages folder with torch. The recorder (../shared/tools/record.sh, needs root) runs the
program under neutral paths with TORCH_TRACE and TORCH_LOGS=recompiles,graph_breaks,guards. tests/data/corpus/CASE gets the logs,
`torch_logs.txt.zst`, which tests/oracle reads, profiles, if the program made any, and a README.md. A log that contains a path of this
machine is refused.
"""
import argparse
import ast
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
SCRIPTS = TOP / "tests/data/scripts"
CORPUS = TOP / "tests/data/corpus"
LIMIT_S = 600
PACKED_BYTES = 250_000  # of one case, without a profile


def without_root(log: bytes, root: str) -> bytes:
    """Python's configuration has the folder that it was built for, and the C++ compiler gets it as an option: named as the
    program sees Python. The payload's hash is that of the text as it is then."""

    def neutral(match):
        header, payload = match.groups()
        text, new = (re.sub(rb"^\t", b"", part, flags=re.M).removesuffix(b"\n") for part in (payload, renamed(payload)))
        before, after = (hashlib.md5(part).hexdigest().encode() for part in (text, new))
        return renamed(header).replace(before, after) + renamed(payload)

    def renamed(text):
        return text.replace(root.encode(), b"/usr/local/python3.11")

    return re.sub(rb"^([^\t\n].*\n)((?:\t.*\n?)*)", neutral, log, flags=re.M)


def versions(site):
    """The packages of SITE that a program may import, as {module: "name version"}."""
    found = {}
    for info in Path(site).glob("*.dist-info"):
        name, version = info.name.removesuffix(".dist-info").rsplit("-", 1)
        found[name.lower()] = f"{name} {version}"
    return found


def run(script, args, out, work):
    """Runs a program with the recorder; its exit status."""
    source = work / "src"
    source.mkdir()
    for path in (script, SCRIPTS / "dist_common.py"):
        shutil.copy(path, source)
    logs = "TORCH_LOGS=recompiles,graph_breaks,guards TORCH_LOGS_OUT=/home/user/trace/torch_logs.txt"
    env = {"PYROOT": args.root, "SITE": args.site, "SCRATCH": str(work / "scratch"), "KEEPTMP": "1", "HIDE": "", "XENV": logs, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    python = "/usr/local/python3.11/bin/python3"
    done = subprocess.run([args.recorder, source, out, python, script.name], env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT_S, check=False)
    (work / "said.txt").write_bytes(done.stdout + done.stderr)
    return done.returncode


def packed(path, target):
    subprocess.run(["zstd", "-q", "-19", "-f", path, "-o", target], check=True)
    return target.stat().st_size


def readme(case, script, args, status, logs, profiled):
    """The text of README.md."""
    text = script.read_text(encoding="utf-8")
    names = sorted(set(re.findall(r"(?m)^\s*(?:import|from) (\w+)", text)))
    known = {} if args.recorded else versions(args.site)
    used = args.used or ", ".join(known[n] for n in sorted({*names, "torch"}) if n in known)
    counts = {name: len(re.findall(rb"(?m)^V\d{4} ", data)) for name, data in logs}
    lines = [f"- `{name}`: {count} records." for name, count in counts.items()]
    if profiled:
        lines.append("- `profile.json.gz`: what `torch.profiler` saw; `key_averages.json.zst`: the totals that it gives itself, in µs.")
    ended = "" if status == 0 else f" It ended with status {status}."
    return f"# {case}\n\n{ast.get_docstring(ast.parse(text))}{ended}\n\nRecorded from `scripts/corpus/{case}.py` with {used}. Contents:\n" + "\n".join(lines) + "\n- `torch_logs.txt.zst`: what PyTorch printed.\n"


def record(case, args):
    """Records a case; the reason for which it was not kept, or None."""
    script = SCRIPTS / "corpus" / f"{case}.py"
    with tempfile.TemporaryDirectory(dir=args.scratch) as name:
        work = Path(name)
        out, new = work / "out", work / "new"
        new.mkdir()
        if args.recorded:
            shutil.copytree(args.recorded / case, out)
            shutil.copy(out / "said.txt", work)
            status = int((out / "status").read_text(encoding="utf-8"))
        else:
            status = run(script, args, out, work)
        logs = [(p, p.read_bytes()) for p in sorted(out.glob("*.log"))]
        oracle = out / "torch_logs.txt"
        if not logs or not oracle.exists():
            return f"no log, exit status {status}: {(work / 'said.txt').read_text(errors='replace')[-1500:]}"
        logs = [(path, without_root(data, args.root) if args.root else data) for path, data in logs]
        for path, data in logs:
            path.write_bytes(data)
        machine = [p.encode() for p in (args.root, args.site, name) if p]
        for path, data in [*logs, (oracle, oracle.read_bytes())]:
            if any(p in data for p in machine):
                return f"{path.name} contains a path of this machine"
        totals = out / "key_averages.json"
        profiled = totals.exists()
        size = sum(packed(p, new / f"{p.name}.zst") for p in [*(p for p, _ in logs), oracle, *([totals] if profiled else [])])
        if profiled:
            shutil.copy(out / "profile.json.gz", new)
        if size > PACKED_BYTES:
            return f"{size} bytes packed: make the program smaller"
        (new / "README.md").write_text(readme(case, script, args, status, [(f"{p.name}.zst", d) for p, d in logs], profiled), encoding="utf-8")
        shutil.rmtree(CORPUS / case, ignore_errors=True)
        CORPUS.mkdir(exist_ok=True)
        shutil.copytree(new, CORPUS / case)
        print(f"{case}: exit status {status}, {len(logs)} logs, {size} bytes packed", flush=True)
        if status:
            print((work / "said.txt").read_text(errors="replace")[-1200:], flush=True)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", help="the Python installation")
    parser.add_argument("--site", help="the site-packages folder with torch")
    parser.add_argument("--recorded", type=Path, metavar="FOLDER", help="what another machine recorded")
    parser.add_argument("--used", metavar="TEXT", help="the packages and versions of that machine")
    parser.add_argument("--recorder", default=TOP.parent / "shared/tools/record.sh", type=Path, help="record.sh")
    parser.add_argument("--scratch", help="where temporary files go")
    parser.add_argument("cases", nargs="+", metavar="CASE")
    args = parser.parse_args()
    if not (args.recorded and args.used) and not (args.root and args.site):
        parser.error("--root and --site, or --recorded and --used")
    failed = 0
    for case in args.cases:
        try:
            why = record(case, args)
        except subprocess.TimeoutExpired:
            why = f"ran longer than {LIMIT_S} s"
        if why:
            failed += 1
            print(f"{case}: {why}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

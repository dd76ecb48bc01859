#!/usr/bin/env python3
"""Golden cases: build the report of a real log and compare it with expected/.

    run.py --tlparse build/tlparse [NAME...]     run the cases of cases.txt (whose names begin with NAME)
    run.py --tlparse build/tlparse --update      rewrite expected/; read the diff before you commit it
    run.py --tlparse build/tlparse --against OTHER [NAME...]    compare with the reports of another build, fact by fact

A log may be a folder: its logs are then put into a folder, which is the argument.

expected/<name>.txt of a case of IN_FULL has the exit status, standard error, each file with its size and the start of its
SHA-256 (for data/*.js: of the decompressed contents, because compression may differ between versions of a library; for
assets/: names only), compile_directory.json, and report.json, with long tables reduced to a digest. The logs of IN_FULL have
nearly all kinds of facts. Other cases have a digest for each folder and for each part of report.json: what differs is
printed as it is now, and --against shows how it was. There is one fact per line, and shared facts are written once:

  usual.txt      the usual values of members. expected/ omits a member with its usual value, and lists a member that is absent
                 although it has one. --update adds new members and keeps existing ones; remove the file to recompute it.
  like NAME      for a case with the log of an earlier case: only the facts that differ, each with its path
  long texts     are complete at their first occurrence in a file

The output must also be byte-identical for any number of threads, any block size, and any form of input: plain, gzip, zstd or
standard input (except for the name and size of the input). The cases of EVERY_WAY, and with --all every case, run in all of
these ways; the others run in one of them.
"""
import argparse
import difflib
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
from data_parts import parts

HERE = Path(__file__).resolve().parent
LOGS = HERE.parent / "data/logs"
MODIFIED = 1767225600  # modification time of the logs: a log without a date takes the year from it
LIMIT_S = 300
LONG = 100  # characters of a list on one line
TEXT = 60  # characters of a text from which on it is written once
USUAL = HERE / "usual.txt"
SHOWN = 3  # items of a long list


def cases():
    """(name, log or folder, options) for each line of cases.txt."""
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
    """A run of tlparse in its own folder: exit status, stderr and the files that it wrote."""

    def __init__(self, tlparse, work, log, options, stdin=False):
        out = Path(tempfile.mkdtemp(dir=work)) / "out"
        command = [tlparse, "-" if stdin else log, "-o", out, "--no-browser", *options]
        with open(log if stdin else os.devnull, "rb") as source:
            done = subprocess.run(
                [str(c) for c in command], stdin=source, capture_output=True, timeout=LIMIT_S, cwd=work
            )
        text = done.stderr.decode("utf-8", "replace")
        self.stderr = text.replace(str(out), "OUT").replace(str(log), "LOG")
        self.status = done.returncode
        self.files = {str(p.relative_to(out)): p.read_bytes() for p in sorted(out.rglob("*")) if p.is_file()}
        shutil.rmtree(out.parent)


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def flat(value):
    return json.dumps(value, ensure_ascii=False)


def is_row(value):
    """Whether an object is written on one line, like the row of a table: it has short values only."""
    return all(not isinstance(v, (dict, list)) and not (isinstance(v, str) and len(v) > TEXT) for v in value.values())


class Usual:
    """The usual values of members: {path of an object: {member: value as JSON}}, in the order in which members are written."""

    def __init__(self, text=""):
        self.of = {}
        for line in text.splitlines():
            if line and not line.startswith("#"):
                path, member, value = line.split(" ", 2)
                self.of.setdefault(path, {})[member] = value

    def learn(self, reports):
        """Adds members that have the same value in two of five objects of a path."""
        objects, values, order = Counter(), {}, {}

        def walk(value, path):
            if isinstance(value, list):
                for item in value:
                    walk(item, path + "[]")
            elif isinstance(value, dict):
                objects[path] += 1
                names, before = order.setdefault(path, []), -1
                for member, inner in value.items():
                    if member not in names:
                        names.insert(before + 1, member)
                    before = names.index(member)
                    text = flat(inner)
                    if len(text) <= (60 if path else 4000) and " " not in member:  # a report's own members may be tables
                        values.setdefault((path, member), Counter())[text] += 1
                    walk(inner, f"{path}.{member}".lstrip("."))

        for report in reports:
            walk(report, "")
        for path, names in order.items():
            known = dict(self.of.get(path, {}))
            for member in names:
                ((text, count),) = values.get((path, member), Counter()).most_common(1) or [("", 0)]
                if member not in known and objects[path] >= 10 and count >= 0.4 * objects[path]:
                    known[member] = text
            rest = [m for m in known if m not in names]
            if known:
                self.of[path] = {m: known[m] for m in [*(n for n in names if n in known), *rest]}

    def text(self):
        rows = [f"{path or '.'} {member} {value}" for path, members in sorted(self.of.items()) for member, value in members.items()]
        return "\n".join(["# Written by run.py --update: path of an object, member, its usual value.", *rows]) + "\n"

    @staticmethod
    def read():
        usual = Usual(USUAL.read_text(encoding="utf-8") if USUAL.exists() else "")
        usual.of = {"" if path == "." else path: members for path, members in usual.of.items()}
        return usual


class Facts:
    """Lines of text, each with the path of its fact."""

    def __init__(self, usual):
        self.usual, self.rows, self.texts = usual, [], {}

    def add(self, depth, path, text):
        self.rows.append((depth, path, text))

    def scalar(self, value):
        text = flat(value)
        if not isinstance(value, str) or len(text) <= TEXT:
            return text
        if value in self.texts:
            return f"{text[:24]}… as above, {self.texts[value]}"
        self.texts[value] = digest(value.encode())[:8]
        return text

    def value(self, depth, path, pattern, name, value):
        """The lines of a member named `name`, or of an item of a list, whose name is "-"."""
        label = f"{name} " if name == "-" else f"{name}: "
        if isinstance(value, dict) and value:
            self.object(depth, path, pattern, name, value)
        elif isinstance(value, list) and (any(isinstance(v, (dict, list)) for v in value) or len(flat(value)) > LONG):
            self.add(depth, path, f"{label}{len(value)} items")
            seen = set()
            for i, item in enumerate(value):
                named = item if isinstance(item, dict) else {}
                key = named.get("key") or named.get("id") or named.get("title") or i
                key = f"{key} #{i}" if key in seen else key
                seen.add(key)
                self.value(depth + 1, f"{path}[{key}]", pattern + "[]", "-", item)
        else:
            self.add(depth, path, label + self.scalar(value))

    def object(self, depth, path, pattern, name, value):
        usual = self.usual.of.get(pattern, {})
        if is_row(value):
            words = [f"{member}={self.scalar(inner)}" for member, inner in value.items() if usual.get(member) != flat(inner)]
            words += [f"({member} is absent)" for member in usual if member not in value]
            self.add(depth, path, " ".join([name if name == "-" else f"{name}:", *words]))
            return
        self.add(depth, path, name if name == "-" else f"{name}:")
        known = [member for member in value if member in usual]
        if known != [member for member in usual if member in value]:
            self.add(depth + 1, path, f"(in this order: {' '.join(known)})")
        for member, inner in value.items():
            if usual.get(member) != flat(inner):
                self.value(depth + 1, f"{path}.{member}".lstrip("."), f"{pattern}.{member}".lstrip("."), member, inner)
        for member in usual:
            if member not in value:
                self.add(depth + 1, path, f"({member} is absent)")

    def text(self):
        return "".join(f"{'  ' * depth}{text}\n" for depth, _, text in self.rows)

    def lines(self):
        """Each fact, preceded by its path."""
        return [f"{path}  {text}" for _, path, text in self.rows]

    def parts(self):
        """{first line of a part: its lines}: what was printed, each folder, each member of report.json and each item of those
        that are lists. A part with more lines than the first has a digest of them after it."""
        found, name, title = {}, "", ""
        for depth, path, text in self.rows:
            if path == "files":
                words = text.split()
                if text.startswith("  "):  # of a file, or a member of data/*.js, which has a line of its own
                    folder = words[0].rsplit("/", 1)[0] + "/" if "/" in words[0] else words[0]
                    name = title if text.startswith("    ") else f"  {folder}"
                    title = name
            elif depth <= 1 or (depth == 2 and text.startswith("-")):
                name = f"{'  ' * depth}{path if depth == 2 else text}"
            found.setdefault(name, []).append(text)
        return found

    def digests(self):
        return "".join(name + (f"  {len(lines)} line{'s' * (len(lines) != 1)} {digest(flat(lines).encode())}" if lines != [name.strip()] else "") + "\n"
                       for name, lines in self.parts().items())


def different(expected, found):
    """The lines in which two lists differ, marked - and +."""
    return [row for row in difflib.unified_diff(expected, found, n=0, lineterm="") if not row.startswith(("@@", "---", "+++"))]


def trimmed(report):
    """report.json without what is long, or differs between versions."""

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


def shortened(report):
    """The report with "~" for values of an artifact that follow from the others: the folder of its compile, the next number,
    the file's name without suffix, and a text that is as long as the file and follows the previous one."""
    for compile in report.get("compiles", ()):
        folder, number, end = (compile["dirs"] or [None])[0], -1, 0
        for a in compile["artifacts"]:
            own = f"{a['dir']}/{a['name']}_{a['number']}."
            for member in ("url", "readable_url"):
                if (a[member] or "").startswith(own):
                    a[member] = "~." + a[member][len(own):]
            next_number, number = number + 1, number if a["number"] is None else a["number"]
            if a["number"] == next_number:
                a["number"] = "~"
            if a["dir"] == folder:
                a["dir"] = "~"
            if a.get("text"):
                if a["text"] == [end, a["bytes"]]:
                    a["text"], end = "~", end + a["bytes"]
                else:
                    end = sum(a["text"])
    return report


def row(name, data):
    return f"  {name} {len(data)} {digest(data)}"


def listed(name, data):
    """The lines about one file."""
    kind = name.split("/")[-2:]
    if kind[-1] == "report.json":
        yield row(name, json.dumps(trimmed(json.loads(data))).encode()) if "/" in name else f"  {name}"
    elif kind[0] == "assets":
        yield f"  {name}"
    elif kind[0] == "data":
        yield f"  {name}"
        for key, part in parts(data).items():
            if key != "report":
                yield row(f"  {key}", part)
    else:
        yield row(name, data)


def directory_rows(directory, report):
    """compile_directory.json, without what report.json says about the artifacts."""
    own = {}
    for compile in report.get("compiles", ()):
        for a in (a for a in compile["artifacts"] if a["url"]):
            entry = {"url": a["url"], "name": a["url"].split("/")[-1], "number": a["number"], "suffix": a["suffix"], "readable_url": a["readable_url"]}
            own[a["url"]] = (compile["key"], a["line"], entry)
    for key, value in directory.items():
        entries = value["artifacts"] if list(value) == ["artifacts"] else None
        found = [own.get(entry.get("url")) for entry in entries or ()]
        if entries and all(found) and [f[2] for f in found] == entries and len({f[0] for f in found}) == 1 and found == sorted(found, key=lambda f: f[1]):
            everything = sum(f[0] == found[0][0] for f in own.values())
            yield f"{key}: {len(entries)} of the {everything} artifacts of {found[0][0]}, as in report.json" + (
                "" if len(entries) == everything else f": {' '.join(str(e['number']) for e in entries)}")
        else:
            yield f"{key}:"
            for entry in entries if entries is not None else [value]:
                yield f"  {flat(entry)}"


def described(run, usual):
    """The Facts of a run."""
    facts = Facts(usual)
    facts.add(0, "", f"exit status {run.status}")
    facts.add(0, "", "stderr")
    for line in run.stderr.splitlines():
        facts.add(1, "stderr", line)
    facts.add(0, "", "files")
    for name, data in run.files.items():
        for line in listed(name, data):
            facts.add(0, "files", line)
    report = json.loads(run.files["report.json"]) if "report.json" in run.files else None
    if "compile_directory.json" in run.files:
        facts.add(0, "", "compile_directory.json")
        for line in directory_rows(json.loads(run.files["compile_directory.json"]), report or {}):
            facts.add(1, "compile_directory", line)
    if report is not None:
        facts.object(0, "", "", "report.json", shortened(trimmed(report)))
    return facts


def without_input(run):
    """The files, without the name and size of the input."""
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
    """The first difference, or None."""
    for name in sorted(base.keys() | other.keys()):
        if name not in base or name not in other:
            return f"{name} exists in one of them only"
        if base[name] != other[name]:
            return f"{name} differs"
    return None


def put(folder, logs, pack):
    """Puts the logs (name -> bytes), compressed with that function, into a new folder."""
    folder = folder / "logs"  # a name that the report may show
    folder.mkdir(parents=True)
    for name, data in logs.items():
        (folder / name).write_bytes(pack(data))
        os.utime(folder / name, (MODIFIED, MODIFIED))
    return folder


def zstd(data):
    return subprocess.run(["zstd", "-c", "-1"], input=data, stdout=subprocess.PIPE, check=True).stdout


IN_FULL = {
    "cache_ranks", "draft_all_asked", "draft_mismatched", "errors", "export_nonstrict", "graph_breaks", "interleaved", "native_dsl", "overlap",
    "pgo", "precompile_failures", "rank_causes_hangs", "recompiles", "vllm_like", "workers",
}
EVERY_WAY = {
    "simple", "graph_breaks", "recompiles", "errors", "training", "vllm_like", "interleaved", "killed", "forks_one", "truncated_payload",
    "truncated_utf8", "provenance_jit", "export_errors_asked", "ranks_desync",
}


def variants(work, logs, every):
    """(what, options, folder with the logs or None for the base's, on standard input): other ways to build the same report."""
    if not every:
        yield "--threads 3 --block-bytes 4099", ["--threads", "3", "--block-bytes", "4099"], None, False
        return
    for option, n in [("--threads", 1), ("--threads", 2), ("--threads", 4), ("--block-bytes", 1), ("--block-bytes", 4099), ("--block-bytes", 1 << 26)]:
        yield f"{option} {n}", [option, str(n)], None, False
    yield "gzip", [], put(work / "gzip", logs, lambda data: gzip.compress(data, 1)), False
    yield "zstd", [], put(work / "zstd", logs, zstd), False
    if len(logs) == 1:
        yield "standard input", [], None, True


class Case:
    """A case: its base run, and the other ways to run it, with the same result."""

    def __init__(self, args, name, place, options):
        self.args, self.name, self.place, self.options = args, name, place, options
        packed = sorted(p for p in place.iterdir() if ".log" in p.suffixes) if place.is_dir() else [place]
        self.logs = {plain_name(p): unpack(p) for p in packed}
        self.faults, self.passed = [], 0

    def run(self):
        """Runs tlparse in every way and keeps the base run."""
        with tempfile.TemporaryDirectory(prefix="golden-") as work:

            def target(folder):
                return folder if self.place.is_dir() else folder / next(iter(self.logs))

            plain = put(Path(work, "plain"), self.logs, bytes)
            self.base = base = Run(self.args.tlparse, work, target(plain), [*self.options, "--threads", str(self.args.threads)])
            reports = [file for file in base.files if file.endswith("report.json")]
            if base.status == 0 and not reports:
                self.faults.append("there is no report.json")
            for file in reports:
                if json.loads(base.files[file])["checks"]:
                    self.faults.append(f"{file} contradicts itself or the log: {json.loads(base.files[file])['checks'][:3]}")
            every = not self.args.few and (self.args.all or self.name in EVERY_WAY)
            for what, more, folder, stdin in () if self.args.update else variants(Path(work), self.logs, every):
                other = Run(self.args.tlparse, work, target(folder or plain), [*self.options, *more], stdin)
                why = difference(without_input(base), without_input(other)) if folder or stdin else difference(base.files, other.files)
                if base.status != other.status:
                    why = f"exit status {other.status}, else {base.status}"
                if why:
                    self.faults.append(f"with {what}: {why}")
                else:
                    self.passed += 1
        return self

    def compare(self, usual, like):
        """Compares the base run with expected/, or writes it there. `like` is an earlier case of the same log, or None."""
        facts, written = described(self.base, usual), HERE / "expected" / f"{self.name}.txt"
        if like is not None:
            found = "".join(f"{row}\n" for row in [f"like {like.name}", *different(described(like.base, usual).lines(), facts.lines())])
        else:
            found = facts.text() if self.name in IN_FULL else facts.digests()
        if self.args.update:
            written.parent.mkdir(exist_ok=True)
            written.write_text(found, encoding="utf-8")
        expected = written.read_text(encoding="utf-8") if written.exists() else ""
        if found == expected:
            self.passed += 1
        else:
            rows = list(difflib.unified_diff(expected.splitlines(), found.splitlines(), "expected", "found", "", "", 1, ""))
            if like is None and self.name not in IN_FULL:
                there, now = set(expected.splitlines()), zip(found.splitlines(), facts.parts().values(), strict=True)
                rows += [f"now  {text}" for line, lines in now if line not in there for text in lines]
                rows.append("--against a build of an earlier version shows what it was")
            self.faults.append("\n".join(rows[: self.args.show] + [f"… {len(rows) - self.args.show} lines more"] * (len(rows) > self.args.show)))


def against(args, other):
    """Prints the facts in which the reports of another build differ."""
    args.few = args.update = True
    for name, place, options in cases():
        if args.names and not name.startswith(tuple(args.names)):
            continue
        before, now = (described(Case(argparse.Namespace(**{**vars(args), "tlparse": build}), name, place, options).run().base, Usual()).lines()
                       for build in (other, args.tlparse))
        for row in different(before, now):
            print(f"{name}: {row}")
    return 0


def plain_name(path):
    return path.name.removesuffix(".gz").removesuffix(".zst")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tlparse", type=Path, required=True)
    parser.add_argument("--update", action="store_true", help="write the results to expected/")
    parser.add_argument("--few", action="store_true", help="only one other way in addition to the base, for every case")
    parser.add_argument("--all", action="store_true", help="every way, for every case")
    parser.add_argument("--list", action="store_true", help="list the cases and exit")
    parser.add_argument("--threads", type=int, default=0, help="threads of the base run")
    parser.add_argument("--show", type=int, default=40, help="number of printed lines of a difference")
    parser.add_argument("--against", type=Path, help="another build, whose reports are compared instead of expected/")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    args.tlparse = args.tlparse.resolve()
    everything = list(cases())
    if args.against:
        return against(args, args.against.resolve())
    if args.list:
        print(*(name for name, _, _ in everything), sep="\n")
        return 0
    first = {}  # the earliest case of each log
    for name, place, _ in everything:
        first.setdefault(place, name)
    chosen = [c for c in everything if not args.names or c[0].startswith(tuple(args.names))]
    wanted = {first[place] for _, place, _ in chosen} | {name for name, _, _ in chosen}
    usual = Usual.read()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        ran = {case.name: case for case in pool.map(lambda c: Case(args, *c).run(), [c for c in everything if c[0] in wanted])}
    if args.update and not args.names:
        usual.learn(shortened(trimmed(json.loads(case.base.files["report.json"]))) for case in ran.values() if "report.json" in case.base.files)
        USUAL.write_text(usual.text(), encoding="utf-8")
    for case in ran.values():
        case.compare(usual, None if first[case.place] == case.name else ran[first[case.place]])
        for fault in case.faults:
            print(f"FAIL {case.name}: {fault}")
    known = {f"{name}.txt" for name, _, _ in everything}
    stale = sorted(p.name for p in (HERE / "expected").glob("*") if p.name not in known)
    for name in stale:
        print(f"FAIL expected/{name} belongs to no case")
    failed = sum(len(case.faults) for case in ran.values()) + len(stale)
    print(f"{sum(case.passed for case in ran.values())} passed, {failed} failed")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())

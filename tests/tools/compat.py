#!/usr/bin/env python3
"""Compare this tlparse with the reference tlparse, output file by output file.

    compat.py [--tlparse build/tlparse] --peer PEER [--all] [--list] [CASE...]
    compat.py [--tlparse build/tlparse] --peer PEER --flags="--export" --log LOG

The reference is `cargo install tlparse --version 0.4.8`. Cases are the logs and folders of ranks in tests/data/logs and, if
present, in ../shared/traces/gpu. A case is named by its path and flags. By default, a case has the flags that its log was made
for, and MATTER lists the logs that are also run with -p, -i and --export. --all runs every log with each of these flags.

What must be equal
  *.txt, raw.log      byte for byte
  *.json              as JSON values, ignoring key order and white space; byte for byte if it is not JSON
  raw.jsonl           line by line as JSON values
  code pages (*.html) every line of text that the reference shows is in our page, tags stripped
  provenance_tracking_*.html
                      the JSON in <script id="lineMappings" type="application/json"> as JSON values
  other *.html        the file exists
  exit status         zero, or not zero, for both
Files that only this tlparse writes are counted, not compared. Known defects of the reference are not imitated: see DEVIATIONS
below. A case that cannot be compared is in SKIPS with a reason. Any other such case fails, and so does a case in SKIPS that can
be compared. Exit status 0 if nothing differs, 1 otherwise; the last line is the total.
"""
import argparse
import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import samples

DEVIATIONS = """
  lost records    if the reference reports fail_json, it has dropped well-formed records, and numbers differ. So files are
                  matched by name without number and by content, raw.jsonl without payload_filename, and
                  compile_directory.json by the names in it
  several ranks   in one file: the reference reads the first rank and ignores the others; such a case is in SKIPS
  payloads        the payload of a record that the reference ignores (no rank after a rank) may be in payloads/, and in raw.jsonl
  memoizer        memoizer_artifacts, vllm_* graph dumps and kinds unknown to the reference may be listed by report.json only
  pathname        the reference keeps the space before the path in the log line
  timestamp       the reference uses the current year; the year is not compared
  string_table    the reference shares one table between ranks; entries of other ranks are not compared. If several processes of
                  a log define an entry, the reference keeps the last definition and this tlparse the first: not compared
  multi-rank JSON the reference lists graphs in directory order; compared as sets
  thread ids      in chromium_trace_with_runtime.json, compared by the name of their thread
  equal MD5s      two payloads that claim the same MD5 (edited by hand) share a file in the reference, and the last one wins; this
                  tlparse may keep both in <MD5>_<N>.txt
  UTF-8           the reference stops at invalid UTF-8; such a case is in SKIPS. With --export, it ends the payload there
  real numbers    the reference reads numbers of 17 digits one unit off; they may differ by 1e-15 of their value
"""


class Real(float):
    """A number in JSON that equals its neighbors."""

    def __eq__(self, other):
        return isinstance(other, (int, float)) and abs(float(self) - float(other)) <= 2e-15 * abs(float(self))

    def __ne__(self, other):
        return not self == other

    __hash__ = None


def real(value):
    """The value with every float replaced by a Real."""
    if isinstance(value, float):
        return Real(value)
    if isinstance(value, list):
        return [real(item) for item in value]
    if isinstance(value, dict):
        return {key: real(item) for key, item in value.items()}
    return value

def rounded(value):
    """The same for texts that are compared: neighbors become one number, except for a few."""
    if isinstance(value, float):
        return float(f"{value:.12g}")
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return value


CODE_PAGES = re.compile(r"(inductor_output_code|dynamo_guards|dump_file/|_readable)")
TAG = re.compile(r"<[^>]*>")


def page_lines(path):
    """The lines of text on a page, without white space."""
    text = path.read_text(encoding="utf-8", errors="replace")
    text = re.sub(r"(?is)<(script|style|title)\b.*?</\1>", "", text)
    text = re.sub(r"(?i)(</(?:div|li|p|tr|h\d|td)>|<br\s*/?>|(?=<span id=\"L))", r"\1\n", text)
    lines = ["".join(line.split()) for line in html.unescape(TAG.sub("", text)).splitlines()]
    return [line for line in lines if line]


def line_mappings(path):
    """The six line maps of a provenance page, each list of lines sorted."""
    text = path.read_text(encoding="utf-8", errors="replace")
    found = re.search(r'(?s)<script[^>]*id="lineMappings"[^>]*>(.*?)</script>', text)
    maps = json.loads(found.group(1)) if found else {}
    return {name: {line: sorted(set(to)) for line, to in lines.items()} for name, lines in maps.items() if lines}


def load(path):
    return real(json.loads(path.read_text(encoding="utf-8")))


def is_json(path):
    try:
        load(path)
        return True
    except ValueError:
        return False


def canonical(value):
    return json.dumps(value, sort_keys=True)


def normal_json(path, rel):
    value = load(path)
    name = Path(rel).name
    if name in ("runtime_estimations.json", "collective_schedules.json"):
        return sorted(canonical(v) for v in value)
    if name == "collectives_parity.json":
        value["graphs"] = sorted(value.get("graphs", []), key=canonical)
        return value
    if name == "chromium_trace_with_runtime.json":
        names = {(e["pid"], e["tid"]): e["args"]["name"] for e in value if e.get("name") == "thread_name"}
        for event in value:
            if "tid" in event:
                event["tid"] = names.get((event["pid"], event["tid"]), "?")
            if event.get("name") == "thread_sort_index":
                event["args"] = {}
        return sorted(canonical(e) for e in value)
    return value


def normal_jsonl(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    table, records = json.loads(lines[0]), []
    for line in lines[1:]:
        record = real(json.loads(line))
        if isinstance(record.get("pathname"), str):
            record["pathname"] = record["pathname"].strip()
        if isinstance(record.get("timestamp"), str):
            record["timestamp"] = record["timestamp"][4:]
        records.append(record)
    return table.get("string_table"), records


def is_utf8(data):
    try:
        data.decode("utf-8")
        return True
    except UnicodeDecodeError:
        return False


def redefined(log):
    """The ids of interned strings that the log defines more than once with different texts."""
    texts = {}
    for line in samples.read(log).splitlines():
        found = re.search(rb'\{"str": \[("(?:[^"\\]|\\.)*"), (\d+)\]', line)
        if found:
            texts.setdefault(int(found[2]), set()).add(found[1])
    return {number for number, of in texts.items() if len(of) > 1}


def differs(rel, ours, peer, multi, twice=()):
    """None if the two files agree, otherwise a line that describes the difference. `twice`: the result of redefined() for the log."""
    if rel.endswith("raw.jsonl"):
        our_table, our_records = normal_jsonl(ours)
        peer_table, peer_records = normal_jsonl(peer)
        if not multi and ({i: s for i, s in enumerate(our_table) if i not in twice} != {i: s for i, s in enumerate(peer_table) if i not in twice}):
            return "string_table differs"
        if multi:
            for i, s in enumerate(our_table):
                if s is not None and (i >= len(peer_table) or peer_table[i] is None):
                    return f"string_table[{i}] differs"
        if len(our_records) != len(peer_records):
            return f"{len(our_records)} records, reference has {len(peer_records)}"
        for i, (a, b) in enumerate(zip(our_records, peer_records, strict=True)):
            if "payload_filename" in a and "payload_filename" not in b:
                del a["payload_filename"]
            if "payload_filename" in a:
                a["payload_filename"] = TWIN.sub(r"\1", a["payload_filename"])
            if a != b:
                keys = sorted(k for k in set(a) | set(b) if a.get(k) != b.get(k))
                return f"record {i + 1}: {', '.join(keys)}: {str([a.get(k) for k in keys])[:90]} / {str([b.get(k) for k in keys])[:90]}"
        return None
    if rel.endswith(".json") and not is_json(peer):
        rel = "text"
    if rel.endswith(".json"):
        a, b = normal_json(ours, rel), normal_json(peer, rel)
        if a == b:
            return None
        if isinstance(a, dict) and isinstance(b, dict):
            keys = [k for k in list(b) + list(a) if a.get(k) != b.get(k)]
            return f"key {keys[0]!r}: {str(a.get(keys[0]))[:100]} / {str(b.get(keys[0]))[:100]}"
        if isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return f"{len(a)} items, reference has {len(b)}"
            i = next(i for i in range(len(a)) if a[i] != b[i])
            return f"item {i}: {str(a[i])[:100]} / {str(b[i])[:100]}"
        return "JSON differs"
    if "provenance_tracking_" in rel and rel.endswith(".html"):
        a, b = line_mappings(ours), line_mappings(peer)
        keys = [k for k in set(a) | set(b) if a.get(k) != b.get(k)]
        return f"line mapping {', '.join(sorted(keys))} differs" if keys else None
    if rel.endswith(".html"):
        if not CODE_PAGES.search(rel):
            return None
        shown = "".join(page_lines(ours))
        missing = [line for line in page_lines(peer) if line not in shown]
        return f"{len(missing)} lines of text missing, first: {missing[0][:100]!r}" if missing else None
    a, b = ours.read_bytes(), peer.read_bytes()
    if a == b or (a.startswith(b) and not is_utf8(a)):
        return None
    i = next((i for i in range(min(len(a), len(b))) if a[i] != b[i]), min(len(a), len(b)))
    return f"bytes differ at {i} ({len(a)} / {len(b)} bytes)"


TWIN = re.compile(r"(payloads/[0-9a-f]{32})_\d+")
NUMBER = re.compile(r"_\d+(?=\.\w+$)")
ENTRY = re.compile(r"_\d+(_readable)?(?=\.\w+$)")


def lenient(ours, peer, expected, got):
    """Errors if the reference has dropped records: its files must be in ours under some number."""
    have = {}
    for rel in got:
        have.setdefault(ENTRY.sub("", rel), []).append(rel)
    for rel in sorted(expected):
        twins = have.get(ENTRY.sub("", rel), [])
        if not twins:
            yield f"{rel}: missing, under every number"
        elif rel.endswith("compile_directory.json"):
            a, b = load(ours / rel), load(peer / rel)
            for key, entry in b.items():
                names = [ENTRY.sub("", art["name"]) for art in a.get(key, {}).get("artifacts", [])]
                lost = [art["name"] for art in entry["artifacts"] if ENTRY.sub("", art["name"]) not in names]
                if lost:
                    yield f"{rel}: {key} lacks {lost[0]}"
        elif rel.endswith("raw.jsonl"):
            def strip(records):
                return [canonical(rounded({k: v for k, v in r.items() if k != "payload_filename"})) for r in records]

            lost = set(strip(normal_jsonl(peer / rel)[1])) - set(strip(normal_jsonl(ours / rel)[1]))
            if lost:
                yield f"{rel}: {len(lost)} records missing"
        elif rel.endswith((".txt", ".json", ".log")):
            whys = [differs(twin, ours / twin, peer / rel, False) for twin in twins]
            if all(whys):
                yield f"{rel}: {whys[0]}"


SEVERAL = "several ranks in one file"
NO_UTF8 = "invalid UTF-8, at which the reference stops"
SKIPS = {"interleaved": SEVERAL, "interleaved --export": None, "truncated/mid_utf8.log": NO_UTF8, "truncated/mid_utf8.log --export": None}  # --export stops before them, or drops the rest of the payload
OWN = {"export_ok": "--export", "export_errors": "--export", "draft_export": "--export", "provenance": "-i"}  # by parts of names
MATTER = {
    "-p": ["simple", "gpt2", "higher_order", "vllm_like", "export_ok", "provenance_jit", "ranks2_sizes"],
    "-i": ["simple", "gpt2", "training", "vllm_like", "export_ok", "ranks2_sizes"],
    "--export": ["simple", "dtrace", "dynamic_shapes", "killed"],
}


def run(binary, target, flags, out, limit):
    command = [binary, str(target), "-o", str(out), "--overwrite", "--no-browser", *flags]
    try:
        done = subprocess.run(command, capture_output=True, timeout=limit, stdin=subprocess.DEVNULL)
        return done.returncode, done.stderr.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        return "timeout", ""


def files(root):
    return {str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()} if root.exists() else set()


def incomparable(peer_err):
    """Why the result of the reference cannot be compared, or None."""
    if max([int(n) for n in re.findall(r"other_rank: (\d+)", peer_err)] or [0]) > 1:
        return SEVERAL
    return NO_UTF8 if "did not contain valid UTF-8" in peer_err else None


def file_faults(ours, peer, flags, twice):
    """The differences between two output folders."""
    expected, got = files(peer), files(ours)
    if not expected:
        yield "the reference wrote no file"
    for rel in sorted(expected):
        if rel not in got:
            yield f"{rel}: missing"
            continue
        try:
            why = differs(rel, ours / rel, peer / rel, "--all-ranks-html" in flags, twice)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            why = f"not comparable: {error}"
        twins = [ours / other for other in got if TWIN.sub(r"\1", other) == rel]
        if why and not any(twin.read_bytes() == (peer / rel).read_bytes() for twin in twins):
            yield f"{rel}: {why}"


def compare(args, log, flags, skip):
    """The errors of a case."""
    with tempfile.TemporaryDirectory(prefix="compat-") as work:
        peer = Path(work) / "peer"
        peer_status, peer_err = run(args.peer, samples.plain(log), flags, peer, args.limit)
        ours = samples.report(args.tlparse, log, *flags)
        found = incomparable(peer_err)
        if found != skip:
            yield f"{found or 'can be compared'}, SKIPS has {skip}"
        if found or skip:
            return
        if (ours.status == 0) != (peer_status == 0):
            yield f"exit status {ours.status}, reference {peer_status}: {ours.stderr.strip().splitlines()[-1:]}"
        elif peer_status == 0 and sum(int(n) for n in re.findall(r"fail_json: (\d+)", peer_err)):
            yield from lenient(ours.out, peer, files(peer), files(ours.out))
        elif peer_status == 0:
            yield from file_faults(ours.out, peer, flags, set() if log.is_dir() else redefined(log))
        if args.keep:
            shutil.copytree(peer, Path(args.keep) / "peer", dirs_exist_ok=True)
            shutil.copytree(ours.out, Path(args.keep) / "ours", dirs_exist_ok=True)


def cases(everything):
    """(log or folder, flags) of every case. The corpus adds no options but with --all."""
    logs = samples.logs() + samples.foreign() + samples.corpus()
    rank_folders = sorted({p.parent for p in logs if p.name.startswith("dedicated_log_torch_trace_rank_") and len(list(p.parent.glob("*rank_*.log*"))) > 1})
    for log in [*rank_folders, *logs]:
        title, base = samples.title(log), ["--all-ranks-html"] if log.is_dir() else []
        chosen = [base]
        for word, flag in OWN.items():
            if word in title and not (log.is_dir() and flag == "--export"):
                chosen.append([flag, *base])
        for flag, titles in MATTER.items():
            if everything or title in titles:
                chosen.append([flag, *base])
        seen = []
        for flags in chosen:
            if flags not in seen and not (log.is_dir() and "--export" in flags):
                seen.append(flags)
                yield log, flags


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", help="the reference")
    parser.add_argument("--all", action="store_true", help="run every log with every flag")
    parser.add_argument("--log", type=Path, help="compare this log only")
    parser.add_argument("--flags", default="", help="with --log: options passed to both, one string")
    parser.add_argument("--keep", help="with --log: keep both outputs in this folder")
    parser.add_argument("--limit", type=float, default=120, help="seconds for one run")
    parser.add_argument("--show", type=int, default=8, help="differences printed per case")
    args = samples.arguments(parser)
    if not args.peer and not args.list:
        parser.error("--peer is needed")
    checks = samples.Checks("compat", args.names)
    if args.log:
        checks.add(str(args.log), compare, args, args.log.resolve(), args.flags.split(), None)
    for log, flags in [] if args.log else cases(args.all):
        title = samples.title(log)
        name = " ".join([title, *(flag for flag in flags if flag != "--all-ranks-html")])
        checks.add(name, compare, args, log, flags, SKIPS.get(name, SKIPS.get(title)))
    return checks.list() if args.list else checks.run(args.show)


if __name__ == "__main__":
    sys.exit(main())

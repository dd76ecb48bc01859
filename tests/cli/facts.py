"""Cases of `tlparse facts` and `tlparse merge`: the report from facts is the one from the logs, and what is wrong is said."""
import gzip
import itertools
import json
import os
import random
import re
import resource
import shutil
import subprocess
import socket
import sys
import time
from pathlib import Path

from common import TOP, call, case, contents, environment, fails, hidden, last_line, process, report, said, small_disk

sys.path.insert(0, str(TOP / "tests/tools"))
import samples
import validate
import xxhash
import zstandard
from fact_lines import read as lines_of, rehashed, write as write_lines

LOGS = samples.LOGS
REPORT = validate.documented("report.schema.json")
RANK = re.compile(r"_rank_(\d+)[_.]")
HOST = socket.gethostname()


def jobs():
    """The recorded jobs: folders with logs of at least two ranks, also of those that may not be redistributed."""
    folders = sorted({p.parent for base in (LOGS, samples.ELSEWHERE) for p in base.rglob("*_rank_*.log*")})
    return [f for f in folders if len({RANK.search(p.name)[1] for p in f.glob("*_rank_*.log*")}) > 1]


def facts(*logs, out="job.facts", **how):
    done = call("facts", *logs, "-o", out, "--overwrite", **how)
    assert done.returncode == 0, said(done)
    assert done.stdout == b"" and not hidden(), (done.stdout, hidden())
    return done


def merges(*files, out="merged", full="none", **how):
    done = call("merge", *files, "-o", out, "--overwrite", "--full", full, **how)
    assert done.returncode == 0, said(done)
    assert done.stdout == b"" and not hidden(), (done.stdout, hidden())
    if not str(out).endswith(".facts"):
        validate.check(REPORT, report(out))
    return done


def without_elsewhere(out="merged"):
    value = report(out)
    for rank in value["ranks"]:
        if rank["status"] != "bad":
            assert rank.pop("elsewhere")["paths"], rank
    return value


@case
def merge_makes_the_report_of_the_logs_of_each_recorded_job():
    found = jobs()
    assert len(found) > 20, found
    for job in found:
        done = call("--all-ranks-html", job, "-o", "direct", "--overwrite", "--no-browser")
        assert done.returncode == 0, said(done)
        facts(job)
        merges("job.facts")
        assert without_elsewhere() == report("direct"), job
        files = {path: content for path, content in contents("direct").items() if path.endswith(".json") and "/" not in path}
        for path in files.keys() - {"report.json", "chromium_events.json"}:
            assert Path("merged", path).read_bytes() == files[path], (job, path)
        merges("job.facts", out="again.facts")
        merges("again.facts", out="again")
        assert Path("again/report.json").read_bytes() == Path("merged/report.json").read_bytes(), job


@case
def merge_reads_facts_of_earlier_versions():
    """They are gzip, of one member or of several."""
    facts(LOGS / "cache_ranks")
    merges("job.facts")
    lines = [f"{line}\n".encode() for line in lines_of("job.facts")]
    for pieces in ([lines], [lines[:4], lines[4:]]):
        Path("old.facts").write_bytes(b"".join(gzip.compress(b"".join(piece)) for piece in pieces))
        merges("old.facts", out="old")
        assert Path("old/report.json").read_bytes() == Path("merged/report.json").read_bytes()


@case
def merge_reads_the_facts_of_each_recorded_log():
    """Also those of one process, of several in a file, and of damaged logs."""
    for folder in sorted({p.parent for p in LOGS.rglob("*.log*")}):
        if call("facts", folder, "-o", "job.facts", "--overwrite").returncode == 0:
            done = call("merge", "job.facts", "-o", "merged", "--overwrite", "--full", "none")
            assert "these facts" not in said(done), (folder.name, said(done))


@case
def merge_does_not_depend_on_files_or_their_order():
    for name in ("ranks4_desync", "cache_ranks", "rank_causes/branch", "rank_causes/dynamic_flag"):
        logs = sorted(p for p in (LOGS / name).iterdir() if ".log" in p.name)
        facts(LOGS / name)
        merges("job.facts")
        whole = Path("merged/report.json").read_bytes()
        names = []
        for n, log in enumerate(logs):
            facts(log, out=f"{n}.facts")
            names.append(f"{n}.facts")
        dice = random.Random(name)
        for _ in range(4):
            dice.shuffle(names)
            merges(*names)
            assert Path("merged/report.json").read_bytes() == whole, (name, names)
        merges(names[0], out="rack1.facts")
        merges(*names[1:], out="rack2.facts")
        merges("rack2.facts", "rack1.facts")
        assert Path("merged/report.json").read_bytes() == whole, name
        Path("all.facts").write_bytes(b"".join(Path(n).read_bytes() for n in names))  # as cat joins them
        merges("all.facts")
        assert Path("merged/report.json").read_bytes() == whole, name
        Path("all.facts").write_bytes(Path(names[0]).read_bytes() + zstandard.compress(b"more\n"))
        assert "after the end of the facts: this is not a facts file" in said(merges("all.facts")), name


@case
def merge_writes_full_reports_from_the_logs():
    job = LOGS / "ranks4_desync"
    assert call(job, "-o", "direct", "--no-browser").returncode == 0
    shutil.copytree(job, "node1")
    facts("node1")
    merges("job.facts", full="0,2")
    ranks = {r["rank"]: r for r in report("merged")["ranks"]}
    assert [n for n in sorted(ranks) if "elsewhere" not in ranks[n]] == [0, 2]
    assert {p.name for p in Path("merged").glob("rank_*")} == {"rank_0", "rank_2"}
    for rank in ("rank_0", "rank_2"):
        assert contents(Path("merged") / rank) == contents(Path("direct") / rank)
    done = call("merge", "job.facts", "-o", "chosen")
    assert done.returncode == 0, said(done)
    assert sorted(p.name for p in Path("chosen").glob("rank_*")) == ["rank_0", "rank_1", "rank_2", "rank_3"]  # all differ
    assert Path("chosen/chromium_events.json").read_bytes() == Path("direct/chromium_events.json").read_bytes()
    # A copy is the log, whenever it was modified; another file of that name is not.
    shutil.move("node1", "elsewhere")
    shutil.copytree(job, "node1", copy_function=shutil.copyfile)
    merges("job.facts", full="0")
    assert contents("merged/rank_0") == contents("direct/rank_0")
    (name,) = (p.name for p in Path("node1").glob("*_rank_0_*"))
    (another,) = (LOGS / "ranks4").glob("*_rank_0_*")
    shutil.copyfile(another, f"node1/{name}")
    done = merges("job.facts", full="0")
    assert "1 log is not here" in said(done) and "--logs DIR" in said(done) and not list(Path("merged").glob("rank_*"))
    where = report("merged")["ranks"][0]["elsewhere"]
    assert where == {"host": HOST, "paths": [str(next(Path("node1").absolute().glob("*_rank_0_*")))], "wanted": True}, where
    merges("job.facts", "--logs", "elsewhere", full="0")
    assert contents("merged/rank_0") == contents("direct/rank_0")
    # A folder that cannot be searched is named.
    done = merges("job.facts", "--logs", "elsewere", full="0")
    assert "cannot look for logs in elsewere: No such file or directory" in said(done) and "1 log is not here" in said(done), said(done)
    # Of several files with the name, that in a folder of the host.
    shutil.copytree("elsewhere", "all/other")
    shutil.copytree("elsewhere", f"all/{HOST}")
    merges("job.facts", "--logs", "all", full="0")
    assert contents("merged/rank_0") == contents("direct/rank_0")
    # Or that which begins as the facts say.
    shutil.move(f"all/{HOST}", "all/third")
    shutil.rmtree("node1")
    shutil.copyfile(another, f"all/other/{name}")
    done = merges("job.facts", "--logs", "all", full="0")
    assert contents("merged/rank_0") == contents("direct/rank_0")
    shutil.rmtree("all/third")
    done = merges("job.facts", "--logs", "all", full="0")
    assert "1 log is not here" in said(done) and f"all/other/{name} has the name of a log, but is a different log" in said(done), said(done)
    # Ranks without facts are named.
    done = merges("job.facts", full="7,8,0")
    assert "no log of rank 7 and of 1 other rank has facts: --full names them" in said(done), said(done)
    fails(1, "--strict: --full names a rank without facts", "merge", "job.facts", "-o", "strict", "--full", "7", "--strict")
    fails(2, "invalid value '' for --full", "merge", "job.facts", "-o", "strict", "--overwrite", "--full", "")


@case
def a_rank_that_ended_is_not_the_fastest():
    """Its log has less time than those of others because it has less."""
    os.mkdir("logs")
    for log in (LOGS / "ranks4").glob("*.log*"):
        Path("logs", samples.plain_name(log).name).write_bytes(samples.read(log))
    (dead,) = Path("logs").glob("*_rank_0_*")
    dead.write_bytes(dead.read_bytes()[: dead.stat().st_size // 2])
    facts("logs")
    merges("job.facts", full="representatives")
    times = {rank["rank"]: rank["time_us"] for rank in report("merged")["ranks"][1:]}
    fastest = min(times, key=times.get)
    assert Path(f"merged/rank_{fastest}").exists(), (times, sorted(p.name for p in Path("merged").glob("rank_*")))


@case
def facts_go_to_a_file_a_folder_or_standard_output():
    job = LOGS / "ranks4"
    done = facts(job)
    assert "tlparse: 4 logs\n" in said(done) and last_line(done).startswith("report: job.facts ("), said(done)
    Path("folder").mkdir()
    assert call("facts", job, "-o", "folder").returncode == 0
    assert [p.name for p in Path("folder").iterdir()] == [f"{HOST}.facts"]
    assert call("facts", job).returncode == 0 and Path(f"{HOST}.facts").exists()
    fails(2, "already exists; pass --overwrite", "facts", job)
    done = call("facts", job, "-o", "-")
    assert done.returncode == 0
    Path("stdout.facts").write_bytes(done.stdout)
    assert lines_of("stdout.facts")[1:] == lines_of("job.facts")[1:]
    fails(2, "cannot write", "facts", job, "-o", "none/job.facts")
    fails(2, "cannot write", "facts", job, "-o", "/dev/full", "--overwrite")
    assert not Path("none").exists() and not hidden()
    for threads in (0, 4):
        Path(f"{threads}.facts").write_bytes(call("facts", job, "-o", "-", "--threads", threads).stdout)
    assert lines_of("0.facts")[1:] == lines_of("4.facts")[1:] == lines_of("job.facts")[1:]


@case
def facts_note_logs_that_cannot_be_read():
    shutil.copytree(LOGS / "rank_causes/branch", "logs", copy_function=shutil.copyfile)  # as new as the log that is added: one job
    bad = Path("logs/dedicated_log_torch_trace_rank_7_bad.log.gz")
    bad.write_bytes(gzip.compress(b"x" * 1000)[:-20])
    done = facts("logs")
    assert "skipped this log" in said(done) and "could not be read completely" in said(done), said(done)
    merges("job.facts")
    assert call("logs", "-o", "direct", "--no-browser").returncode == 0
    assert without_elsewhere() == report("direct")
    assert [r["status"] for r in report("merged")["ranks"]][-1] == "bad"
    fails(1, "--strict: missing_inputs: 1", "facts", "logs", "-o", "job.facts", "--overwrite", "--strict")
    fails(1, "--strict: missing_inputs: 1", "merge", "job.facts", "-o", "merged", "--overwrite", "--full", "none", "--strict")
    assert Path("merged/index.html").exists()


@case
def merge_names_what_it_cannot_read():
    facts(LOGS / "rank_causes/branch")
    merges("job.facts")
    done = merges("node9.facts", "job.facts")
    assert "node9.facts: skipped these facts: " in said(done) and "No such file" in said(done), said(done)
    log = report("merged")["log"]
    assert log["missing_inputs"] == 1 and log["unread_folders"][0].startswith("node9.facts: "), log
    fails(1, "--strict: missing_inputs: 1", "merge", "node9.facts", "job.facts", "-o", "merged", "--overwrite", "--strict", "--full", "none")
    Path("a.log").write_text(process(1, "f"))
    for foreign in ("a.log", LOGS / "simple", "merged/report.json", "merged"):
        assert "skipped these facts: " in said(merges(foreign, "job.facts", out="other")), foreign
    fails(2, "no log has facts in a.log", "merge", "a.log", "-o", "none")
    fails(2, "no facts file given", "merge")
    fails(2, "invalid value 'x' for --full", "merge", "job.facts", "--full", "x", "-o", "none")
    fails(2, "already exists", "merge", "job.facts", "-o", "merged")
    assert not Path("none").exists()
    lines = lines_of("job.facts")
    write_lines("new.facts", [json.dumps({**json.loads(lines[0]), "tlparse_facts": 2, "made_by": "tlparse 9.9"}), *lines[1:]])
    assert "version 2 of facts, made by tlparse 9.9; this tlparse reads version 1" in said(merges("new.facts", "job.facts"))


@case
def merge_counts_what_was_read_of_a_truncated_file():
    facts(LOGS / "ranks4_desync")
    facts(next((LOGS / "rank_causes/branch").glob("*_rank_0_*")), out="other.facts")
    packed, lines = Path("job.facts").read_bytes(), lines_of("job.facts")
    for size in [*range(0, len(packed), max(1, len(packed) // 12)), len(packed) - 40]:
        Path("cut.facts").write_bytes(packed[:size])
        done = merges("cut.facts", "other.facts")
        assert "cut.facts: " in said(done) and report("merged")["log"]["missing_inputs"] == 1, (size, said(done))
    for count in range(0, len(lines), max(1, len(lines) // 12)):
        write_lines("cut.facts", lines[:count])
        done = merges("cut.facts", "other.facts")
        logs = sum(line.startswith('{"log"') for line in lines[:count])
        assert len(report("merged")["ranks"]) == logs + 1, count
        assert ("read a part of these facts: line " if logs else "skipped these facts: ") in said(done), (count, said(done))


@case
def merge_uses_the_last_facts_of_a_log():
    shutil.copytree(LOGS / "rank_causes/branch", "logs")
    facts("logs", out="old.facts")
    lines = lines_of("old.facts")
    log = next(i for i, line in enumerate(lines) if line.startswith('{"log"'))
    newer = {**json.loads(lines[log]), "times_us": [n * 2 for n in json.loads(lines[log])["times_us"]]}
    head = json.loads(lines[0])
    write_lines("new.facts", [json.dumps({**head, "made_us": head["made_us"] + 1}), *lines[1:log], json.dumps(newer), *lines[log + 1:]])
    merges("new.facts")
    whole = Path("merged/report.json").read_bytes()
    for files in itertools.permutations(["old.facts", "new.facts", "old.facts"]):
        done = merges(*files)
        assert "6 logs have facts in several files: those taken last count" in said(done), said(done)
        assert Path("merged/report.json").read_bytes() == whole
    # The same path on another host with another beginning is another log: an earlier start of the rank.
    earlier = lines[1:]
    for n, line in enumerate(earlier):
        if line.startswith('{"log"'):
            value = json.loads(line)
            value["log"]["first_us"] -= 60_000_000
            earlier[n] = json.dumps(value)
    write_lines("host.facts", [json.dumps({**head, "host": "another"}), *earlier])
    merges("old.facts", "host.facts")
    assert len(report("merged")["ranks"]) == 6 and sum(r["older"] for r in report("merged")["ranks"]) == 3


@case
def merge_names_ranks_that_no_file_has():
    job = LOGS / "ranks4"
    for log in job.glob("*_rank_[013]_*"):
        shutil.copy2(log, ".")
    facts(*sorted(Path().glob("*.log*")))
    merges("job.facts")
    assert report("merged")["missing_ranks"] == [2] and report("merged")["world"]["size"] == 4


def members(value, at=()):
    """The place of each member of JSON, and of the first two items of each array."""
    for key, below in value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ():
        yield (*at, key)
        yield from members(below, (*at, key))


def changed(value, place, wrong):
    value = json.loads(json.dumps(value))
    *above, last = place
    holder = value
    for key in above:
        holder = holder[key]
    if wrong is REMOVED:
        holder.pop(last)
    else:
        holder[last] = wrong
    return value


def with_hash(value):
    """A line of a definition, with the hash of its content."""
    rest = json.dumps(value, separators=(",", ":"), ensure_ascii=False)[HASHED_FROM:]
    return f'["{xxhash.xxh3_64_hexdigest(rest.encode())}",{rest}'


REMOVED, HASHED_FROM = object(), len('["0123456789abcdef",')
WRONG = (REMOVED, None, True, -1, 0.5, 1e300, 2**53, 2**64, 10**30, "", "x\0</script><b>", [], [[]], [-1], [10**9], {}, [{}], {"a": []})


def hostile(lines):
    """The lines with each kind of member once as each of the wrong values; a definition has the hash of what it says."""
    seen = set()
    for i, line in enumerate(lines[1:-1], 1):
        value = json.loads(line)
        definition = isinstance(value, list)
        for place in members(value[2], (2,)) if definition else members(value):
            kind = (value[1] if definition else "log", *(key if isinstance(key, str) else 0 for key in place))
            if kind in seen:
                continue
            seen.add(kind)
            for wrong in WRONG:
                new = changed(value, place, wrong)
                yield kind, wrong, [*lines[:i], with_hash(new) if definition else json.dumps(new), *lines[i + 1:]]
        if not definition:
            yield "deep", 0, [*lines[:i], "[" * 100000, *lines[i + 1:]]
            yield "deep", 1, [*lines[:i], line[:-1] + ',"x":' + "[" * 1000 + "]" * 1000 + "}", *lines[i + 1:]]


@case
def logs_without_a_rank_in_their_names_have_that_of_their_records():
    """PyTorch names a log when it creates it, perhaps before the process knows its rank."""
    os.mkdir("logs")
    for n, log in enumerate(sorted((LOGS / "ranks4").glob("*.log*"))):
        Path(f"logs/dedicated_log_torch_trace_abc{n}.log").write_bytes(samples.read(log))
        facts(f"logs/dedicated_log_torch_trace_abc{n}.log", out=f"{n}.facts")
    done = facts("logs")
    assert "4 logs" in said(done) and "another rank" not in said(done), said(done)
    merges("0.facts", "2.facts", out="some.facts")
    for files in (["job.facts"], [f"{n}.facts" for n in range(4)], ["1.facts", "some.facts", "3.facts"]):
        merges(*files)
        found = report("merged")
        assert [rank["rank"] for rank in found["ranks"]] == [0, 1, 2, 3] and found["totals"]["compiles"] == 8, found["ranks"]
        assert found["world"]["size"] == 4 and not found["missing_ranks"] and not found["divergence"]["root_causes"], found["world"]


@case
def logs_of_standard_input_are_different_logs():
    ranks = sorted((LOGS / "ranks4").glob("*.log*"))
    for n, log in enumerate(ranks):
        facts("-", out=f"{n}.facts", stdin=samples.read(log))
    done = merges(*(f"{n}.facts" for n in range(len(ranks))))
    assert f"{len(ranks)} logs from" in said(done) and "several files" not in said(done), said(done)
    assert report("merged")["totals"]["compiles"] == 8
    done = merges("0.facts", "0.facts", "1.facts")
    assert "2 logs from 3 facts files" in said(done) and "1 log has facts in several files: those taken last count (-)" in said(done), said(done)


@case
def a_log_that_several_hosts_see_counts_once():
    facts(LOGS / "ranks4", out="a.facts")
    lines = lines_of("a.facts")
    head = json.loads(lines[0])
    write_lines("b.facts", [json.dumps({**head, "host": "another"}), *lines[1:]])
    merges("a.facts", out="alone")
    for order in (("a.facts", "b.facts"), ("b.facts", "a.facts")):
        done = merges(*order)
        assert "4 logs from 2 facts files" in said(done), said(done)
        assert re.search(r"4 logs have facts in several files: those taken last count \(for example .*_rank_\d", said(done)), said(done)
        assert report("merged")["totals"] == report("alone")["totals"]


@case
def a_folder_of_facts_files_is_not_one():
    os.mkdir("node")
    fails(2, "node: skipped these facts: it is a folder; name the files in it, such as node/*.facts", "merge", "node", "-o", "merged")


@case
def merged_files_of_runs_do_not_depend_on_their_order():
    (log,) = (LOGS / "cache/cold").glob("*.log*")
    for n in range(4):
        Path(f"run{n}.log").write_bytes(samples.read(log))
        facts(f"run{n}.log", out=f"{n}.facts")
    merges("0.facts", "1.facts", out="a.facts")
    merges("2.facts", "3.facts", out="b.facts")
    merges(*(f"{n}.facts" for n in range(4)), out="flat")
    assert report("flat")["cache_misses"]["list"]
    for files in (("b.facts", "a.facts"), ("3.facts", "a.facts", "2.facts")):
        merges(*files)
        assert Path("merged/report.json").read_bytes() == Path("flat/report.json").read_bytes(), files


def ranks_of_summary(*files):
    """What the summary says of the ranks, without its line breaks, and the last line."""
    merges(*files)
    done = call("summary", "merged")
    text = done.stdout.decode()
    return " ".join(re.search(r"Ranks +(.*?)\nCompiles", text, re.S)[1].split()), text.rstrip().split("\n\n")[-1]


@case
def summary_says_which_ranks_the_logs_are_of():
    os.mkdir("logs")
    for log in (LOGS / "ranks4").glob("*.log*"):
        Path("logs", samples.plain_name(log).name).write_bytes(samples.read(log))
    facts("logs")
    assert ranks_of_summary("job.facts") == ("4 of 4", "No issues found")
    facts(LOGS / "ranks2_sizes", out="other.facts")
    Path("cut.facts").write_bytes(Path("other.facts").read_bytes()[:3000])
    ranks, last = ranks_of_summary("job.facts", "cut.facts")
    assert ranks == "4 of 4, 1 input is missing or incomplete" and last.startswith("No issues found in what was read: "), (ranks, last)
    (second,) = Path("logs").glob("*_rank_2_*")
    text = second.read_bytes()
    shutil.copy(second, "logs/dedicated_log_torch_trace_rank_2_aaaaaaaa.log")
    facts("logs")
    assert ranks_of_summary("job.facts")[0] == "4 of 4, 1 earlier log of a rank", ranks_of_summary("job.facts")
    os.remove("logs/dedicated_log_torch_trace_rank_2_aaaaaaaa.log")
    second.write_bytes(b"")
    facts("logs")
    assert ranks_of_summary("job.facts")[0] == "4 of 4, nothing compiled: rank 2", ranks_of_summary("job.facts")
    second.write_bytes(text)
    facts(*(p for p in Path("logs").iterdir() if "_rank_0_" in p.name or "_rank_1_" in p.name))
    facts(*(p for p in (LOGS / "ranks4_desync").iterdir() if "_rank_2_" in p.name or "_rank_3_" in p.name), out="desync.facts")
    assert ", of another job and not compared: ranks " in ranks_of_summary("job.facts", "desync.facts")[0]


@case
def the_log_of_a_rank_that_began_last_counts():
    """Copies may have any time of modification: the first record says which log is that of the last start."""
    os.mkdir("logs")
    for log in (LOGS / "ranks4").glob("*.log*"):
        Path("logs", samples.plain_name(log).name).write_bytes(samples.read(log))
    (last,) = Path("logs").glob("*_rank_1_*")
    earlier = Path("logs/dedicated_log_torch_trace_rank_1_aaaaaaaa.log")
    text = last.read_bytes()
    earlier.write_bytes(re.sub(rb"(?m)^([VIWEC]\d{4} \d\d):(\d\d)", lambda m: b"%s:%02d" % (m[1], int(m[2]) - 5), text[: len(text) // 2]))
    facts("logs")
    for newer, older in ((last, earlier), (earlier, last)):
        now = time.time()
        os.utime(older, (now - 60, now - 60))
        os.utime(newer, (now, now))
        facts("logs")
        merges("job.facts")
        done = call("--all-ranks-html", "logs", "-o", "direct", "--overwrite", "--no-browser")
        assert done.returncode == 0, said(done)
        for out in ("merged", "direct"):
            found = {rank["files"][0]: rank["older"] for rank in report(out)["ranks"] if rank["rank"] == 1}
            assert found == {last.name: False, earlier.name: True}, (out, found)


@case
def the_end_of_what_was_read_of_a_log_is_no_hang():
    os.mkdir("logs")
    for log in (LOGS / "ranks4").glob("*.log*"):
        shutil.copy(log, "logs")
    (cut,) = Path("logs").glob("*_rank_2_*")
    data = cut.read_bytes()
    for part in (3, 5, 7, 9):
        cut.write_bytes(data[: len(data) * part // 10])
        done = call("facts", "logs", "-o", "job.facts", "--overwrite")
        assert done.returncode == 0 and "read a part of this log" in said(done), said(done)
        merges("job.facts")
        for cause in report("merged")["divergence"]["root_causes"]:
            assert cause["title"].startswith("what was read of the log of rank 2 ends inside ") and not cause["may_hang"], cause


@case
def facts_take_at_most_a_kilobyte_for_each_compile():
    """On the recorded logs together, as a node reduces them. A configuration is stored once, so a single short log takes more."""
    facts(*samples.logs())
    compiles = sum(json.loads(line)["log"].get("totals", {}).get("compiles", 0) for line in lines_of("job.facts") if line.startswith('{"log"'))
    assert compiles > 500, compiles
    assert Path("job.facts").stat().st_size <= 1000 * compiles, (Path("job.facts").stat().st_size, compiles)


@case
def a_full_disk_keeps_the_old_facts_and_the_old_report():
    facts(LOGS / "ranks2_sizes")
    with small_disk("96k"):
        shutil.copy("job.facts", "disk/job.facts")
        before = Path("disk/job.facts").read_bytes()
        fails(2, "No space left on device", "facts", *samples.logs(), "-o", "disk/job.facts", "--overwrite")
        assert Path("disk/job.facts").read_bytes() == before
        fails(2, "No space left on device", "merge", "job.facts", "job.facts", "-o", "disk/report")
        fails(2, "No space left on device", "facts", *samples.logs(), "-o", "disk/other.facts")
        assert os.listdir("disk") == ["job.facts"]
    os.rmdir("disk")
    with small_disk("8m"):
        merges("job.facts", out="disk/report")
        before = contents("disk/report")
        Path("disk/fill").write_bytes(bytes(os.statvfs("disk").f_bavail * os.statvfs("disk").f_bsize))
        fails(2, "No space left on device", "merge", "job.facts", "-o", "disk/report", "--overwrite")
        assert contents("disk/report") == before and sorted(os.listdir("disk")) == ["fill", "report"]


@case
def merge_survives_hostile_facts():
    """Wrong facts are left out with a message, or give a valid report; they cost no other facts."""
    dice = random.Random(1)
    for job in ("ranks4_desync", "hung"):
        shutil.copytree(LOGS / job, job)
        facts(job)
        lines = lines_of("job.facts")
        assert next(line for line in lines if line.startswith("[")) == with_hash(json.loads(lines[1]))
        merges("job.facts")
        logs = len(report("merged").get("ranks", []))
        tried = list(hostile(lines))
        assert len(tried) > 2000, len(tried)
        for kind, wrong, bad in dice.sample(tried, 100):
            write_lines("bad.facts", bad)
            done = call("merge", "bad.facts", "job.facts", "-o", "merged", "--overwrite", "--full", "none")
            assert done.returncode == 0, (kind, wrong, done.returncode, said(done))
            text = Path("merged/report.json").read_text()
            value = json.loads(text, parse_constant=lambda name: 1 / 0)
            assert not REPORT.faults(value), (kind, wrong, REPORT.faults(value)[:3])
            assert len(value.get("ranks", [])) >= logs, (kind, wrong)
            assert "<b>" not in Path("merged/index.html").read_text()
            done = call("merge", "bad.facts", "-o", "alone", "--overwrite", "--full", "none")
            assert done.returncode in (0, 2), (kind, wrong, done.returncode, said(done))
            if done.returncode == 0:
                value = json.loads(Path("alone/report.json").read_text())
                assert not REPORT.faults(value), (kind, wrong, REPORT.faults(value)[:3])


def takes_what_is_good(name, *messages, ranks=3, at_most_mib=400):
    """Merges a file with the facts of another job. Returns the messages, after a look at the report and at the peak memory."""
    done = call("merge", name, "good.facts", "-o", "merged", "--overwrite", "--full", "none", before=lambda: limit_memory(at_most_mib))
    assert done.returncode == 0 and not hidden(), (done.returncode, said(done))
    for message in messages:
        assert message in said(done), (message, said(done))
    found = json.loads(Path("merged/report.json").read_text(), parse_constant=lambda name: 1 / 0)["ranks"]
    assert sum(rank["files"][0].startswith("dedicated_log_torch_trace_rank_") for rank in found) >= ranks, found
    return said(done)


def limit_memory(mib):
    if "SAN_OPTIONS" not in "".join(os.environ):
        resource.setrlimit(resource.RLIMIT_AS, (mib << 20, mib << 20))


def good_and_other():
    """good.facts has three ranks. Returns the lines of the facts of another job, and the index of the first line of a log in them."""
    facts(LOGS / "rank_causes/branch", out="good.facts")
    facts(LOGS / "ranks4_desync", out="other.facts")
    lines = lines_of("other.facts")
    return lines, next(i for i, line in enumerate(lines) if line.startswith('{"log"'))


@case
def merge_takes_the_lines_of_a_file_in_any_state():
    lines, first = good_and_other()
    write_lines("bad.facts", lines)
    assert "bad.facts: " not in takes_what_is_good("bad.facts", ranks=7)
    for count in range(len(lines)):  # the suite `mutants` changes the members of the lines
        write_lines("bad.facts", lines[:count])
        logs = sum(line.startswith('{"log"') for line in lines[:count])
        takes_what_is_good("bad.facts", f"bad.facts: {'read a part of' if logs else 'skipped'} these facts: line {count + 1}: the file ends early", ranks=3 + logs)
    dice = random.Random(1)
    for _ in range(20):
        write_lines("bad.facts", [lines[0], *dice.sample(lines[1:], len(lines) - 1)])
        takes_what_is_good("bad.facts", "bad.facts: ")
    write_lines("bad.facts", [lines[0], *lines[1:first], lines[-1], *lines[first:-1]])
    takes_what_is_good("bad.facts", f"bad.facts: skipped these facts: line {first + 1}: logs are missing before the end")
    write_lines("bad.facts", [lines[0], *(line for line in lines[1:first] for _ in range(2)), *lines[first:]])
    takes_what_is_good("bad.facts", "bad.facts: skipped these facts: line ")  # numbers refer to other definitions then
    logs = [line for line in lines if line.startswith('{"log"')]
    write_lines("bad.facts", [*(line for line in lines[:-1] if line not in logs), *logs, *logs, f'{{"logs":{2 * len(logs)}}}'])
    assert "bad.facts: " not in takes_what_is_good("bad.facts", f"{len(logs)} logs have facts in several files", ranks=7)
    for other in (["", *lines], [lines[0], "", *lines[1:]], [lines[0], lines[0], *lines[1:]], ["[" * 100000], [lines[0], "[" * 100000], [lines[0], "\0" * 9]):
        write_lines("bad.facts", other)
        takes_what_is_good("bad.facts", "bad.facts: skipped these facts: ")


def packed(path, *pieces):
    """A file with a frame of zstd for each (text, times)."""
    with open(path, "wb") as file:
        for text, times in pieces:
            frame = zstandard.compress(text, 9)
            for _ in range(times):
                file.write(frame)


@case
def facts_files_that_unpack_to_gigabytes_have_limits():
    lines, first = good_and_other()
    head, program = (f"{line}\n".encode() for line in (lines[0], next(line for line in lines if '"program"' in line)))
    zeros, mib = bytes(64 << 20), 1 << 20
    packed("bomb.facts", (zeros, 160))  # 10 GiB
    takes_what_is_good("bomb.facts", "bomb.facts: skipped these facts: line 1: it is too long")
    packed("bomb.facts", (head, 1), (zeros, 160))
    takes_what_is_good("bomb.facts", "bomb.facts: skipped these facts: line 2: it is too long")
    packed("bomb.facts", (head, 1), (program * (64 * mib // len(program)), 160))
    takes_what_is_good("bomb.facts", "the file unpacks to more than 200 times its size")
    packed("bomb.facts", (head + program + b'{"log":{},"program":0}\n' * 1000000, 160))
    takes_what_is_good("bomb.facts", "bomb.facts: read a part of these facts: line ", "these facts take too much memory for their size; the facts before it count")
    empty = b"[{}" + b",{}" * 1000000 + b"]"
    graphs = [f'["{0:016x}","graph",{{"hash":{n},"steps":{empty.decode()}}}]' for n in range(1, 4)]
    write_lines("bomb.facts", [lines[0], *rehashed(graphs), *lines[1:]])
    takes_what_is_good("bomb.facts", ": these facts take too much memory for their size", at_most_mib=1000)


@case
def lines_and_numbers_of_facts_may_be_large():
    lines, first = good_and_other()
    value = json.loads(lines[first])

    def with_log(**members):
        return [*lines[:first], json.dumps({**value, "log": {**value["log"], **members}}), *lines[first + 1:]]

    write_lines("bad.facts", with_log(name="x" * (20 << 20)))
    assert "bad.facts: " not in takes_what_is_good("bad.facts", ranks=7)
    write_lines("bad.facts", [*lines[:first], json.dumps({**value, "x": [0] * (5 << 20)}), *lines[first + 1:]])
    takes_what_is_good("bad.facts", f"bad.facts: skipped these facts: line {first + 1}: invalid JSON")
    for rank in (2**32, 2**53):
        write_lines("bad.facts", with_log(rank=rank, has_rank=True))
        assert "bad.facts: " not in takes_what_is_good("bad.facts", ranks=7)
        found = report("merged")
        assert found["ranks"][-1]["rank"] == rank, found["world"]
        alone = call("merge", "bad.facts", "-o", "alone", "--overwrite", "--full", "none")
        assert alone.returncode == 0 and len(report("alone")["missing_ranks"]) <= 1024, said(alone)
    facts(LOGS / "rank_causes/branch", out="one.facts")
    few = lines_of("one.facts")
    last = next(i for i, line in enumerate(few) if line.startswith('{"log"'))
    value_of = json.loads(few[last])
    few[last] = json.dumps({**value_of, "log": {**value_of["log"], "rank": 2**32, "has_rank": True}})
    write_lines("one.facts", few)
    merges("one.facts", out="alone")
    found = report("alone")
    assert found["world"]["at_least"] == 2**32 + 1 and len(found["missing_ranks"]) == 1024, found["world"]
    for rank in (2**53 + 1, 2**64, 10**30, -1, 1.5):
        write_lines("bad.facts", with_log(rank=rank))
        takes_what_is_good("bad.facts", f"bad.facts: skipped these facts: line {first + 1}: invalid facts of a log")


@case
def many_logs_may_claim_the_same_rank():
    lines, first = good_and_other()
    value = json.loads(lines[first])
    claims = [json.dumps({**value, "log": {**value["log"], "paths": [f"/{n}.log"], "file": f"{n}.log", "files": [], "modified_ns": n}}) for n in range(10000)]
    write_lines("bad.facts", [*lines[:first], *claims, '{"logs":10000}'])
    assert "bad.facts: " not in takes_what_is_good("bad.facts")
    ranks = [rank for rank in report("merged")["ranks"] if rank["rank"] == value["log"].get("rank", 0)]
    assert len(ranks) > 10000 and sum(not rank["older"] for rank in ranks) == 1, len(ranks)


@case
def merge_reads_no_other_file_that_facts_name():
    """Facts of a stranger name a file that is no log, alone or as a part of one; it does not get into the report."""
    shutil.copytree(LOGS / "rank_causes/branch", "logs")
    facts("logs")
    secret, lines = Path("secret.txt").absolute(), lines_of("job.facts")
    secret.write_text("unlikely-7391\n" * 100)
    at = [i for i, line in enumerate(lines) if line.startswith('{"log"')]
    log = json.loads(lines[at[0]])
    times = {"modified_ns": secret.stat().st_mtime_ns}
    for paths in ([str(secret)], [str(secret), str(secret)], [str(secret), *log["log"]["paths"]], [*log["log"]["paths"], str(secret)]):
        changed = {**log, "log": {**log["log"], "paths": paths, **(times if paths[-1] == str(secret) else {})}}
        write_lines("bad.facts", [*lines[:at[0]], json.dumps(changed), *lines[at[0] + 1:]])
        assert "1 log is not here" in said(merges("bad.facts", full="0")), paths
        assert not any(b"unlikely-7391" in p.read_bytes() for p in Path("merged").rglob("*") if p.is_file()), paths


@case
def merge_reads_nothing_that_the_system_makes_up():
    """Facts of a stranger name a file of /proc that begins like the log; reading such a file may have an effect."""
    shutil.copytree(LOGS / "rank_causes/branch", "logs")
    facts("logs")
    lines = lines_of("job.facts")
    at = next(i for i, line in enumerate(lines) if line.startswith('{"log"'))
    log = json.loads(lines[at])["log"]
    minute, rest = divmod(log["began_us"] % (15 * 60 * 10**6), 60 * 10**6)
    head = f"V0101 00:{minute:02}:{rest // 10**6:02}.{rest % 10**6:06} 7 torch/a.py:1] "
    process = subprocess.Popen(["sleep", "60"], env={head + "{}": "unlikely-7391"})  # its name and value begin like the log
    try:
        log |= {"paths": [f"/proc/{process.pid}/environ"], "files": [{**log["files"][0], "bytes": 0}]}
        write_lines("bad.facts", [*lines[:at], json.dumps({**json.loads(lines[at]), "log": log}), *lines[at + 1:]])
        done = merges("bad.facts", full="0")
    finally:
        process.kill()
        process.wait()
    assert "1 log is not here" in said(done), said(done)


@case
def merge_limits_what_a_file_unpacks_to():
    """A facts file of 400 kB with a line of 400 MB takes neither memory nor the other facts."""
    facts(LOGS / "rank_causes/branch")
    with gzip.open("bomb.facts", "wt", compresslevel=6) as file:
        file.write(lines_of("job.facts")[0] + "\n")
        for _ in range(400):
            file.write("[" * 1_000_000)
    before = lambda: resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))  # noqa: E731
    done = merges("bomb.facts", "job.facts", before=before)
    assert "bomb.facts: skipped these facts: line 2: it is too long" in said(done), said(done)
    assert len(report("merged")["ranks"]) == 3 and report("merged")["log"]["missing_inputs"] == 1


@case
def facts_without_a_path_are_of_torch_trace():
    shutil.copytree(LOGS / "rank_causes/branch", "logs")
    done = call("facts", "-o", "job.facts", env=environment(TORCH_TRACE=str(Path("logs").absolute())))
    assert done.returncode == 0 and "3 logs" in said(done), said(done)

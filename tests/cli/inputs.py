"""One row per shape of input: the messages it prints, and the kind of report it becomes.

A row has the files, the arguments, every line on standard error before "report: ", and facts of report.json. The log of a process comes
from `process` in run.py. A row with `fails` expects the call to fail with these lines.
"""
import gzip
import os
import shutil
import subprocess
from pathlib import Path

DEDICATED = "dedicated_log_torch_trace_"


def put(path, content, at=None):
    """Writes a file. `at` is its modification time, in seconds after a fixed time."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(content if isinstance(content, bytes) else content.encode())
    if at is not None:
        os.utime(path, (1.7675e9 + at, 1.7675e9 + at))


def rank_log(process, rank, number=None, function="f", hour=12):
    """The log of a rank that compiles a function."""
    text = process(number if number is not None else 100 + rank, function, hour)
    return text.replace('"frame_id"', f'"rank": {rank}, "frame_id"')


def job(process, folder, ranks, at=0, function="f", hour=12, number=None):
    for rank in ranks:
        put(f"{folder}/{DEDICATED}rank_{rank}_x.log", rank_log(process, rank, number, function, hour), at + rank / 100)


def zstd(text):
    return subprocess.run(["zstd", "-c"], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout


LOOKING = "looking for logs in {}"
PROCESSES = "reading {} logs as processes of one run (use --compare to compare them)"
RANKS = "reading {} logs as ranks of one job"


def rows(process):
    p = process
    row = dict

    def one(name="a.log", text=None):
        put(name, p(11, "f") if text is None else text)

    def links():
        one()
        os.symlink("a.log", "same.log")

    def folder_of(*numbers, folder="logs"):
        for number in numbers:
            put(f"{folder}/{DEDICATED}{number}.log", p(number, "f"))

    def fifo():
        one()
        os.mkfifo("pipe")
        subprocess.Popen("cat a.log > pipe", shell=True)

    def unreadable():
        one()
        put("b.log", p(12, "f"))
        os.mkdir("c.log")

    def mixed():
        job(p, "logs", (0, 1))
        put(f"logs/{DEDICATED}early.log", p(100, "early", 11), 0)
        put("logs/other.log", p(7, "other"), 0)

    def restarted():
        job(p, "logs", (0, 1))
        put(f"logs/{DEDICATED}rank_0_y.log", rank_log(p, 0, 300, hour=13), 60)

    def jobs(*folders, ranks=(0, 1), **more):
        for folder in folders:
            job(p, folder, ranks, **more)

    def hosts():
        job(p, "node0", (0, 1))
        job(p, "node1", (2, 3))

    def two_jobs_of_hosts(above=""):
        for name in (f"{above}old", f"{above}new"):
            job(p, f"{name}/node0", (0, 1), function=Path(name).name)
            job(p, f"{name}/node1", (2, 3), function=Path(name).name)

    def job_and_log():
        job(p, "job", (0, 1))
        put("one/single.log", p(11, "f"))

    def odd_names():
        put("logs/a b.log", p(11, "f"))
        put("logs/ünï.log", p(12, "f"))
        put("logs/line\nend.log", p(13, "f"))
        put("logs/<b>&.log", p(14, "f"))

    def pasted():
        put("a.log", p(11, "f") + p(12, "g"))

    def year():
        put("a.log", p(11, "f").replace("V0101 12", "V1231 23"))
        put("b.log", p(12, "f").replace("V0101 12", "V0101 00"))
        put("c.log", p(13, "f").replace("V0101 12", "V0101 01"))

    def rotated():
        put("logs/a.log.1", p(11, "f"))
        put("logs/a.log", "".join(line for line in p(11, "f", 13).splitlines(True) if '"str"' not in line))

    def rotated_rank(folder="logs"):
        job(p, folder, (0, 1))
        put(f"{folder}/{DEDICATED}rank_0_x.log.1", rank_log(p, 0, hour=11))
        later = "".join(line for line in rank_log(p, 0).splitlines(True) if '"str"' not in line)
        put(f"{folder}/{DEDICATED}rank_0_x.log", later)

    def containers():
        for name in "abc":
            put(f"logs/{DEDICATED}{name}.log", p(7, name))

    return [
        row(name="a file", make=one, call=["a.log"], says=[], kind="run", processes=["11"], compiles=1),
        row(name="a file compressed with gzip", make=lambda: put("a.log.gz", gzip.compress(p(11, "f").encode())), call=["a.log.gz"], says=[], kind="run", processes=["11"], compiles=1),
        row(name="a file compressed with zstd", needs="zstd", make=lambda: put("a.log.zst", zstd(p(11, "f"))), call=["a.log.zst"], says=[], kind="run", processes=["11"], compiles=1),
        row(name="standard input", make=one, call=["-"], stdin="a.log", says=[], kind="run", processes=["11"], compiles=1),
        row(name="a named pipe", make=fifo, call=["pipe"], says=[], kind="run", processes=["11"], compiles=1),
        row(name="an empty file", make=lambda: one(text=""), call=["a.log"], says=["no trace records in a.log"], kind="run", processes=[], compiles=0, empty=True),
        row(name="an empty file and a valid one", make=lambda: (one(), put("b.log", "")), call=["a.log", "b.log"], says=["comparing 2 runs: a.log, b.log", "no trace records in b.log"], kind="runs", runs=[("a.log", 1), ("b.log", 0)], compiles=1),
        row(name="a log of another program and two valid ones", make=lambda: (one(), put("b.log", p(12, "f")), put("c.log", "hello\n")), call=["a.log", "b.log", "c.log"], says=[PROCESSES.format(3), "!c.log:1: unrecognized line: hello", "no trace records in c.log"], kind="run", processes=["11", "12"], compiles=2),
        row(name="a missing file", make=lambda: None, call=["nowhere.log"], fails=["cannot open nowhere.log: No such file or directory"]),
        row(name="a missing file among several", make=one, call=["a.log", "nowhere.log", "a.log"], fails=["cannot open nowhere.log: No such file or directory"]),
        row(name="an empty folder", make=lambda: os.mkdir("logs"), call=["logs"], fails=["no logs found in logs", "hint: logs are named dedicated_log_torch_trace_*.log, *.log or *.txt, optionally with .gz or .zst"]),
        row(name="a folder of one log", make=lambda: folder_of(11), call=["logs"], says=[LOOKING.format("logs"), f"reading 1 log: {DEDICATED}11.log"], kind="run", processes=["11"], compiles=1),
        row(name="a folder of processes", make=lambda: folder_of(11, 12, 13), call=["logs"], says=[LOOKING.format("logs"), PROCESSES.format(3) + f": {DEDICATED}11.log, {DEDICATED}12.log, {DEDICATED}13.log"], kind="run", processes=["11", "12", "13"], compiles=3),
        row(name="a folder of folders", make=lambda: (folder_of(11, folder="logs/a"), folder_of(12, folder="logs/b")), call=["logs"], says=[LOOKING.format("logs"), PROCESSES.format(2) + f": a/{DEDICATED}11.log, b/{DEDICATED}12.log"], kind="run", processes=["11", "12"], compiles=2),
        row(name="a folder of containers' processes", make=containers, call=["logs"], says=[LOOKING.format("logs"), PROCESSES.format(3) + f": {DEDICATED}a.log, {DEDICATED}b.log, {DEDICATED}c.log", "logs (3 logs): 2 processes have the id of an earlier one; 7.2 means the second process 7"], kind="run", processes=["7", "7.2", "7.3"], compiles=3),
        row(name="the same file twice", make=one, call=["a.log", "./a.log"], says=["./a.log is listed twice; reading it once"], kind="run", processes=["11"], compiles=1),
        row(name="a link to the same file", make=links, call=["a.log", "same.log"], says=["same.log is listed twice; reading it once"], kind="run", processes=["11"], compiles=1),
        row(name="a file and its folder", make=lambda: folder_of(11, 12), call=["logs", f"logs/{DEDICATED}11.log"], says=[f"logs/{DEDICATED}11.log is listed twice; reading it once", LOOKING.format("logs"), PROCESSES.format(2) + f": {DEDICATED}11.log, {DEDICATED}12.log"], kind="run", processes=["11", "12"], compiles=2),
        row(name="two files", make=lambda: (one(), put("b.log", p(11, "f"))), call=["a.log", "b.log"], says=["comparing 2 runs: a.log, b.log"], kind="runs", runs=[("a.log", 1), ("b.log", 1)], compiles=2),
        row(name="three files", make=lambda: [put(f"{n}.log", p(n, "f")) for n in (11, 12, 13)], call=["11.log", "12.log", "13.log"], says=[PROCESSES.format(3)], kind="run", processes=["11", "12", "13"], compiles=3),
        row(name="three files to compare", make=lambda: [put(f"{n}.log", p(n, "f")) for n in (11, 12, 13)], call=["--compare", "11.log", "12.log", "13.log"], says=["comparing 3 runs: 11.log, 12.log, 13.log"], kind="runs", runs=[("11.log", 1), ("12.log", 1), ("13.log", 1)], compiles=3),
        row(name="two folders of processes", make=lambda: (folder_of(11, 12, folder="old"), folder_of(11, 12, folder="new")), call=["old", "new/"], says=[LOOKING.format("old, new/"), "comparing 2 runs: old, new"], kind="runs", runs=[("old", 2), ("new", 2)], compiles=4),
        row(name="one file to compare", make=one, call=["a.log", "--compare"], says=["nothing to compare: --compare needs at least two runs, but there is only one log"], kind="run", processes=["11"], compiles=1),
        row(name="a file that cannot be read among several", make=lambda: (one(), put("b.log", p(12, "f")), put("c.log.xz", b"\xfd7zXZ\0\0")), call=["a.log", "b.log", "c.log.xz"], says=[PROCESSES.format(3), "cannot read c.log.xz: xz compression is not supported"], kind="run", processes=["11", "12"], compiles=2),
        row(name="pasted logs", make=pasted, call=["a.log"], says=["a.log has records of 2 processes; compile ids include the process id"], kind="run", processes=["11", "12"], compiles=2),
        row(name="a pasted log of two containers", make=lambda: one(text=p(7, "f") + p(7, "g")), call=["a.log"], says=["a.log has records of 2 processes; compile ids include the process id", "a.log: 1 process has the id of an earlier one; 7.2 means the second process 7"], kind="run", processes=["7", "7.2"], compiles=2),
        row(name="ranks in one file", make=lambda: one(text="".join(rank_log(p, rank) for rank in (1, 0))), call=["a.log"], says=["this log has records of 2 ranks; the reports of all but the first are in rank_<N>/"], kind="run", processes=["101"], ranks=[(0, False), (1, False)], compiles=1, all_compiles=2),
        row(name="ranks in one file of containers", make=lambda: one(text="".join(rank_log(p, rank, 7) for rank in (0, 1))), call=["a.log"], says=["this log has records of 2 ranks; the reports of all but the first are in rank_<N>/"], kind="run", processes=["7"], ranks=[(0, False), (1, False)], compiles=1, all_compiles=2),
        row(name="a folder of ranks", make=lambda: jobs("logs"), call=["logs"], says=[LOOKING.format("logs"), RANKS.format(2) + f": {DEDICATED}rank_0_x.log, {DEDICATED}rank_1_x.log"], kind="ranks", ranks=[(0, False), (1, False)], compiles=2),
        row(name="ranks and logs without one", make=mixed, call=["logs"], says=[LOOKING.format("logs"), RANKS.format(3) + f": {DEDICATED}rank_0_x.log, {DEDICATED}rank_1_x.log, {DEDICATED}early.log", "skipping 1 log not named dedicated_log_torch_trace_*: other.log"], kind="ranks", ranks=[(0, False), (1, False), (None, False)], compiles=3),
        row(name="a rank that was restarted", make=restarted, call=["logs"], says=[LOOKING.format("logs"), RANKS.format(3) + f": {DEDICATED}rank_0_x.log, {DEDICATED}rank_0_y.log, {DEDICATED}rank_1_x.log"], kind="ranks", ranks=[(0, False), (0, True), (1, False)], compiles=3),
        row(name="two folders of ranks", make=lambda: jobs("old", "new"), call=["old", "new/"], says=[LOOKING.format("old, new/"), "comparing 2 runs: old (2 rank logs), new (2 rank logs); these are separate jobs, because more than one has rank 0"], kind="runs", runs=[("old", 2), ("new", 2)], members=[[0, 1], [0, 1]], compiles=4),
        row(name="two folders of ranks with --all-ranks-html", make=lambda: jobs("old", "new"), call=["--all-ranks-html", "old", "new/"], says=[LOOKING.format("old, new/"), "comparing 2 runs: old (2 rank logs), new (2 rank logs); these are separate jobs, because more than one has rank 0"], kind="runs", runs=[("old", 2), ("new", 2)], members=[[0, 1], [0, 1]], compiles=4),
        row(name="one rank of two folders", make=lambda: jobs("old", "new"), call=["--rank", "1", "old", "new"], says=[LOOKING.format("old, new"), "comparing 2 runs: old (2 rank logs), new (2 rank logs); these are separate jobs, because more than one has rank 0"], kind="runs", runs=[("old", 1), ("new", 1)], compiles=2),
        row(name="three folders of ranks", make=lambda: jobs("a", "b", "c"), call=["a", "b", "c"], says=[LOOKING.format("a, b, c"), "comparing 3 runs: a (2 rank logs), b (2 rank logs), c (2 rank logs); these are separate jobs, because more than one has rank 0"], kind="runs", runs=[("a", 2), ("b", 2), ("c", 2)], compiles=6),
        row(name="folders of hosts", make=hosts, call=["node0", "node1"], says=[LOOKING.format("node0, node1"), RANKS.format(4) + ", because the 2 folders share no rank (use --compare to compare them): !"], kind="ranks", ranks=[(0, False), (1, False), (2, False), (3, False)], compiles=4),
        row(name="folders of hosts to compare", make=hosts, call=["--compare", "node0", "node1"], says=[LOOKING.format("node0, node1"), "comparing 2 runs: node0 (2 rank logs), node1 (2 rank logs)"], kind="runs", runs=[("node0", 2), ("node1", 2)], members=[[0, 1], [2, 3]], compiles=4),
        row(name="folders of the hosts of two jobs", make=two_jobs_of_hosts, call=["old/node0", "new/node0", "new/node1", "old/node1"], says=[LOOKING.format("old/node0, new/node0, new/node1, old/node1"), "comparing 2 runs: old (4 rank logs), new (4 rank logs); these are separate jobs, because more than one has rank 0"], kind="runs", runs=[("old", 4), ("new", 4)], members=[[0, 1, 2, 3], [0, 1, 2, 3]], compiles=8),
        row(name="a folder with folders of two jobs to compare", make=lambda: jobs("all/old", "all/new"), call=["--compare", "all"], says=[LOOKING.format("all"), "comparing 2 runs: new (2 rank logs), old (2 rank logs); these are separate jobs, because more than one has rank 0"], kind="runs", runs=[("new", 2), ("old", 2)], compiles=4),
        row(name="a folder with folders of two jobs", make=lambda: (jobs("all/new", at=60), jobs("all/old")), call=["all"], says=[LOOKING.format("all"), RANKS.format(2) + f": new/{DEDICATED}rank_0_x.log, new/{DEDICATED}rank_1_x.log", f"skipping 2 logs of other jobs (use --compare to compare them): old/{DEDICATED}rank_0_x.log, old/{DEDICATED}rank_1_x.log"], kind="ranks", ranks=[(0, False), (1, False)], compiles=2),
        row(name="a folder of ranks and a log", make=job_and_log, call=["one/single.log", "job"], says=[LOOKING.format("job"), "comparing 2 runs: job (2 rank logs), single.log"], kind="runs", runs=[("job", 2), ("single.log", 1)], compiles=3),
        row(name="two logs of one rank", make=restarted, call=[f"logs/{DEDICATED}rank_0_x.log", f"logs/{DEDICATED}rank_0_y.log"], says=["!comparing 2 runs: "], kind="runs", compiles=2),
        row(name="logs of a folder of ranks, by name", make=restarted, call=[f"logs/{DEDICATED}rank_0_x.log", f"logs/{DEDICATED}rank_0_y.log", f"logs/{DEDICATED}rank_1_x.log"], says=[RANKS.format(3)], kind="ranks", ranks=[(0, False), (0, True), (1, False)], compiles=3),
        row(name="a folder of ranks to compare", make=lambda: jobs("logs"), call=["logs", "--compare"], says=[LOOKING.format("logs"), "!" + RANKS.format(2), "nothing to compare: --compare needs at least two runs, but all logs are ranks of one job"], kind="ranks", ranks=[(0, False), (1, False)], compiles=2),
        row(name="unusual file names", make=odd_names, call=["logs"], says=[LOOKING.format("logs"), PROCESSES.format(4) + ": <b>&.log, a b.log, line\\x0aend.log, ünï.log"], kind="run", processes=["14", "11", "13", "12"], compiles=4),
        row(name="the turn of a year", make=year, call=["b.log", "c.log", "a.log"], says=[PROCESSES.format(3)], kind="run", processes=["11", "12", "13"], compiles=3),
        row(name="a rotated log by name", make=rotated, call=["logs/a.log", "logs/a.log.1"], says=["reading 2 files as one rotated log"], kind="run", processes=["11"], compiles=2),
        row(name="a folder with a rotated log", make=rotated, call=["logs"], says=[LOOKING.format("logs"), "reading 2 files as one rotated log: a.log.1, a.log"], kind="run", processes=["11"], compiles=2),
        row(name="a rotated log of a rank", make=rotated_rank, call=["logs"], says=[LOOKING.format("logs"), RANKS.format(2) + f": {DEDICATED}rank_0_x.log.1, {DEDICATED}rank_0_x.log, {DEDICATED}rank_1_x.log"], kind="ranks", ranks=[(0, False), (1, False)], compiles=3),
        row(name="a rotated log of a rank in two jobs", make=lambda: (rotated_rank("old"), rotated_rank("new")), call=["old", "new"], says=[LOOKING.format("old, new"), "comparing 2 runs: old (2 rank logs), new (2 rank logs); these are separate jobs, because more than one has rank 0"], kind="runs", runs=[("old", 3), ("new", 3)], members=[[0, 1], [0, 1]], compiles=6),
        row(name="folders of hosts in a folder of jobs", make=lambda: (two_jobs_of_hosts("all/"), [os.utime(f, (1.7676e9, 1.7676e9)) for f in Path("all/new").rglob("*.log")], [os.utime(f, (1.7676e9, 1.7676e9 - 1)) for f in Path("all/old").rglob("*.log")]), call=["all"], says=[LOOKING.format("all"), "!" + RANKS.format(4) + ": new/node0/", "!skipping 4 logs of other jobs (use --compare to compare them): old/node0/"], kind="ranks", ranks=[(0, False), (1, False), (2, False), (3, False)], compiles=4),
    ]


def check(row, call, report):
    """Runs the row in the current folder. `call` and `report` are the functions of run.py."""
    if row.get("needs") and not shutil.which(row["needs"]):
        return False
    row["make"]()
    stdin = Path(row["stdin"]).read_bytes() if "stdin" in row else b""
    done = call(*row["call"], "-o", "out", "--no-browser", stdin=stdin)
    lines = done.stderr.decode().splitlines()
    expected = row.get("fails", row.get("says"))
    if "fails" in row:
        assert done.returncode == 1 and not Path("out").exists(), lines
    else:
        assert done.returncode == 0, lines
        assert lines[-2:-1] == ["report: out/index.html"], lines
        lines = lines[:-2]
    assert len(lines) == len(expected), "\n".join(["printed:", *lines])
    for line, wanted in zip(lines, expected, strict=True):
        exact = "!" not in wanted
        wanted = wanted.strip("!")
        assert line in (wanted, "tlparse: " + wanted) if exact else wanted in line, f"printed: {line}\nexpected: {wanted}"
    if "fails" in row:
        return True
    found = report()
    assert found["kind"] == row["kind"], found["kind"]
    assert found["totals"]["compiles"] == row["compiles"], found["totals"]["compiles"]
    assert found["log"]["empty"] is row.get("empty", False)
    if "processes" in row:
        names = [f"{p['process']}.{p['nth']}" if "nth" in p else f"{p['process']}" for p in found["log"]["processes"]]
        assert names == row["processes"], names
    if "ranks" in row:
        ranks = [(r["rank"], r["older"]) for r in found["ranks"]]
        assert ranks == row["ranks"], ranks
    if "runs" in row:
        runs = [(r["name"], r["compiles"]) for r in found["ranks"]]
        assert runs == row["runs"], runs
    if "members" in row:
        members = [[m["rank"] for m in r["members"]] for r in found["ranks"]]
        assert members == row["members"], members
    if "all_compiles" in row:
        assert found["all_ranks"]["totals"]["compiles"] == row["all_compiles"]
    assert found["checks"] == []
    return True

#!/usr/bin/env python3
"""Tests of reports on shared file systems: several runs into the same folder, also when one of them is killed, and file systems that lack
what others have.

    run.py --tlparse build/tlparse [--list] [NAME...]     only the cases whose name starts with NAME

filesystem.c, which is preloaded, makes a folder behave as one on NFS, or on a file system that ignores the case of names. No test needs a
mount or a right. The last line is `N passed, N failed, N skipped`.
"""
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import samples  # noqa: E402
from cases import LIMIT_S, case, main, wait_until  # noqa: E402

TLPARSE = None
LIBRARY = None
PREFIX = "V1206 15:18:15.925000 1500233 torch/_dynamo/utils.py:10] "
ID = {"frame_id": 0, "frame_compile_id": 0, "attempt": 0}
EXISTS = "tlparse: Directory out already exists; pass --overwrite to replace it or use -o OUTDIR\n"


# ---- logs, and runs of the program


def record(envelope, payload):
    envelope = {**envelope, **ID, "has_payload": hashlib.md5(payload.encode()).hexdigest()}
    return PREFIX + json.dumps(envelope) + "\n" + "".join(f"\t{line}\n" for line in payload.split("\n"))


def artifact(name, payload="x"):
    return record({"artifact": {"name": name, "encoding": "string"}}, payload)


def dump(name, payload):
    return record({"dump_file": {"name": name}}, payload)


def logs(count):
    """Different logs, of different sizes."""
    for i in range(count):
        Path(f"{i}.log").write_text("".join(artifact(f"file{i}_{n}", f"log {i}, text {n}") for n in range(5 * i + 3)), encoding="utf-8")
    return [Path(f"{i}.log").resolve() for i in range(count)]


def real_log(name):
    """A log that PyTorch wrote, as a file here."""
    Path(f"{name}.log").write_bytes(samples.read(next(p for p in samples.logs() if p.parent.name == name)))
    return Path(f"{name}.log").resolve()


def start(*arguments, cwd=None, stdin=subprocess.DEVNULL, command=(), root=".", **file_system):
    """Starts the program. `file_system`: kind="nfs", lock="blind", …; see filesystem.c."""
    preload = {"LD_PRELOAD": str(LIBRARY), "FS_ROOT": str(Path(root).resolve())} if file_system else {}
    environment = {"PATH": os.environ["PATH"], "HOME": str(Path("home").resolve()), "LC_ALL": "C", "XDG_CONFIG_HOME": str(Path("config").resolve()),
                   **{f"FS_{key.upper()}": str(value) for key, value in file_system.items()}, **preload}
    options = () if command else ("--no-browser", "--threads", "0")
    return subprocess.Popen([TLPARSE, *command, *options, *map(str, arguments)], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=cwd)


def end(process):
    """The exit status and what was said."""
    out, said = process.communicate(timeout=LIMIT_S)
    assert out == b"", out
    return process.returncode, said.decode()


def call(*arguments, **how):
    return end(start(*arguments, **how))


def makes(*arguments, **how):
    status, said = call(*arguments, **how)
    assert status == 0, (status, said)
    return said


def content(folder):
    """Each file of a folder with its bytes, each folder with None; None if there is none."""
    folder = Path(folder)
    return {str(p.relative_to(folder)): None if p.is_dir() else p.read_bytes() for p in folder.rglob("*")} if folder.exists() else None


def single(log, *options):
    """The report of a run that nothing disturbs."""
    with tempfile.TemporaryDirectory() as folder:
        makes("-o", f"{folder}/out", log, *options)
        return content(f"{folder}/out")


def hidden(folder="."):
    return sorted(p.name for p in Path(folder).glob(".*"))


def clear():
    shutil.rmtree("out", ignore_errors=True)
    for name in hidden():
        shutil.rmtree(name)


# ---- several runs into the same folder


def race(names, options, **file_system):
    """Runs for these logs at the same time. Returns the exit status and the messages of each."""
    return [end(process) for process in [start("-o", "out", log, *options, **file_system) for log in names]]


@case
def of_runs_at_the_same_time_one_report_is_left():
    all_logs = logs(9)
    wanted, earlier = {log: single(log) for log in all_logs}, all_logs[8]
    for file_system in ({}, {"kind": "nfs"}, {"kind": "nfs", "lock": "none"}):
        for names in (all_logs[:2], all_logs[:8], all_logs[:1] * 8):
            ended = race(names, (), **file_system)
            winners = [log for log, (status, _) in zip(names, ended, strict=True) if status == 0]
            assert len(winners) == 1, ended
            assert all(status == 1 and said.endswith(EXISTS) for status, said in ended if status), ended
            assert content("out") == wanted[winners[0]] and not hidden(), (file_system, hidden())
            for exists in (True, False):
                if not exists:
                    clear()
                ended = race(names, ("--overwrite",), **file_system)
                assert all(status == 0 for status, _ in ended), ended
                assert content("out") in [wanted[log] for log in names] and not hidden(), (file_system, hidden())
            clear()
            makes("-o", "out", earlier)
            ended = race(names, (), **file_system)
            assert all(status == 1 and said.endswith(EXISTS) for status, said in ended), ended
            assert content("out") == wanted[earlier] and not hidden(), hidden()
            clear()


@case
def the_kill_of_some_runs_does_not_disturb_others():
    names = logs(8)
    wanted = [single(log) for log in names]
    for file_system in ({}, {"kind": "nfs"}):
        for moments in ((1, 3, 8, 9), (2, 5, 11, 10)):
            running = [start("-o", "out", log, "--overwrite", **{"kind": "", **file_system}, **({"kill": moments[i // 2]} if i % 2 else {}))
                       for i, log in enumerate(names)]
            ended = [end(process) for process in running]
            assert all(status == 0 for status, _ in ended[::2]), ended
            assert all(status in (0, -signal.SIGKILL) for status, _ in ended), ended
            makes("-o", "out", names[0], "--overwrite", **file_system)
            assert content("out") == wanted[0] and not hidden(), hidden()


def kills(cwd, where, **file_system):
    """Kills a run that replaces a report before each call that changes a name. `where` it is: the option -o, from `cwd`."""
    old, new = logs(2)
    wanted = [single(old), single(new)]
    place = Path(cwd, where)
    Path(cwd).mkdir(exist_ok=True)
    makes(old, "-o", where, cwd=cwd)
    shutil.copytree(place, "earlier")
    makes(new, "-o", where, "--overwrite", cwd=cwd, count=Path("count").resolve(), **file_system)
    changes = int(Path("count").read_text(encoding="utf-8").split()[0])
    assert content(place) == wanted[1]
    assert changes > 8, changes
    for moment in range(1, 2 * changes):
        clear()
        shutil.copytree("earlier", place)
        status, said = call(new, "-o", where, "--overwrite", cwd=cwd, kill=moment, **file_system)
        if status == 0:
            break
        assert (status, said) == (-signal.SIGKILL, ""), (moment, status, said)
        left = content(place)
        yield moment, left in wanted, left
        makes(new, "-o", where, "--overwrite", cwd=cwd, **file_system)
        found = content(place)
        assert found == wanted[1], (moment, sorted(set(found) ^ set(wanted[1])))
        assert not hidden(), (moment, hidden())
    assert moment > changes


@case
def a_run_that_is_killed_leaves_a_whole_report():
    """With an exchange of names, there is no moment without a report."""
    assert all(whole for _, whole, _ in kills(".", "out", kind=""))


@case
def where_names_cannot_be_exchanged_the_next_run_repairs_it():
    """For a moment, between two renames, nothing is at the place."""
    partial = [left for _, whole, left in kills(".", "out", kind="nfs") if not whole]
    assert partial == [None], partial


@case
def inside_a_folder_that_cannot_be_renamed_the_next_run_repairs_it():
    """Entries are moved one by one: the old ones to a hidden folder, then the new ones from another."""
    partial = [moment for moment, whole, _ in kills("out", ".", kind="") if not whole]
    assert len(partial) > 8, partial


@case
def of_shared_files_written_at_the_same_time_one_is_left():
    names, exists = logs(8), "all.html already exists; pass --overwrite to replace it or use -o FILE\n"
    for i, log in enumerate(names):
        makes(log, "-o", f"{i}.html", command=("share",))
    wanted = [Path(f"{i}.html").read_bytes() for i in range(8)]
    for file_system in ({}, {"kind": "nfs"}, {"kind": "nfs,bare"}):
        for options in ((), ("--overwrite",)):
            ended = [end(process) for process in [start(log, "-o", "all.html", *options, command=("share",), **file_system) for log in names]]
            good = [i for i, (status, _) in enumerate(ended) if status == 0]
            assert all(status == 2 and said.endswith(exists) for status, said in ended if status), ended
            assert options and len(good) == 8 or not options and (len(good) == 1 or file_system.get("kind") == "nfs,bare"), ended
            assert Path("all.html").read_bytes() in [wanted[i] for i in good] and not hidden(), (file_system, hidden())
        Path("all.html").unlink()


# ---- NFS


@case
def reports_on_nfs_are_the_same():
    log = real_log("gpt2")
    wanted = single(log)
    for file_system in ({"kind": "nfs"}, {"kind": "nfs", "lock": "none"}, {"kind": "nfs", "lock": "blind"}, {"kind": "bare"}, {"kind": "nfs,bare,fold"}):
        for threads in (0, 3):
            for options in ((), ("--overwrite",)):
                makes("-o", "out", log, "--threads", threads, *options, **file_system)
                assert content("out") == wanted and not hidden(), (file_system, hidden())
            clear()
        Path("here").mkdir()
        for _ in range(2):
            makes("-o", ".", "--overwrite", log, cwd="here", **file_system)
            assert content("here") == wanted
        shutil.rmtree("here")


def waits(log, options, **file_system):
    """A run that has begun its report, and waits for its log."""
    process = start("-o", "out", "-", *options, stdin=subprocess.PIPE, **file_system)
    process.stdin.write(log.read_bytes()[:-1])
    process.stdin.flush()
    wait_until(hidden, "the staging folder")
    return process


@case
def hosts_do_not_remove_what_others_are_writing():
    """With NFS, a host does not see which folders others have locked."""
    first, second = logs(2)
    nfs = {"kind": "nfs", "lock": "blind"}
    slow = waits(first, ("--overwrite",), host="a", **nfs)
    makes("-o", "out", second, host="b", **nfs)
    assert content("out") == single(second)
    slow.stdin.write(b"\n")
    status, said = end(slow)
    assert status == 0, said
    assert {k: v for k, v in content("out").items() if k.endswith(".txt")} == {k: v for k, v in single(first).items() if k.endswith(".txt")}
    assert not hidden(), hidden()
    slow = waits(first, ("--overwrite",), host="a", **nfs)  # is killed, and its host removes what it left
    slow.kill()
    end(slow)
    for host, count in (("b", 1), ("a", 0)):
        makes("-o", "out", second, "--overwrite", host=host, **nfs)
        assert content("out") == single(second) and len(hidden()) == count, (host, hidden())


@case
def files_that_others_have_open_are_removed_later():
    """A client of NFS renames a file that is open to .nfs…, until it is closed."""
    log, nfs = logs(1)[0], {"kind": "nfs"}
    wanted = single(log)
    makes("-o", "out", log)
    with open("out/raw.log", "rb") as file:
        nfs["held"] = os.fstat(file.fileno()).st_ino
        said = makes("-o", "out", log, "--overwrite", **nfs)
        assert "cannot remove all files of the old report\nhint: delete .*.tlparse-* next to out and in it\n" in said, said
        assert content("out") == wanted
        (staging,) = hidden()
        (deleted,) = content(staging)
        assert deleted.startswith(".nfs"), deleted
        makes("-o", "out", log, "--overwrite", **nfs)  # and it is no reason to fail
        assert content("out") == wanted and hidden() == [staging], hidden()
    Path(staging, deleted).unlink()  # as the client does
    makes("-o", "out", log, "--overwrite", **nfs)
    assert content("out") == wanted and not hidden(), hidden()


@case
def a_report_with_a_deleted_file_can_be_replaced():
    """`rm -r out` while its files are open leaves .nfs… files, which nobody can remove."""
    log, deleted = logs(1)[0], f".nfs{0x2a:016x}{1:08x}"
    wanted = single(log)
    for cwd, where in ((".", "out"), ("out", ".")):
        makes("-o", "out", log)
        for name in (deleted, f"data/{deleted}"):
            Path("out", name).write_bytes(b"deleted")
        said = makes("-o", where, log, "--overwrite", cwd=cwd, kind="nfs")
        assert "cannot remove all files of the old report" in said, said
        found = {name: body for name, body in content("out").items() if ".nfs" not in name and ".tlparse-" not in name}
        assert found == wanted
        for path in Path(".").rglob(deleted):
            path.unlink()
        makes("-o", where, log, "--overwrite", cwd=cwd, kind="nfs")
        assert content("out") == wanted and not hidden(), hidden()
        Path("out/.nfs-notes").write_bytes(b"mine")
        status, said = call("-o", where, log, "--overwrite", cwd=cwd, kind="nfs")
        assert status == 1 and "it contains '.nfs-notes', which is not part of a report" in said, said
        clear()


@case
def a_stale_handle_leaves_the_old_or_the_new_report():
    """The server has another file than the client thought; only one call fails."""
    old, new = logs(2)
    wanted = [single(old), single(new)]
    makes("-o", "out", old)
    shutil.copytree("out", "earlier")
    makes("-o", "out", new, "--overwrite", count=Path("count").resolve(), kind="")
    opened = int(Path("count").read_text(encoding="utf-8").split()[1])
    for n in range(1, opened + 10):
        clear()
        shutil.copytree("earlier", "out")
        status, said = call("-o", "out", new, "--overwrite", kind="nfs", stale=n)
        assert content("out") == wanted[status == 0], (n, status, said)
        assert status == 0 or (status == 1 and "Stale file handle" in said), (n, status, said)
        assert not hidden() or "cannot remove all" in said, (n, said, hidden())


# ---- names that differ in case only


def twins():
    """A log of files whose names are the same where case is ignored, in each way in which a log names files."""
    text = ""
    for name in ("Foo", "foo", "FOO", "\u00c4", "a/b", "A/B", "A/b", "Foo", "foo_9", "x.html/y", "X.HTML", "x", "x.HTML/y"):
        text += dump(name, f"dump of {name}, {len(text)}") + artifact(name, f"artifact {name}, {len(text)}")
        text += record({"graph_dump": {"name": name}}, f"graph {name}") + record({"inductor_output_code": {"filename": f"/tmp/{name}.py"}}, f"code {name}")
    return text


@case
def no_file_replaces_another_where_case_is_ignored():
    Path("twins.log").write_text(twins(), encoding="utf-8")
    log = Path("twins.log").resolve()
    for options in ((), ("--export",), ("--plain-text",), ("-p",)):
        makes("-o", "out", log, *options)
        wanted = content("out")
        makes("-o", "folded/out", log, *options, kind="fold")
        folded = content("folded/out")
        names = [name.lower() for name in folded]
        assert len(names) == len(set(names))
        # the texts are those of a file system that distinguishes the names, also when the report is replaced
        bodies = [sorted(body for name, body in report.items() if body and not name.startswith(("data/", "report.json", "compile_dir", "index"))) for report in (folded, wanted)]
        assert bodies[0] == bodies[1], options
        urls = {a["url"] for entry in json.loads(folded["compile_directory.json"]).values() for a in entry["artifacts"] if a["url"]}
        found = {name.lower() for name in folded}
        assert all(url.lower() in found for url in urls), urls - found
        makes("-o", "folded/out", log, *options, "--overwrite", kind="fold")
        assert content("folded/out") == folded and not hidden("folded")
        makes("-o", "folded/OUT", log, *options, "--overwrite", kind="fold")
        assert content("folded/out") == folded and not hidden("folded") and os.listdir("folded") == ["out"]
        clear()
        shutil.rmtree("folded")


@case
def a_file_whose_name_has_another_case_is_not_part_of_the_report():
    """As if an archiver or another system had changed the case: the report is kept."""
    (log,) = logs(1)
    makes("-o", "out", log)
    os.rename("out/raw.log", "out/RAW.log")
    before = content("out")
    for kind in ("", "fold"):
        status, said = call("-o", "out", "--overwrite", log, kind=kind)
        assert status == 1 and "cannot replace out: it contains 'RAW.log', which is not part of a report" in said, said
        assert content("out") == before and not hidden()


def use(tlparse, _):
    global TLPARSE
    TLPARSE = tlparse


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="tlparse-shared-") as at:
        LIBRARY = Path(at, "filesystem.so")
        if "--list" not in sys.argv:
            subprocess.run([os.environ.get("CC", "cc"), "-O1", "-shared", "-fPIC", "-o", LIBRARY, HERE / "filesystem.c", "-ldl"], check=True)
        result = main(__doc__, use)
    sys.exit(result)

#!/usr/bin/env python3
"""Let each allocation and each system call of a run fail, one at a time, and check what is left and what is said.

    run.py [--tlparse build/tlparse] [--all] [--list] [--said] [--shim FILE] [NAME...]   only the checks whose names begin with NAME

shim.c, which is preloaded, lets the n-th call of a function fail. SCENES are the commands, ERRORS the error numbers of each group of
functions. Without --all, calls from the same place by the same way count as one: the first of them fails, in the first scene that has
it. With --all, each call of each scene fails.

After each run:
    - the files are those of before, or those of the run without a fault: nothing is mixed, missing or left behind
    - exit status 0 means that all files and the output are those of the run without a fault
    - otherwise standard error says what failed and why
    - the program did not end by a signal, and did not hang
    - it survives what has another way (SURVIVED), and calls that are interrupted or transfer less than was asked for

One of several logs or facts files may be left out, and hidden files of an old report may stay, if standard error says so. --said prints
each distinct message, with a fault that leads to it.
"""
import argparse
import errno
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import zstandard

TOP = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests/tools"))
import samples  # noqa: E402

HERE = Path(__file__).resolve().parent
LIMIT_S, SLOW_S = 30, 5
RACY_NS = 50_000_000  # a file that was changed this recently may be changed again without a new time
SHORT, FOREVER = 0, 0xFFFFFFFF
FULL_EVERY = 4  # without --all, for so many calls once: all errors, also those of SELDOM
ERRORS = {  # …: and so do all later calls of the group
    "alloc": ["ENOMEM", "ENOMEM…"],
    "open": ["EMFILE", "EACCES", "EDQUOT", "ESTALE"],
    "read": ["EIO", "EINTR", "SHORT"],
    "write": ["ENOSPC", "EDQUOT", "EINTR", "SHORT", "ENOSPC…", "EDQUOT…"],
    "rename": ["EACCES", "ENOSYS", "ENOSPC"],
    "mkdir": ["ENOSPC", "EDQUOT"],
    "close": ["EIO", "EDQUOT"],  # NFS writes when a file is closed
    "readdir": ["EIO"],
    "stat": ["EIO", "EACCES"],
    "unlink": ["EIO"],
    "link": ["EPERM"],
    "seek": ["EIO"],
    "lock": ["ENOLCK", "EWOULDBLOCK"],
    "thread": ["EAGAIN", "EAGAIN…"],
    "spawn": ["EAGAIN"],
    "pipe": ["EMFILE"],
    "path": ["EIO"],
    "mode": ["EPERM"],
    "random": ["ENOSYS"],
    "flush": ["ENOSPC", "EDQUOT"],
    "socket": ["EMFILE"],
}
# Those of file systems on other hosts, which take the same ways as others; and failures of all later calls.
SELDOM = {"EDQUOT", "ESTALE"} | {error for errors in ERRORS.values() for error in errors if error.endswith("…")}
SURVIVED = {("renameat2", "ENOSYS"), ("linkat", "EPERM"), ("fchown", "EPERM"), ("fchmod", "EPERM"), ("getentropy", "ENOSYS"), ("flock", "ENOLCK")}


# ---- what is run


class Scene:
    """A command, in a folder with logs and what the commands `before` add. `{}` is the program. `cwd` is the current folder, if it is
    not the one with the logs. `shim` is for the shim in every run. A run that `varies`, by time or by chance, is not compared with another:
    it leaves nothing with the name of a temporary file, and ends as it should."""

    def __init__(self, *command, before=(), stdin=None, cwd="", shim=None, varies=False):
        self.command, self.before, self.stdin, self.cwd, self.shim, self.varies = command, before, stdin, cwd, shim or {}, varies


OLD = ("{}", "--no-browser", "-o", "out", "old.log")
REPORT = ("{}", "--no-browser", "--threads", "0")
FACTS = ("{}", "facts", "--threads", "0")
NODES = [("cp", "-rp", "ranks", "node1"), (*FACTS, "node1", "-o", "a.facts"), (*FACTS, "old.log", "-o", "b.facts")]
MERGE = ("{}", "merge", "--threads", "0", "a.facts", "b.facts")
SCENES = {
    "report": Scene(*REPORT, "-o", "out", "new.log"),
    "replace": Scene(*REPORT, "-o", "out", "--overwrite", "-p", "packed.log.zst", before=[OLD]),
    "parents": Scene(*REPORT, "-o", "a/b/out", "-", stdin="new.log"),
    "here": Scene(*REPORT, "-o", ".", "../new.log", cwd="here"),
    "no-exchange": Scene(*REPORT, "-o", "out", "--overwrite", "new.log", before=[OLD], shim={"FAULTS_RENAMEAT2": str(errno.ENOSYS)}),
    "entries": Scene(*REPORT, "-o", "out", "--overwrite", "new.log", before=[OLD], shim={"FAULTS_RENAMEAT2": str(errno.EXDEV)}),
    "threads": Scene("{}", "--no-browser", "--threads", "2", "-o", "out", "--overwrite", "new.log", before=[OLD]),
    "ranks": Scene(*REPORT, "-o", "out", "--all-ranks-html", "--overwrite", "ranks", before=[OLD]),
    "runs": Scene(*REPORT, "-o", "out", "old.log", "new.log"),
    "export": Scene(*REPORT, "-o", "out", "--export", "--inductor-provenance", "new.log"),
    "summary": Scene("{}", "summary", "--threads", "0", "new.log"),
    "check": Scene("{}", "check", "--threads", "0", "--max", "compiles=0", "old.log"),
    "diff": Scene("{}", "diff", "--threads", "0", "old.log", "new.log"),
    "share": Scene("{}", "share", "out", "-o", "report.html", "--overwrite", before=[OLD, ("{}", "share", "old.log", "-o", "report.html")]),
    "redact": Scene("{}", "share", "--threads", "0", "new.log", "-o", "report.html", "--redact", "paths,names"),
    "archive": Scene("{}", "share", "out", "-o", "report.zip", before=[OLD]),
    "follow": Scene("{}", "follow", "--until-idle", "0", "new.log"),
    "follow-report": Scene("{}", "follow", "--until-idle", "0", "-o", "out", "--overwrite", "new.log", before=[OLD]),
    "facts": Scene(*FACTS, "ranks", "-o", "job.facts"),
    "facts-replace": Scene(*FACTS, "new.log", "packed.log.zst", "-o", "job.facts", "--overwrite", before=[(*FACTS, "old.log", "-o", "job.facts")]),
    "facts-out": Scene(*FACTS, "new.log", "-o", "-"),
    "merge": Scene(*MERGE, "--full", "none", "-o", "out", before=NODES),
    "merge-replace": Scene("{}", "merge", "--threads", "2", "a.facts", "b.facts", "-o", "out", "--overwrite", before=[OLD, *NODES]),
    "merge-full": Scene(*MERGE, "--full", "representatives", "--logs", "ranks", "-o", "out", before=[*NODES, ("mv", "node1", "elsewhere")]),
    "merge-facts": Scene(*MERGE, "-o", "all.facts", "--overwrite", before=[*NODES, (*FACTS, "old.log", "-o", "all.facts")]),
    "merge-out": Scene(*MERGE, "-o", "-", before=NODES),
    "run": Scene("{}", "run", "--", "sh", "-c", "cp new.log $TORCH_TRACE/dedicated_log_torch_trace_a.log", varies=True),
}


def logs(folder):
    """Small logs: one run with its ranks, and two others."""
    (folder / "ranks").mkdir()
    (folder / "here").mkdir()
    shutil.copy(next((samples.LOGS / "hung").glob("*.zst")), folder / "packed.log.zst")
    for name, source in (("new.log", "hung"), ("old.log", "forked_worker")):
        (folder / name).write_bytes(samples.read(next(p for p in samples.logs() if p.parent.name == source)))
    for rank in (0, 1):
        name = f"dedicated_log_torch_trace_rank_{rank}_abc.log"
        (folder / "ranks" / name).write_bytes((folder / ("old.log" if rank else "new.log")).read_bytes())
    for path in folder.rglob("*.log"):
        os.utime(path, (samples.MODIFIED, samples.MODIFIED))


def without_time(content):
    """The content of a facts file but for when it was made; other bytes as they are, also of one that is damaged."""
    try:
        return re.sub(rb'"made_us":\d+', b"", zstandard.decompress(content), count=1) if content.startswith(b"\x28\xb5\x2f\xfd") else content
    except zstandard.ZstdError:
        return content


class Place:
    """The folder in which a scene runs, again and again."""

    def __init__(self, tlparse, shim, folder, name):
        self.tlparse, self.shim, self.scene, self.folder = tlparse, shim, SCENES[name], folder
        self.work = folder / "work"
        self.known = {}
        self.cwd = self.work / self.scene.cwd
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.work / "home"), "TMPDIR": str(self.work / "tmp"), "LANG": "C.UTF-8",
            "XDG_CONFIG_HOME": str(self.work / "config"), **{k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}}
        self.work.mkdir()
        for below in ("home", "tmp", "config"):
            (self.work / below).mkdir()
        logs(self.work)
        for command in self.scene.before:
            self.start(command, {})
        shutil.copytree(self.work, folder / "clean", symlinks=True)
        self.before = self.content()
        self.status, self.out, self.said = self.run(self.scene.shim)
        self.after = self.content()
        self.list = folder / "list"
        self.restore()

    def content(self):
        """Each file with its bytes, each folder with None. A file that has the inode and the times that it had is not read again."""
        found, read, now = {}, {}, time.time_ns()
        for at, folders, files, descriptor in os.fwalk(self.work):
            below = os.path.relpath(at, self.work)
            for name in folders:
                found[os.path.normpath(os.path.join(below, name))] = None
            for name in files:
                st = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                key, path = (st.st_ino, st.st_mtime_ns, st.st_ctime_ns, st.st_size), os.path.normpath(os.path.join(below, name))
                content = self.known.get(key)
                if content is None:
                    with open(os.path.join(at, name), "rb") as file:
                        content = file.read()
                    content = without_time(content) if name.endswith(".facts") else content
                found[path] = content
                if now - st.st_ctime_ns > RACY_NS:
                    read[key] = content
        self.known = read
        return found

    def restore(self):
        shutil.rmtree(self.work)
        shutil.copytree(self.folder / "clean", self.work, symlinks=True)

    def start(self, command, more):
        with open(self.work / self.scene.stdin if self.scene.stdin else os.devnull, "rb") as stdin:
            done = subprocess.run(
                [word.format(self.tlparse) for word in command], cwd=self.cwd, env={**self.environment, **more}, stdin=stdin,
                capture_output=True, timeout=LIMIT_S, check=False)
        return done.returncode, without_time(done.stdout), done.stderr.decode("utf-8", "replace")

    def run(self, faults):
        preload = {"LD_PRELOAD": str(self.shim), **self.scene.shim, **faults} if faults else {}
        return self.start(self.scene.command, preload)

    def calls(self):
        """(group, number of the call in its group, where it comes from) of each call."""
        status, out, _ = self.run({"FAULTS_LIST": str(self.list)})
        good = status == self.status if self.scene.varies else (status, out, self.content()) == (self.status, self.out, self.after)
        assert good, f"the shim changes the result: {status} {out[-300:]}"
        self.restore()
        counts, found = {}, []
        for line in self.list.read_text(encoding="utf-8").splitlines():
            group, stack = line.split()
            counts[group] = counts.get(group, 0) + 1
            found.append((group, counts[group], stack))
        return found


# ---- what must hold


def reason(name):
    return os.strerror(getattr(errno, name))


def survives(function, error):
    """Whether the program has another way, or tries again."""
    return error in ("EINTR", "SHORT") or (function, error) in SURVIVED


def judged(place, group, error, hit, result):
    """Why the result of a run with this fault is wrong, if it is."""
    status, out, said = result
    function, _, path = hit.partition(" ")
    content = place.content()
    name = error.rstrip("…")
    changed = content != place.before
    if changed:
        place.restore()
    if status < 0 or "Sanitizer" in said or "runtime error" in said:
        yield f"ended by signal {-status}"
    if place.scene.varies:
        left = [k for k in content if ".tlparse-" in k or k.startswith("tmp/")]
        if left:
            yield f"files: new {left}"
        if status != place.status and not said:
            yield f"exit status {status} without a message"
        return
    if content not in (place.before, place.after) and not (status == place.status and admitted(place, content, said, reason(name))):
        base = place.after if status == 0 else place.before
        left = sorted(k for k in content if k not in base)[:3]
        gone = sorted(k for k in base if k not in content)[:3]
        other = sorted(k for k in content if k in base and content[k] != base[k])[:3]
        yield f"files: new {left}, missing {gone}, different {other}"
    if (status == place.status and content in (place.before, place.after) and (content != place.after or out != place.out)
            and not (out and admitted(place, content, said, reason(name)))):
        yield f"exit status {status}, but " + ("the output is different" if content == place.after else "no files")
    if status == place.status:
        return
    if survives(function, name):
        yield f"exit status {status}"
    text = [line for line in said.splitlines() if line not in place.said.splitlines()]
    wanted = ("out of memory", reason("ENOMEM"), reason("EAGAIN")) if group == "alloc" else () if name == "SHORT" else (reason(name),)
    if not text and not path.endswith("/dev/null") and not (group == "write" and path.startswith("pipe:")):
        yield f"exit status {status} without a message"
    elif wanted and not any(word in said for word in wanted):
        yield f"exit status {status} without the reason: {said[-200:]!r}"


def admitted(place, content, said, why):
    """Whether the program says that hidden files are still there, or that it left out one of several logs or facts files, or its path."""
    if "cannot remove all files of the old report" in said or "cannot remove all temporary files" in said:
        return {k: v for k, v in content.items() if ".tlparse-" not in k} == place.after
    return re.search(f"(?m): skipped (?:this log|these facts): .*: {why}$|: cannot read .*: {why}; its logs are missing$"
                     rf"|: noted with this path, not the whole one: {why}$|: cannot look (for logs in|at) .*: {why}$", said) is not None


class Messages:
    """Each distinct message, with the first fault that leads to it."""

    def __init__(self):
        self.lock, self.seen = threading.Lock(), {}

    def add(self, place, fault, hit, result):
        status, _, said = result
        lines = [line for line in said.splitlines() if line not in place.said.splitlines()]
        text = re.sub(r"\.tlparse-\w+", ".tlparse-XXXXXX", "\n    ".join(lines))
        with self.lock:
            self.seen.setdefault((fault.split()[1], hit.split(" ")[0], status, text), (fault, hit))

    def print(self):
        for (_, _, status, text), (fault, hit) in sorted(self.seen.items()):
            print(f"{fault}, {hit}: exit status {status}\n    {text}")


def faults(place, lock, name, group, wanted, messages):
    """The faults of a group in a scene."""
    hits = place.folder / "hits"
    with lock:
        for number, error in wanted:
            hits.unlink(missing_ok=True)
            value = SHORT if error == "SHORT" else getattr(errno, error.rstrip("…"))
            last = FOREVER if error.endswith("…") else number
            fault = f"{name} {group} {number} {error}"
            begin = time.monotonic()
            try:
                result = place.run({"FAULTS_CALL": group, "FAULTS_FIRST": str(number), "FAULTS_LAST": str(last), "FAULTS_ERRNO": str(value),
                                    "FAULTS_HIT": str(hits)})
            except subprocess.TimeoutExpired as late:
                place.restore()
                yield f"{fault}: hangs: {(late.stderr or b'')[-200:]!r}"
                continue
            hit = hits.read_text(encoding="utf-8", errors="replace").split("\n")[0] if hits.exists() else "nothing"
            messages.add(place, fault, hit, result)
            if time.monotonic() - begin > SLOW_S:
                yield f"{fault} ({hit}): took {time.monotonic() - begin:.1f} s"
            for what in judged(place, group, error, hit, result):
                yield f"{fault} ({hit}): {what}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="let each call of each scene fail")
    parser.add_argument("--said", action="store_true", help="print the messages")
    parser.add_argument("--shim", type=Path, help="shim.c, compiled")
    args = samples.arguments(parser)
    checks, messages, seen, total, scenes = samples.Checks("faults", args.names), Messages(), set(), 0, []
    if args.list:
        for name in SCENES:
            checks.add(name, None)
        return checks.list()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > 1 << 30 else None
    with tempfile.TemporaryDirectory(prefix="tlparse-faults-", dir=memory) as folder:
        shim = args.shim or Path(folder, "shim.so")
        if not args.shim:
            subprocess.run([os.environ.get("CC", "cc"), "-O1", "-shared", "-fPIC", "-o", shim, HERE / "shim.c", "-ldl"], check=True)
        for name in SCENES:
            if args.names and not name.startswith(tuple(n.split("/")[0] for n in args.names)):
                continue
            (Path(folder) / name).mkdir()
            place, lock, wanted = Place(args.tlparse, shim, Path(folder, name), name), threading.Lock(), {}
            for group, number, stack in place.calls():
                if args.all or (group, stack) not in seen:
                    full = args.all or not len(seen) % FULL_EVERY
                    seen.add((group, stack))
                    wanted.setdefault(group, []).extend((number, error) for error in ERRORS[group] if full or error not in SELDOM)
            total += sum(map(len, wanted.values()))
            scenes.append([(f"{name}/{group}", faults, place, lock, name, group, some, messages) for group, some in wanted.items()])
        for some in itertools.zip_longest(*scenes):  # a scene has one folder: scenes in turn, so that all processors have something to do
            for check in filter(None, some):
                checks.add(*check)
        print(f"{total} faults")
        status = checks.run(show=1000 if args.said else 8)
        if args.said:
            messages.print()
    return status


if __name__ == "__main__":
    sys.exit(main())

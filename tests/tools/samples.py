"""Sample logs and their reports, shared by the suites.

Logs are named by their path in tests/data/logs. Reports are cached in build/test (TLPARSE_TEST_WORK) by the SHA-256 of the
program and the arguments, so each is built once for all suites. tests/browser/lib/report.mjs reads and writes the same
folder: change both together. Do not modify a report in it.

The logs of tests/data may be redistributed. Those in TRACES (../shared/traces, or TLPARSE_TRACES) may not; they are used if
they are present.
"""
import fcntl
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
LOGS = TOP / "tests/data/logs"
CORPUS = TOP / "tests/data/corpus"
WORK = Path(os.environ.get("TLPARSE_TEST_WORK", TOP / "build/test"))
TRACES = Path(os.environ.get("TLPARSE_TRACES", TOP.parent / "shared/traces"))
ELSEWHERE = TRACES / "gpu"  # recorded by others on CUDA machines; not redistributable
LIMIT_S = 600
MODIFIED = 1767225600  # logs without a date take the year from the file
PACKED = (".gz", ".zst")


def plain_name(path):
    return path.with_suffix("") if path.suffix in PACKED else path


def logs(empty=False):
    """Every log of tests/data, sorted; empty ones only on request."""
    return [p for p in sorted(LOGS.rglob("*")) if plain_name(p).suffix == ".log" and p.is_file() and (empty or p.stat().st_size)]


def corpus():
    """Every log of tests/data/corpus: of programs that were not written for a test."""
    return [p for p in sorted(CORPUS.rglob("*")) if plain_name(p).suffix == ".log" and p.stat().st_size]


def foreign():
    """The logs that may not be redistributed, if they are present."""
    return [p for p in sorted(ELSEWHERE.rglob("*")) if p.suffix in (".log", ".txt") and p.is_file() and p.stat().st_size]


def folders():
    """The folders of tests/data with several logs."""
    parents = [p.parent for p in logs(empty=True)]
    return sorted({p for p in parents if parents.count(p) > 1})


def title(path):
    """The name of a log in messages and on the command line: without its file name if it is the only log in its folder."""
    base = LOGS if path.is_relative_to(LOGS) else CORPUS.parent if path.is_relative_to(CORPUS) else ELSEWHERE.parent
    if path.is_relative_to(base):
        name = plain_name(path).relative_to(base)
        alone = not path.is_dir() and sum(".log" in p.suffixes for p in path.parent.iterdir()) == 1
        return str(name.parent if alone else name)
    return str(path)


def read(path):
    """The decompressed bytes of a log."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(data)
    if path.suffix == ".zst":
        return subprocess.run(["zstd", "-dcq"], input=data, stdout=subprocess.PIPE, check=True).stdout
    return data


@lru_cache(None)
def unpacked():
    """The folder of all logs of tests/data, decompressed, for programs that only read plain text."""
    place, stamp = WORK / "logs", WORK / "logs.json"
    WORK.mkdir(parents=True, exist_ok=True)
    with open(WORK / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = {str(p.relative_to(LOGS)): [p.stat().st_size, p.stat().st_mtime_ns] for p in logs(empty=True)}
        if not stamp.exists() or json.loads(stamp.read_text()) != wanted:
            shutil.rmtree(place, ignore_errors=True)
            for name in wanted:
                plain = place / plain_name(Path(name))
                plain.parent.mkdir(parents=True, exist_ok=True)
                plain.write_bytes(read(LOGS / name))
                os.utime(plain, (MODIFIED, MODIFIED))
            stamp.write_text(json.dumps(wanted))
    return place


@lru_cache(None)
def unpacked_log(path):
    """The decompressed file for a log of the corpus; those of a folder are in one folder."""
    target = WORK / "corpus" / f"{path.parent.stat().st_mtime_ns:x}" / plain_name(path).relative_to(CORPUS)
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
            file.write(read(path))
        os.utime(file.name, (MODIFIED, MODIFIED))
        os.replace(file.name, target)  # suites run at the same time
    return target


def plain(path):
    """The decompressed file or folder for a log or folder of tests/data; other paths are unchanged."""
    if path.is_relative_to(CORPUS):
        if path.is_dir():
            return [unpacked_log(log).parent for log in corpus() if log.parent == path][0]
        return unpacked_log(path) if path.suffix in PACKED else path
    return unpacked() / plain_name(path).relative_to(LOGS) if path.is_relative_to(LOGS) else path


class Report:
    """A finished run of tlparse: exit status, standard error, and the output folder."""

    def __init__(self, folder):
        self.out = folder / "out"
        said = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        self.status, self.stderr = said["status"], said["stderr"]

    def json(self):
        """report.json. Raises an AssertionError with standard error if there is none."""
        path = self.out / "report.json"
        if not path.exists():
            raise AssertionError(f"no report.json, exit status {self.status}: {self.stderr[-500:]}")
        return json.loads(path.read_text(encoding="utf-8"))


@lru_cache(None)
def reports_folder(tlparse):
    """The folder of this program's reports. remove_old_reports() removes those of other builds."""
    return WORK / "reports" / hashlib.sha256(Path(tlparse).read_bytes()).hexdigest()[:16]


def remove_old_reports(tlparse):
    """Call this in one process before suites run."""
    own = reports_folder(tlparse)
    for other in own.parent.glob("*"):
        if other != own:
            shutil.rmtree(other, ignore_errors=True)


def report(tlparse, sources, *options):
    """The Report of a log, a folder, or a list of them; built on the first call with these arguments."""
    sources = sources if isinstance(sources, (list, tuple)) else [sources]
    named = [str(p.relative_to(LOGS)) if p.is_relative_to(LOGS) else str(p) for p in sources]
    key = hashlib.sha256("\n".join([*named, *map(str, options)]).encode()).hexdigest()[:20]
    home = reports_folder(tlparse) / key
    if not (home / "run.json").exists():
        home.parent.mkdir(parents=True, exist_ok=True)
        half = Path(tempfile.mkdtemp(prefix="part-", dir=home.parent))
        try:
            done = subprocess.run(
                [str(a) for a in (tlparse, *sources, "-o", half / "out", "--no-browser", *options)], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=LIMIT_S,
            )
            said = done.stderr.decode("utf-8", "replace").replace(str(half), "WORK")
            (half / "run.json").write_text(json.dumps({"status": done.returncode, "stderr": said}), encoding="utf-8")
            try:
                half.rename(home)
            except OSError:  # another process was faster
                pass
        finally:
            shutil.rmtree(half, ignore_errors=True)
    return Report(home)


class Checks:
    """Runs checks, prints their errors, and finally `N passed, N failed`."""

    def __init__(self, description, names=()):
        self.description, self.names = description, tuple(names)
        self.tests = []  # (name, function, arguments)

    def add(self, name, function, *arguments):
        """Adds a check. `function` returns its errors as lines. It is skipped unless its name begins with one of `names`."""
        if not self.names or name.startswith(self.names):
            self.tests.append((name, function, arguments))

    def list(self):
        print(*(name for name, _, _ in self.tests), sep="\n")
        return 0

    def run(self, show=8, workers=2, last=None):
        """Returns the exit status: 0 if there were checks and all passed. `last` checks what the others have seen; it runs
        after them, unless names are given."""

        def faults(test):
            try:
                return list(test[1](*test[2]))
            except Exception as error:  # a check may fail in any way; the others continue
                return [f"{type(error).__name__}: {error}"]

        failed = 0

        def say(test, found):
            nonlocal failed
            failed += bool(found)
            for fault in found[:show]:
                print(f"FAIL {test[0]}: {fault}", flush=True)

        with ThreadPoolExecutor(workers) as pool:
            for test, found in zip(self.tests, pool.map(faults, self.tests), strict=True):
                say(test, found)
        if last and not self.names:
            self.add(*last)
            say(self.tests[-1], faults(self.tests[-1]))
        if not self.tests:
            print(f"no check of {self.description} has this name")
        print(f"{len(self.tests) - failed} passed, {failed} failed")
        sys.stdout.flush()
        return 1 if failed or not self.tests else 0


def arguments(parser, argv=None):
    """The parsed arguments of a suite: the program, --list, and names of checks."""
    parser.add_argument("--tlparse", type=Path, default=Path(os.environ.get("TLPARSE", TOP / "build/tlparse")))
    parser.add_argument("--list", action="store_true", help="list the checks and exit")
    parser.add_argument("names", nargs="*", help="run the checks whose names begin with NAME")
    args = parser.parse_args(argv)
    args.tlparse = args.tlparse.resolve()
    return args

#!/usr/bin/env python3
"""Build, run the test suites, and print the time and result of each; the last line is `N passed, N failed`.

    test.py              run the suites that check every change
    test.py --all        also run the long tests: large logs, fuzzing, sanitizers over everything, every flag with every log
    test.py NAME...      run these suites (truth means truth and truth-*), or single tests: unit/chains golden/gpt2 browser/timeline
                         A test is named by the beginning of its name; browser/timeline:zoom also selects by a word in its title.
    test.py --list [SUITE...]   list the suites, or the tests of these

`./dev test` calls it after the set-up. Two suites run at a time if there are two processors, and the browser's beside them, because it
waits more than it computes. Tests that need the reference program (TLPARSE_PEER, or where the set-up installs it), or logs that may not
be redistributed (TLPARSE_TRACES, or ../shared/traces), are skipped by name if these are absent. Nothing else may be skipped. Exit
status 1 if anything failed.
"""
import argparse
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "tests/tools"))
import samples  # noqa: E402

os.environ["XDG_CONFIG_HOME"] = str(TOP / "build/no-config")  # the configuration of who runs the tests must not matter
PEER = Path(os.environ.get("TLPARSE_PEER", TOP / ".cache/peer/bin/tlparse"))
TLPARSE = TOP / "build/tlparse"
TEST_PYTHON = TOP / ".cache/python/bin/python3"  # tools/setup.sh: has the packages of tests/requirements.txt
PYTHON = str(TEST_PYTHON) if TEST_PYTHON.exists() else sys.executable
LIMIT_S = 2700  # for one command
BUILD_PROGRAMS = ("embed", "noise", "python_types", "text", "vocabulary", "web")  # of tools/, which meson runs
SUITES = {}  # name -> function(names of tests), in the order in which they start
LISTS = {}  # name -> function() that returns the names of the suite's tests
LONG = set()  # suites that only run with --all
WAITS = {"browser"}  # suites that wait more than they compute: they take no place in the pool
EVERYTHING = False  # --all
MEMORY = None  # a folder in memory for the temporary files of tests: on a disk, creating and removing them takes a fourth of the CPU
MEMORY_BYTES = 4 << 30  # the free space that it needs
spent = threading.local()  # .cpu_s: what the commands of this thread took; .large: its suite writes too much for MEMORY


class Failed(Exception):
    """A command failed that must not fail. Has its output."""


class Skipped(Exception):
    """Why a suite cannot run here."""


def suite(tests=None, long=False):
    """Declares a suite. --list prints its docstring. `tests` returns the names of its tests."""

    def add(function):
        name = function.__name__.replace("_", "-")
        SUITES[name], LISTS[name] = function, tests
        if long:
            LONG.add(name)
        return function

    return add


def run(*command, cwd=TOP, env=None):
    """(exit status, output), with both streams merged."""
    temporary = {"TMPDIR": MEMORY} if MEMORY and not getattr(spent, "large", False) else {}
    with tempfile.TemporaryFile() as said:
        try:
            process = subprocess.Popen(
                [str(c) for c in command], cwd=cwd, env={**os.environ, **temporary, **(env or {})}, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        except OSError as error:
            return 127, str(error)
        late = threading.Timer(LIMIT_S, process.kill)
        late.start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        ended = late.finished.is_set()
        late.cancel()
        spent.cpu_s = getattr(spent, "cpu_s", 0) + usage.ru_utime + usage.ru_stime
        said.seek(0)
        return process.returncode, said.read().decode("utf-8", "replace") + (f"\nended after {LIMIT_S} s" if ended else "")


def must(*command, **how):
    status, text = run(*command, **how)
    if status:
        raise Failed(f"$ {' '.join(map(str, command))}\n{text}\nexit status {status}")
    return text


def counted(*command, **how):
    """A command whose output ends with "N passed, N failed[, N skipped]": (passed, failed, skipped, output)."""
    status, text = run(*command, **how)
    found = re.findall(r"(?m)^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", text)
    if not found:
        return 0, 1, 0, f"{text}\nexit status {status}, and no count of passed tests"
    passed, failed, skipped = (int(n or 0) for n in found[-1])
    if (status or not passed) and not failed:
        failed, text = 1, f"{text}\nexit status {status}, {passed} passed"
    return passed, failed, skipped, text


def total(*results):
    return (*(sum(r[i] for r in results) for i in range(3)), "\n".join(r[3] for r in results if r[1] or r[2]))


def script(path, *options):
    """A suite function of a Python script of tests/, and one that lists its tests."""

    def start(names, *more):
        return counted(PYTHON, f"tests/{path}", *options, "--tlparse", TLPARSE, *more, *names)

    return start, lambda: must(PYTHON, f"tests/{path}", *options, "--tlparse", TLPARSE, "--list").split("\n")


def scripted(name, what, path, *options, long=False, more=False):
    """Declares a suite that is a Python script of tests/. more: with --all, it has more tests."""
    start, tests = script(path, *options)

    def function(names):
        return start(names, *(["--all"] if more and EVERYTHING else []))

    function.__name__, function.__doc__ = name, what
    suite(tests, long)(function)


def build(folder, *options, cc=None, targets=()):
    if not (TOP / folder / "build.ninja").exists():
        must("meson", "setup", folder, *options, env={"CC": cc} if cc else None)
    else:
        must("meson", "setup", "--reconfigure", folder, *options)  # sees new unit tests
    must("ninja", "--quiet", "-C", folder, *targets)


def unit_names():
    return sorted(p.stem.removeprefix("test_") for p in (TOP / "tests/unit").glob("test_*.c"))


def beginning(names, wanted):
    """The names that begin with one of the wanted, or all of them if none is wanted. Raises Failed if one matches none."""
    for start in wanted:
        if not any(name.startswith(start) for name in names):
            raise Failed(f"no test is named {start}")
    return [name for name in names if not wanted or name.startswith(tuple(wanted))]


def meson_units(folder, names, env=None):
    """The cmocka programs. Their TAP output is parsed here, because cmocka reports a skipped test as "not ok 3 # SKIP name"."""
    log = TOP / folder / "meson-logs/testlog.json"
    log.unlink(missing_ok=True)
    slower = ("-t", "4") if env else ()  # sanitizers
    _, text = run("meson", "test", "-C", folder, "--no-rebuild", "--suite", "unit", *slower, *names, env=env)
    if not log.exists() or not log.stat().st_size:
        return 0, 1, 0, text + "\nno unit tests ran"
    results = []
    for line in log.read_text(encoding="utf-8").splitlines():
        test = json.loads(line)
        tap = test.get("stdout") or ""
        planned = sum(int(n) for n in re.findall(r"(?m)^1\.\.(\d+)", tap))
        passed = len(re.findall(r"(?m)^ok ", tap))
        skipped = len(re.findall(r"(?m)^not ok .*# SKIP", tap))
        failed = len(re.findall(r"(?m)^not ok ", tap)) - skipped
        if not failed and (test["returncode"] or not planned or planned != passed + skipped):
            failed = 1  # it crashed, or a sanitizer reported an error at exit
        said = f"{test['name']}: exit status {test['returncode']}\n{tap}{test.get('stderr') or ''}"
        if not failed:
            said = "\n".join(f"skip {test['name']}: {name}" for name in re.findall(r"(?m)^not ok .*# SKIP (\S+)", tap))
        results.append((passed, failed, skipped, said))
    if len(results) != len(names):
        results.append((0, 1, 0, f"{len(results)} of {len(names)} programs ran: {' '.join(names)}"))
    return total(*results)


# Suites start in this order, the longest first, so that the others fill the remaining time.


@suite(lambda: must("node", "tests/browser/run.mjs", "--list").split("\n"))
def browser(names):
    """the page in a headless browser"""
    return counted("node", "tests/browser/run.mjs", *(["--all"] if EVERYTHING else []), *names)


CLANG = ("-Db_sanitize=address,undefined", "-Db_lundef=false", "-Dwerror=true")
# Compiling takes most of the time of a sanitizer build. Without optimization it takes a fifth, and the tests run a little longer. -g1 has
# what a stack trace shows. Only fuzzing needs to know which branches were taken.
LINES, BRANCHES = "-Dc_args=-g1", "-Dc_args=-fsanitize=fuzzer-no-link"
QUICK, FAST = "-Doptimization=0", "-Doptimization=1"
ASAN = {
    "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=1:detect_stack_use_after_return=1:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "halt_on_error=1:abort_on_error=1:print_stacktrace=1",
}
SHORT = ["simple", "graph_breaks", "errors", "truncated", "ranks_folder", "export_ok", "vllm_like", "provenance_jit"]  # golden cases
THREADED = ["block", "messages", "outdir", "pipeline", "profile_read", "ranks", "serve", "source", "stack", "strings"]  # unit tests of code that several threads run


def golden_case(folder, *options, names=(), env=None):
    few = [*([] if EVERYTHING else ["--few"]), *options, *(names or ([] if EVERYTHING else SHORT))]
    return counted(PYTHON, "tests/golden/run.py", "--tlparse", TOP / folder / "tlparse", *few, env=env)


def fuzz_targets():
    found = sorted(p.stem.removeprefix("fuzz_") for p in (TOP / "tests/fuzz").glob("fuzz_*.c"))
    if not found:
        raise Failed("there are no fuzz targets")
    return found


def fuzz_run(folder, name, *options):
    """One fuzz target of a build, with its corpus."""
    target = TOP / folder / "tests/fuzz" / f"fuzz_{name}"
    with tempfile.TemporaryDirectory() as seeds, tempfile.TemporaryDirectory() as work, zipfile.ZipFile(TOP / "tests/fuzz/corpus.zip") as archive:
        inputs = [entry for entry in archive.namelist() if entry.startswith(f"{name}/")]
        if not inputs:
            return 0, 1, 0, f"the corpus holds no input for {name}"
        archive.extractall(seeds, inputs)
        status, text = run(
            target, *options, "-entropic=0", "-timeout=20", "-rss_limit_mb=2048", f"-dict={TOP}/tests/fuzz/envelope.dict", f"-artifact_prefix={work}/", work,
            Path(seeds) / name, env=ASAN)
        inputs = "".join(f"\n{p.name}: {p.read_bytes()[:400]!r}" for p in Path(work).glob("*-*") if status)
    return int(not status), int(bool(status)), 0, f"{target.name}\n{text[-6000:]}{inputs}"


# OSS-Fuzz's flags, but with what QUICK and LINES are for, warnings as errors, and without fuzzer-no-link, which takes as long as all the rest: no
# new inputs are looked for.
FUZZED = "-O0 -gline-tables-only -Werror -fsanitize=address,undefined"


def oss_fuzz():
    """oss-fuzz/build.sh in an environment like OSS-Fuzz's: the folder of what it makes, and its build."""
    folder = TOP / "build-asan"
    source, out, work = (folder / name for name in ("src", "out", "work"))
    shutil.rmtree(out, ignore_errors=True)
    for path in (source, out, work):
        path.mkdir(parents=True, exist_ok=True)
    if not (source / "tlparse").is_symlink():
        (source / "tlparse").symlink_to(TOP)
    must("oss-fuzz/build.sh", env={"SRC": source, "OUT": out, "WORK": work, "CC": "clang", "CFLAGS": FUZZED, "LIB_FUZZING_ENGINE": "-fsanitize=fuzzer"})
    return out, work / "build"


def seeded(out, name):
    """Runs a target of OSS-Fuzz on its seeds, and looks for libraries that its script forgot."""
    with tempfile.TemporaryDirectory() as seeds, zipfile.ZipFile(out / f"{name}_seed_corpus.zip") as archive:
        archive.extractall(seeds)
        loaded = [line.split()[2] for line in must("ldd", out / name).splitlines() if "=>" in line]
        foreign = [path for path in loaded if Path(path).parent != out / "lib" and not re.search(r"/lib(c|m|pthread|dl|rt)\.so", path)]
        status, text = run(out / name, "-runs=0", "-timeout=20", "-rss_limit_mb=2048", f"-dict={out}/{name}.dict", seeds, cwd="/", env=ASAN)
    failed = bool(status or foreign)
    return int(not failed), int(failed), 0, f"{name}: {foreign}\n{text[-3000:]}"


def sanitized():
    return [*unit_names(), *(f"fuzz_{name}" for name in fuzz_targets())]


@suite(sanitized)
def asan(names):
    """oss-fuzz/build.sh, its targets on their seeds, unit tests and a few logs, under the address and undefined behavior sanitizers (clang, warnings are errors)"""
    wanted = beginning(sanitized(), names)
    units = [name for name in wanted if not name.startswith("fuzz_")]
    out, folder = oss_fuzz()
    must("ninja", "--quiet", "-C", folder, "tlparse", *(f"tests/test_{name}" for name in unit_names()))
    results = [meson_units(folder, units, ASAN)] if units else []
    results += [seeded(out, name) for name in wanted if name.startswith("fuzz_")]
    if not names:
        results.append(golden_case(folder, env=ASAN))
    if not names and EVERYTHING:
        results.append(counted(PYTHON, "tests/tools/hostile.py", "--tlparse", folder / "tlparse", "--limit", 300, "--memory", 4 << 20, env=ASAN))
    return total(*results)


@suite(unit_names)
def tsan(names):
    """unit tests of shared code and a few logs under the thread sanitizer (gcc, warnings are errors)"""
    units = beginning(unit_names(), names) if names or EVERYTHING else beginning(unit_names(), THREADED)
    options = ("-Db_sanitize=thread", "-Db_lundef=false", "-Dwerror=true", LINES, QUICK)
    build("build-tsan", *options, cc="gcc", targets=["tlparse", *(f"tests/test_{name}" for name in units)])
    env = {"TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1"}
    result = meson_units("build-tsan", units, env)
    logs = ["simple", "graph_breaks", "errors", "truncated", "provenance_jit"]
    return result if names else total(result, golden_case("build-tsan", "--threads", "4", names=[] if EVERYTHING else logs, env=env))


@suite(fuzz_targets, long=True)
def fuzz(names):
    """each fuzz target for a few seconds, under the address and undefined behavior sanitizers"""
    build("build-fuzz", *CLANG, BRANCHES, FAST, cc="clang")
    return total(*(fuzz_run("build-fuzz", name, "-max_total_time=15") for name in beginning(fuzz_targets(), names)))


@suite(lambda: ["branches"], long=True)
def coverage(names):
    """branches of src/ that unit tests, golden reports, the command line and mutants take: not fewer than tests/coverage.json says"""
    build("build-coverage", "-Db_coverage=true", QUICK, cc="gcc")
    folder, tlparse = TOP / "build-coverage", TOP / "build-coverage/tlparse"
    # Without an optimizer, functions are not fortified.
    cases = [name for name in must(PYTHON, "tests/cli/run.py", "--tlparse", tlparse, "--list").split() if name != "functions_are_protected"]
    results = [
        meson_units(folder.name, unit_names()),
        counted(PYTHON, "tests/cli/run.py", "--tlparse", tlparse, *cases),
        counted(PYTHON, "tests/golden/run.py", "--tlparse", tlparse),
        *(counted(PYTHON, f"tests/{name}/run.py", "--tlparse", tlparse) for name in ("answers", "runs", "follow", "serve")),
        counted(PYTHON, "tests/tools/mutants.py", "--tlparse", tlparse),
    ]
    summary = folder / "coverage.json"
    must("gcovr", "--root", TOP, "--filter", f"{TOP}/src/", "--exclude-throw-branches", "--json-summary", summary, folder)
    taken, floor = json.loads(summary.read_text()), json.loads((TOP / "tests/coverage.json").read_text())
    low = [f"{what}: {taken[f'{what}_percent']} %, at least {least}" for what, least in floor.items() if taken[f"{what}_percent"] < least]
    high = [f"{what}: {taken[f'{what}_percent']} %: raise the floor of {least}" for what, least in floor.items()
            if taken[f"{what}_percent"] > least + 1]
    return total(*results, (int(not low), int(bool(low)), 0, "\n".join(low + high)))


compat_start, compat_list = script("tools/compat.py", "--peer", PEER)
wheel_start, wheel_list = script("wheel/run.py")


@suite(long=True)
def lint(names):
    """./dev lint"""
    status, text = run("tools/lint.sh")
    passed, failed = (len(re.findall(rf"(?m)^{mark} ", text)) for mark in ("ok  ", "FAIL"))
    return passed, failed or int(bool(status) or not passed), 0, text


scripted("site", "the documentation site: built without a warning, its links, its generated pages, Chromium", "site/run.py", long=True)
scripted("cluster", "facts and merge below Slurm and Open MPI, and from an object store; the Job for Kubernetes", "cluster/run.py", long=True)
scripted("stress", "logs of unusual size or shape: limits on memory, and on how the number of instructions grows with the log", "stress/run.py", long=True)
scripted("soak", "follow --serve for a week, with time compressed: what it keeps of memory and descriptors, and what it leaves", "follow/soak.py", long=True)


@suite(wheel_list, long=True)
def wheel(names):
    """the wheels of ./dev wheel: contents, installation in every Python, an empty root, reports, the suite cli with the static program"""
    must(TOP / ".cache/wheel/tools/bin/python3", "packaging/wheel.py", "--target", "all")
    return wheel_start(names)


scripted("release", "the files of ./dev release: contents, a build of the sources by pip and debhelper, the recipes, another build with the same bytes", "release/run.py", long=True)


@suite(unit_names, long=True)
def without_server(names):
    """unit tests of a build with clang and without libevent (-Dserve=disabled, warnings are errors), and what it says to --serve"""
    folder = "build-without-server"
    build(folder, "-Dserve=disabled", "-Dwerror=true", cc="clang")
    said = "needs a server, and this tlparse was built without one"
    results = [meson_units(folder, beginning(unit_names(), names))]
    for call in (["serve"], ["nothing.log", "--serve"], ["follow", "--serve"], ["run", "--serve", "--", "true"]):
        status, text = run(TOP / folder / "tlparse", *call)
        good = status == 2 and said in text
        results.append((int(good), int(not good), 0, f"tlparse {' '.join(call)}: exit status {status}\n{text}"))
    return total(*results)


@suite()
def web(names):
    """the page's modules: types, with --all ESLint, and vitest (web/NAME: files whose path contains NAME)"""
    checked = ()
    if not names:
        status, text = run("npm", "run", "check" if EVERYTHING else "check:fast", cwd=TOP / "web")
        checked = ((int(not status), int(bool(status)), 0, text),)
    status, text = run("npm", "test", "--", *names, cwd=TOP / "web", env={"NO_COLOR": "1", "CI": "1"})
    line = (re.findall(r"(?m)^\s*Tests\s.*$", text) or [""])[-1]
    passed, failed, skipped = (int((re.findall(rf"(\d+) {word}", line) or [0])[0]) for word in ("passed", "failed", "skipped"))
    if (status or not passed) and not failed:
        failed = 1
    return total(*checked, (passed, failed, skipped, text))


def python_names():
    return sorted(p.stem.removeprefix("test_") for p in (TOP / "tests/python").glob("test_*.py"))


@suite(python_names)
def python(names):
    """the Python package, with pytest; with TLPARSE_TEST_TORCH, the folder of an installed PyTorch, also against that"""
    env = {"PYTHONPATH": str(TOP / "python"), "TLPARSE_BINARY": str(TLPARSE), "PYTHONDONTWRITEBYTECODE": "1"}
    chosen = [name for name in beginning(python_names(), names) if names or name != "torch" or "TLPARSE_TEST_TORCH" in os.environ]
    files = [f"tests/python/test_{name}.py" for name in chosen]
    status, text = run(TEST_PYTHON, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *files, env=env)
    line = (text.strip().split("\n") or [""])[-1]
    passed, failed, errors = (int((re.findall(rf"(\d+) {word}", line) or [0])[0]) for word in ("passed", "failed", "error"))
    reasons = [(int(count), why) for count, why in re.findall(r"(?m)^SKIPPED \[(\d+)\] [^:]*(?::\d+)?: (.*)$", text)]
    said = text if failed or errors or not passed else "\n".join(f"skip python: {why}" for _, why in reasons)
    if (status or not passed) and not failed + errors:
        failed, said = 1, text
    return passed, failed + errors, sum(count for count, _ in reasons), said


@suite()
def types(names):
    """the Python package and what a build runs need no later Python than pyproject.toml says (vermin); mypy --strict of the package: for that Python, without the modules whose packages need a later one; then everything"""
    least = re.search(r'(?m)^requires-python = ">=([\d.]+)"$', (TOP / "pyproject.toml").read_text())[1]
    vermin = (TEST_PYTHON, "-c", "import sys, vermin; sys.exit(vermin.main())", f"--target={least}-", "--violations", "--eval-annotations", "--no-tips")
    checks = [(*vermin, "python/tlparse", *(f"tools/{name}.py" for name in BUILD_PROGRAMS))]
    mypy = (TEST_PYTHON, "-m", "mypy", "--config-file", "tests/python/mypy.ini", "--cache-dir", TOP / ".cache/mypy", "--python-version")
    checks += [(*mypy, *options, "python/tlparse") for options in ((least, "--exclude", "/(pytest_plugin|mcp)[.]py$"), ("3.11", "tests/python"))]
    results = []
    for command in checks:
        status, text = run(*command)
        results.append((int(not status), int(bool(status)), 0, text))
    return total(*results)


scripted("answers", "summary, diff and check: their texts, JSON and other formats, limits, exit status", "answers/run.py")
scripted("graphs", "graphs against Python's parser; what differs between two, applied to the first, is the second; with --all, of all graphs", "graphs/run.py", more=True)
scripted("modules", "modules of operations against those that PyTorch had; parameters and buffers against the program", "modules/run.py")
scripted("memory", "the memory of compiled graphs against what torch.profiler saw", "memory/run.py")
scripted("cli", "the command line: options, folders, exit status, messages", "cli/run.py")
scripted("runtime", "profiles: their sums against those of PyTorch, planted facts, refusals", "runtime/run.py")
scripted("speed", "instructions and the peak of the heap of reports, a summary and a merge: not more than tests/speed/figures.json says", "speed/run.py")
scripted("extract", "programs, issues and logs that extract writes, of all logs and of hostile ones", "extract/run.py")
scripted("redact", "what a redacted page leaves: words in every text of every kind of record, in many forms", "redact/run.py")


@suite(compat_list)
def compat(names):
    """each file against the reference; with --all, every log with every flag"""
    if not os.access(PEER, os.X_OK):
        raise Skipped("the reference is not installed (cargo install tlparse)")
    return compat_start(names, *(["--all"] if EVERYTHING or names else []))


scripted("truth-changed", "invariants of logs that are doubled, mixed, disturbed or truncated", "truth/metamorphic.py")
scripted("golden", "complete reports of real logs against tests/golden/expected, in several ways to run; with --all, in every way for every log", "golden/run.py", more=True)


@suite(unit_names)
def unit(names):
    """modules, with cmocka"""
    return meson_units("build", beginning(unit_names(), names))


scripted("hostile", "corrupt and hostile logs", "tools/hostile.py")
scripted("mutants", "records whose members have wrong values", "tools/mutants.py", more=True)
scripted("faults", "allocations and system calls that fail, each once, in a run of each command; with --all, each of each run", "faults/run.py", more=True)
scripted("shared", "several runs into the same folder, and reports on file systems such as NFS or one that ignores the case of names", "shared/run.py")
scripted("runs", "run and runs: a program below tlparse, its signals and its terminal, the ranks of a launcher, the store", "runs/run.py")


@suite()
def doc(names):
    """links, paths, versions and style of the documentation"""
    return counted(PYTHON, "tests/doc/run.py")


scripted("follow", "follow: logs that grow", "follow/run.py")
scripted("serve", "--serve", "serve/run.py")


@suite()
def schema(names):
    """every report.json against doc/report.schema.json"""
    return counted(PYTHON, "tests/schema/check.py", "--tlparse", TLPARSE, *names)


scripted("truth", "facts about real logs, one row per fact in tests/truth/*.json", "truth/run.py")


@suite()
def truth_coverage(names):
    """rows in truth for each kind of finding and advice"""
    return counted(PYTHON, "tests/truth/coverage.py", "--tlparse", TLPARSE)


scripted("truth-log", "times, outcomes, values and unfinished spans of report.json against the log", "tools/report_truth.py")
scripted("truth-guards", "numbers of checks, and what filters leave of them, against PyTorch's guard managers", "truth/guard_checks.py")
scripted("truth-agree", "the same sums and counts on different pages", "truth/agree.py")
scripted("truth-kernels", "kernels against the output code in the log", "truth/kernels_code.py")
scripted("truth-lines", "source lines of kernels against PyTorch's records of provenance", "truth/kernels_lines.py")
scripted("facts", "compiles, breaks, failures, caches and record kinds of report.json against the log", "tools/report_facts.py")
scripted("oracle", "recompiles, graph breaks and numbers of guards of report.json against what PyTorch printed", "oracle/run.py")


@suite()
def manual(names):
    """mandoc's lint of the manual page"""
    pages = sorted((TOP / "doc").glob("*.1"))
    if not pages:
        return 0, 1, 0, "doc/ has no manual page"
    status, text = run("mandoc", "-T", "lint", "-W", "warning", *pages)
    return (0, 1, 0, text) if status or text.strip() else (len(pages), 0, 0, "")


NEEDS_MOUNT = {"fills_a_mount_point", "enters_no_mount_point", "fills_a_folder_of_a_foreign_parent"}  # and root
LACKING = {  # reasons for a skip that depend on the machine, as printed after "skip NAME: "
    "unit": NEEDS_MOUNT,
    "asan": NEEDS_MOUNT,
    "tsan": NEEDS_MOUNT,
    "speed": {"the processor has no AVX2"},
    "cli": {"cannot mount a small disk", "no /dev/full"},
    "python": {"PyTorch is not installed"},
    "wheel": {"only root can change the root", "qemu-aarch64-static is not installed"},
    "release": {"buildah may not build an image here"},
    "without-server": NEEDS_MOUNT | {"disconnects_idle_clients", "disconnects_clients_that_drip", "ends_by_either_signal", "reports_its_address"},
    "serve": {"this machine has no ::1", "no room for a sparse file of 5 GiB"},
}
NEEDS_REFERENCE = "recognizes_reports_of_the_reference"


def may_skip(name, text=""):
    """Why tests of a suite with this output may be skipped on this machine, or None."""
    if name == "browser":
        return None if samples.foreign() else "logs that may not be redistributed are absent"
    reference = None if os.access(PEER, os.X_OK) else "the reference is not installed"
    if name == "compat":
        return reference
    reasons = set(re.findall(r"(?m)^skip [^:]*: (.*)$", text))
    excused = LACKING.get(name, set()) | ({NEEDS_REFERENCE} if reference else set())
    return ", ".join(sorted(reasons)) if reasons and reasons <= excused else None


def perform(name, names):
    """Runs a suite: (name, passed, failed, skipped, output, note, wall seconds, CPU seconds)."""
    start, spent.cpu_s, spent.large, note = time.monotonic(), 0, name in LONG, ""
    try:
        passed, failed, skipped, text = SUITES[name](names) if name in SUITES else (build("build") or (1, 0, 0, ""))
        if skipped:
            why = may_skip(name, text)
            note, failed = f" ({why or 'a skip without a valid reason'})", failed + (not why)
    except Skipped as why:
        passed, failed, skipped, text, note = 0, int(not may_skip(name)), 1, "", f" ({why})"
    except Failed as error:
        passed, failed, skipped, text = 0, 1, 0, str(error)
    return name, passed, failed, skipped, text, note, time.monotonic() - start, spent.cpu_s


def show(name, passed, failed, skipped, text, note, wall_s, cpu_s):
    if failed:
        print(f"---- {name}\n{text.rstrip()}\n----")
    counts = f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else "")
    print(f"{'FAIL' if failed else 'ok  '} {name:16}{wall_s:7.1f} s {cpu_s:7.1f} s CPU  {counts}{note}", flush=True)


def chosen(words):
    """{suite: names of tests} for the command line. Raises Failed if there is no such suite."""
    if not words:
        return {name: [] for name in SUITES if EVERYTHING or name not in LONG}
    found = {}
    for word in words:
        start, _, test = word.partition("/")
        names = [start] if test and start in SUITES else [name for name in SUITES if name == start or name.startswith(f"{start}-")]
        if not names:
            raise Failed(f"no suite {start} (--list names them)")
        for name in names:
            found.setdefault(name, []).extend([test] if test else [])
    return found


def listed(words):
    """Prints the suites, or the tests of these."""
    for name, function in SUITES.items():
        if not words:
            print(f"{name:16}{inspect.cleandoc(function.__doc__)}{' (with --all)' if name in LONG else ''}")
        elif name in chosen(words):
            print(*(f"{name}/{test}" for test in (LISTS[name]() if LISTS[name] else []) if test), sep="\n")


@contextmanager
def memory():
    """Sets MEMORY if there is room, unless the user has chosen a TMPDIR. The tests run programs in it."""
    global MEMORY
    place = Path("/dev/shm")
    try:
        there = os.statvfs(place)
    except OSError:
        there = None
    fits = there and not there.f_flag & os.ST_NOEXEC and there.f_bavail * there.f_frsize >= MEMORY_BYTES
    if "TMPDIR" in os.environ or not fits or not os.access(place, os.W_OK):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="tlparse-test-", dir=place, ignore_cleanup_errors=True) as folder:
        MEMORY = folder
        yield
    MEMORY = None


def main():
    global EVERYTHING
    if os.access(PEER, os.X_OK):
        os.environ["TLPARSE_PEER"] = str(PEER)  # for tests that use it
    os.environ["TLPARSE"] = str(TLPARSE)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="list the suites, or the tests of these, and exit")
    parser.add_argument("--all", action="store_true", help="also run the long tests")
    parser.add_argument("names", nargs="*", metavar="NAME")
    args = parser.parse_args()
    EVERYTHING = args.all
    try:
        if args.list:
            return listed(args.names)
        wanted = chosen(args.names)
    except Failed as error:
        sys.exit(str(error))
    results = [perform("build", [])]
    show(*results[0])
    if not results[0][2]:
        samples.remove_old_reports(TLPARSE)
        samples.unpacked()
        with memory(), ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool, ThreadPoolExecutor(1) as waiting:
            lane = {name: waiting if name in WAITS else pool for name in wanted}
            for done in as_completed([lane[name].submit(perform, name, names) for name, names in wanted.items()]):
                results.append(done.result())
                show(*results[-1])
    passed, failed, skipped = (sum(result[i] for result in results) for i in (1, 2, 3))
    print(f"{sum(result[7] for result in results):.0f} s of CPU")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Run the test suites, each with its name, time and result; the last line is `N passed, N failed`.

    test.py            build, then every suite
    test.py SUITE...   build, then these
    test.py --list     say which there are

`./dev test` calls it after the set-up. Tools and traces that lie beside the project (../shared, or TLPARSE_SHARED) and
the reference program (TLPARSE_PEER, or where the set-up has put it) are used where they are: what needs them is
skipped with a word where they are not. Exit status 1 when anything failed.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("TLPARSE_SHARED", TOP.parent / "shared"))
PEER = Path(os.environ.get("TLPARSE_PEER", TOP / ".cache/peer/bin/tlparse"))
TLPARSE = TOP / "build/tlparse"
LIMIT_S = 2700  # for one command
SUITES = {}  # name -> function, in the order they run


class Failed(Exception):
    """A command that ended badly where none may; holds its output."""


class Skipped(Exception):
    """Why a suite cannot run here."""


def suite(function):
    SUITES[function.__name__.replace("_", "-")] = function
    return function


def run(*command, cwd=TOP, env=None):
    """(exit status, output), both streams in one."""
    try:
        done = subprocess.run(
            [str(c) for c in command], cwd=cwd, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_S,
        )
        return done.returncode, done.stdout.decode("utf-8", "replace")
    except subprocess.TimeoutExpired as error:
        return 124, (error.stdout or b"").decode("utf-8", "replace") + f"\nended after {LIMIT_S} s"
    except OSError as error:
        return 127, str(error)


def must(*command, **how):
    status, text = run(*command, **how)
    if status:
        raise Failed(f"$ {' '.join(map(str, command))}\n{text}\nexit status {status}")
    return text


def counted(*command, **how):
    """A command whose output ends with "N passed, N failed[, N skipped]"."""
    status, text = run(*command, **how)
    found = re.findall(r"(\d+) passed, (\d+) failed(?:, (\d+) skipped)?", text)
    if not found:
        return 0, 1, 0, f"{text}\nexit status {status}, and no count of what passed"
    passed, failed, skipped = (int(n or 0) for n in found[-1])
    if (status or not passed) and not failed:
        failed, text = 1, f"{text}\nexit status {status}"
    return passed, failed, skipped, text


def total(*results):
    return (*(sum(r[i] for r in results) for i in range(3)), "\n".join(r[3] for r in results if r[1]))


def build(folder, *options, cc=None):
    if not (TOP / folder / "build.ninja").exists():
        must("meson", "setup", folder, *options, env={"CC": cc} if cc else None)
    else:
        must("meson", "setup", "--reconfigure", folder, *options)  # sees new unit tests
    must("ninja", "--quiet", "-C", folder)


def meson_units(folder, env=None):
    """The cmocka programs; their TAP is read here, since cmocka tells a skipped test as "not ok 3 # SKIP name"."""
    log = TOP / folder / "meson-logs/testlog.json"
    log.unlink(missing_ok=True)
    slower = ("-t", "4") if env else ()  # sanitizers
    _, text = run("meson", "test", "-C", folder, "--no-rebuild", "--suite", "unit", *slower, env=env)
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
            failed = 1  # it crashed, or a sanitizer spoke at its end
        said = f"{test['name']}: exit status {test['returncode']}\n{tap}{test.get('stderr') or ''}"
        results.append((passed, failed, skipped, said))
    return total(*results)


def shared(name):
    path = SHARED / "tools" / name
    if not path.exists():
        raise Skipped(f"{name} does not lie beside the project")
    return path


def traces(empty=False):
    """Every single log of the shared traces."""
    logs = [p for p in sorted((SHARED / "traces").rglob("*")) if p.suffix in (".log", ".txt") and p.is_file()]
    return [p for p in logs if empty or p.stat().st_size]


def unpacked(work):
    """The logs of tests/data/logs, each in a folder of its own below `work`, as tools want them that read plain text."""
    logs = []
    for packed in sorted((TOP / "tests/data/logs").rglob("*")):
        commands = {".gz": ["gzip", "-dc"], ".zst": ["zstd", "-dcq"], ".log": ["cat"]}
        if not packed.is_file() or not packed.stat().st_size or packed.suffix not in commands:
            continue
        place = Path(work) / packed.parent.relative_to(TOP / "tests/data/logs") / packed.name.removesuffix(".gz").removesuffix(".zst")
        place.parent.mkdir(parents=True, exist_ok=True)
        with open(place, "wb") as out:
            subprocess.run([*commands[packed.suffix], str(packed)], stdout=out, check=True)
        logs.append(place)
    return logs


@suite
def unit():
    return meson_units("build")


@suite
def cli():
    return counted(sys.executable, "tests/cli/run.py", "--tlparse", TLPARSE)


@suite
def golden():
    return counted(sys.executable, "tests/golden/run.py", "--tlparse", TLPARSE)


@suite
def stress():
    return counted(sys.executable, "tests/stress/run.py", "--tlparse", TLPARSE)


def compare(*arguments):
    """compat.py with these logs and flags."""
    tool = shared("compat.py")
    if not os.access(PEER, os.X_OK):
        raise Skipped("the reference is not installed (cargo install tlparse)")
    status, text = run(sys.executable, "tests/compat/compare.py", tool, "--ours", TLPARSE, "--peer", PEER, *arguments)
    # Where the reference ends without a report (bytes that are no UTF-8) there is nothing to compare.
    no_report = re.compile(r"(?m)^DIFF (.*\n) +exit status 0, reference [1-9].*\n(?! )")
    text = no_report.sub(r"skip \1", text)
    # With --export the reference has a report, which ends where the log's bytes are no UTF-8.
    text = re.sub(r"(?m)^DIFF (\S*mid_utf8\.log.*\n)(?: .*\n)*", r"skip \1", text)
    passed, failed, skipped = (len(re.findall(f"(?m)^{mark} ", text)) for mark in ("ok  ", "DIFF", "skip"))
    if not passed:
        failed = max(failed, 1)
    return passed, failed, skipped, re.sub(r"(?m)^(ok  |skip) .*\n", "", text) + f"exit status {status}"


@suite
def compat():
    """Every log, every folder of ranks; with --export and -i where the trace is of that."""
    return compare("--cases", SHARED / "traces")


@suite
def compat_plain():
    """The same with -p."""
    return compare("-p", "--cases", SHARED / "traces")


@suite
def compat_provenance():
    """The same with -i."""
    return compare("-i", "--cases", SHARED / "traces")


@suite
def compat_export():
    """The same with --export."""
    return compare("--export", "--cases", SHARED / "traces")


@suite
def schema():
    system = "/usr/bin/python3"  # the one for which Debian's package of jsonschema is
    return counted(system if os.access(system, os.X_OK) else sys.executable, "tests/schema/check.py", env={"TLPARSE": str(TLPARSE)})


@suite
def serve():
    return counted(sys.executable, "tests/serve/run.py", env={"TLPARSE": str(TLPARSE)})


@suite
def facts():
    return counted(sys.executable, shared("report_facts.py"), "--ours", TLPARSE, *traces())


@suite
def truth():
    """Times, outcomes, values and ends of report.json against the log, for every log there is; kernels against the output code; what
    tables expect of real logs, with rows for each kind of finding and advice; and what must stay true when a log is doubled, mixed,
    disturbed or cut."""
    with tempfile.TemporaryDirectory() as work:
        tables = total(
            counted(sys.executable, "tests/truth/run.py", "--tlparse", TLPARSE),
            counted(sys.executable, "tests/truth/coverage.py", "--tlparse", TLPARSE),
            counted(sys.executable, "tests/truth/metamorphic.py", "--tlparse", TLPARSE),
            counted(sys.executable, "tests/truth/kernels_code.py", "--tlparse", TLPARSE, *sorted((TOP / "tests/data/logs").rglob("*.log*")),
                    *sorted((SHARED / "traces").glob("gpu/*.*"))),
            counted(sys.executable, "tests/truth/agree.py", "--tlparse", TLPARSE, *sorted((TOP / "tests/data/logs").rglob("*.log*")), *traces()),
        )
        tool = SHARED / "tools/report_truth.py"
        if not tool.exists():
            return tables
        return total(tables, counted(sys.executable, tool, "--ours", TLPARSE, *traces(), *unpacked(work)))


@suite
def hostile():
    tool = shared("hostile.py")
    return total(*(counted(sys.executable, tool, "--ours", TLPARSE, f"--flags={flags}") for flags in ("", "--export", "-i")))


@suite
def web():
    status, text = run("npm", "run", "check", cwd=TOP / "web")
    checked = (int(not status), int(bool(status)), 0, text)
    status, text = run("npm", "test", cwd=TOP / "web", env={"NO_COLOR": "1", "CI": "1"})
    line = (re.findall(r"(?m)^\s*Tests\s.*$", text) or [""])[-1]
    passed, failed, skipped = (int((re.findall(rf"(\d+) {word}", line) or [0])[0]) for word in ("passed", "failed", "skipped"))
    if (status or not passed) and not failed:
        failed = 1
    return total(checked, (passed, failed, skipped, text))


@suite
def browser():
    return counted("node", "tests/browser/run.mjs")


@suite
def doc():
    """Links, paths, versions and style of the documentation."""
    return counted(sys.executable, "tests/doc/run.py")


@suite
def manual():
    pages = sorted((TOP / "doc").glob("*.1"))
    if not pages:
        return 0, 1, 0, "doc/ holds no manual page"
    status, text = run("mandoc", "-T", "lint", "-W", "warning", *pages)
    return (0, 1, 0, text) if status or text.strip() else (len(pages), 0, 0, "")


CLANG = ("-Db_sanitize=address,undefined", "-Db_lundef=false", "-Dwerror=true", "-Dc_args=-fsanitize=fuzzer-no-link")
ASAN = {
    "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=1:detect_stack_use_after_return=1:allocator_may_return_null=1",
    "UBSAN_OPTIONS": "halt_on_error=1:abort_on_error=1:print_stacktrace=1",
}


@suite
def asan():
    """Address and undefined behaviour, clang with warnings as errors."""
    build("build-asan", *CLANG, cc="clang")
    return total(
        meson_units("build-asan", ASAN),
        counted(sys.executable, "tests/golden/run.py", "--tlparse", TOP / "build-asan/tlparse", "--few", env=ASAN),
    )


@suite
def fuzz():
    """Each target for some seconds, in the build of `asan`."""
    build("build-asan", *CLANG, cc="clang")
    targets = sorted(p for p in (TOP / "build-asan/tests/fuzz").glob("fuzz_*") if p.is_file() and os.access(p, os.X_OK))
    if not targets:
        return 0, 1, 0, "there are no fuzz targets"
    results = []
    for target in targets:
        seeds = TOP / "tests/fuzz/corpus" / target.name.removeprefix("fuzz_")
        with tempfile.TemporaryDirectory() as work:
            status, text = run(
                target, "-max_total_time=15", "-timeout=20", "-rss_limit_mb=2048", f"-dict={TOP}/tests/fuzz/envelope.dict",
                f"-artifact_prefix={work}/", work, *([seeds] if seeds.exists() else []), env=ASAN,
            )
            inputs = "".join(f"\n{p.name}: {p.read_bytes()[:400]!r}" for p in Path(work).glob("*-*") if status)
        results.append((int(not status), int(bool(status)), 0, f"{target.name}\n{text[-6000:]}{inputs}"))
    return total(*results)


@suite
def tsan():
    """Data races, gcc with warnings as errors."""
    build("build-tsan", "-Db_sanitize=thread", "-Db_lundef=false", "-Dwerror=true", cc="gcc")
    env = {"TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1"}
    return total(
        meson_units("build-tsan", env),
        counted(
            sys.executable, "tests/golden/run.py", "--tlparse", TOP / "build-tsan/tlparse", "--few", "--threads", "4",
            "simple", "graph_breaks", "errors", "truncated", env=env,
        ),
    )


def show(name, passed, failed, skipped, seconds, note=""):
    counts = f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else "")
    print(f"{'FAIL' if failed else 'ok  '} {name:13}{seconds:7.1f} s  {counts}{note}", flush=True)


def main():
    if os.access(PEER, os.X_OK):
        os.environ["TLPARSE_PEER"] = str(PEER)  # for tests that ask for it
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="name the suites and end")
    parser.add_argument("suites", nargs="*", metavar="SUITE")
    args = parser.parse_args()
    unknown = [name for name in args.suites if name not in SUITES]
    if args.list or unknown:
        print(*SUITES, sep="\n")
        sys.exit(f"no suite {' '.join(unknown)}" if unknown else 0)

    sums = [0, 0, 0]
    everything = {"build": lambda: build("build") or (1, 0, 0, ""), **{n: SUITES[n] for n in args.suites or SUITES}}
    for name, function in everything.items():
        start, note = time.monotonic(), ""
        try:
            passed, failed, skipped, text = function()
        except Skipped as why:
            passed, failed, skipped, text, note = 0, 0, 1, "", f": {why}"
        except Failed as error:
            passed, failed, skipped, text = 0, 1, 0, str(error)
        if failed:
            print(f"---- {name}\n{text.rstrip()}\n----")
        show(name, passed, failed, skipped, time.monotonic() - start, note)
        sums = [a + b for a, b in zip(sums, (passed, failed, skipped))]
        if name == "build" and failed:
            break
    print(f"{sums[0]} passed, {sums[1]} failed" + (f", {sums[2]} skipped" if sums[2] else ""))
    sys.exit(1 if sums[1] else 0)


if __name__ == "__main__":
    main()

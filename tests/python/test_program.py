"""Finding and running the program; parse, summary and diff with their options and errors; python -m tlparse."""
from __future__ import annotations

import gc
import os
import stat
import subprocess
import sys
import warnings
from pathlib import Path
from collections.abc import Iterator

import pytest
from conftest import LOGS, PROGRAM, TOP, report_of

import tlparse
from tlparse import _program


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """The program is searched again in each test."""
    _program._find.cache_clear()
    yield
    _program._find.cache_clear()


def script(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file


def on_path(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    monkeypatch.delenv("TLPARSE_BINARY", raising=False)
    monkeypatch.setenv("PATH", os.pathsep.join([*map(str, folders), "/usr/bin", "/bin"]))


def test_the_variable_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert tlparse.find() == str(PROGRAM)
    monkeypatch.setenv("TLPARSE_BINARY", str(tmp_path / "missing"))
    with pytest.raises(tlparse.TlparseError, match="TLPARSE_BINARY is not a program: .*missing"):
        tlparse.find()


def test_finds_it_on_path_and_names_another_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = script(tmp_path / "a", "tlparse", "echo tlparse 0.4.8")
    (tmp_path / "b").mkdir()
    (tmp_path / "b/tlparse").symlink_to(PROGRAM)
    on_path(monkeypatch, tmp_path / "b")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tlparse.find() == str(tmp_path / "b/tlparse")
    (tmp_path / "b/tlparse").rename(tmp_path / "b/tlp")
    on_path(monkeypatch, tmp_path / "a", tmp_path / "b")
    with pytest.warns(UserWarning, match=rf"first on PATH is another program: {other} \(tlparse 0.4.8\). This package runs .*/b/tlp$"):
        assert tlparse.find() == str(tmp_path / "b/tlp")


@pytest.mark.parametrize("text, said", [
    ("echo tlparse 0.4.8", r"\(tlparse 0.4.8\)"), ("echo something else 9.9.9", r"\(something else 9.9.9\)"), ("exit 1", r"\(unknown version\)"),
    (r"printf 'tlparse\033[31m 9.9'", r"\(tlparse\\x1b\[31m 9.9\)"),
])
def test_another_program_is_not_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, said: str) -> None:
    script(tmp_path / "a", "tlparse", text)
    on_path(monkeypatch, tmp_path / "a")
    with pytest.raises(tlparse.TlparseError, match=rf"a/tlparse is another program {said}: pip install tlparse-c"):
        tlparse.find()


def test_no_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    on_path(monkeypatch, tmp_path)
    with pytest.raises(tlparse.TlparseError, match="^the program tlparse is missing: pip install tlparse-c, or set \\$TLPARSE_BINARY$"):
        tlparse.find()


def test_errors_are_the_programs_message() -> None:
    with pytest.raises(tlparse.TlparseError, match="^cannot open /nonexistent/a.log: No such file or directory$") as error:
        tlparse.parse("/nonexistent/a.log")
    assert error.value.status == 1
    with pytest.raises(tlparse.TlparseError, match="(?s)^unknown figure 'speed'.*\nhint: figures are time,") as error:
        tlparse.diff(LOGS / "simple", LOGS / "simple", fail_on="speed>3")
    assert error.value.status == 2
    with pytest.raises(tlparse.TlparseError, match=r"\\x1b\[31m"):
        tlparse.parse("/nonexistent/\x1b[31ma.log")


def test_a_program_that_dies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TLPARSE_BINARY", str(script(tmp_path, "dies", "kill -9 $$")))
    with pytest.raises(tlparse.TlparseError, match="exited with status -9"):
        tlparse.summary("x")
    monkeypatch.setenv("TLPARSE_BINARY", str(script(tmp_path, "lies", "echo no JSON")))
    with pytest.raises(tlparse.TlparseError, match="did not print JSON"):
        tlparse.summary("x")


def test_a_temporary_report_goes_with_its_last_object() -> None:
    gc.disable()  # nothing waits for the collector
    try:
        report = tlparse.parse(LOGS / "ranks4")
        folder = report.path
        compile = report.ranks[0].details.compiles[0]
        compiles = report.compiles
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            report.__reduce__()
        del report
        assert folder.exists() and compile.report.totals.compiles
        del compile
        assert folder.exists() and compiles[0].artifacts[0].read()
        del compiles
        assert not folder.exists()
    finally:
        gc.enable()


def test_profiles_are_joined() -> None:
    folder = TOP / "tests/data/profiled/training"
    log = next(folder.glob("*.log.zst"))
    profile = tlparse.parse(log, profile=folder / "training.json.gz").profile
    assert profile is not None and profile.regions.calls == 4
    assert profile.lines[0].line == 17 and profile.lines[0].total_us > 0
    summary = tlparse.summary(log, profile=[folder])
    assert summary.profile is not None and summary.profile.to_dict() == profile.to_dict()
    assert tlparse.parse(log).profile is None


def test_out_stays(tmp_path: Path) -> None:
    report = tlparse.parse(str(LOGS / "simple"), out="out")
    assert report.path == tmp_path / "out" and report.page.exists()
    path = report.path
    (tmp_path / "elsewhere").mkdir()
    os.chdir(tmp_path / "elsewhere")
    assert report.compiles[0].artifacts[0].read()
    os.chdir(tmp_path)
    del report
    assert tlparse.load(path).totals.compiles == 1
    with pytest.raises(tlparse.TlparseError, match="exists|overwrite"):
        tlparse.parse(LOGS / "simple", out=tmp_path / "out")
    assert tlparse.parse(LOGS / "recompiles", out=tmp_path / "out", overwrite=True).totals.recompiles == 19


def test_options(tmp_path: Path) -> None:
    compared = tlparse.parse([LOGS / "simple", LOGS / "recompiles"], compare=True)
    assert compared.kind == "runs"
    assert [rank.rank for rank in tlparse.parse(LOGS / "ranks4", rank=2, threads=1).ranks] == [2]
    assert tlparse.parse(LOGS / "ranks4", latest=True).kind == "run"
    assert tlparse.parse(LOGS / "ranks4", all_ranks=True).kind == "ranks"
    export = tlparse.parse(LOGS / "export_errors", export=True, plain_text=True, inductor_provenance=True, source_commit="abc")
    assert export.export.failures
    with pytest.raises(tlparse.TlparseError):
        tlparse.parse(LOGS / "truncated", strict=True)


def test_a_path_is_no_option(tmp_path: Path) -> None:
    (tmp_path / "--serve").symlink_to(next((LOGS / "simple").glob("*.log*")))
    assert tlparse.parse("--serve").totals.compiles == 1
    assert tlparse.summary("--serve").totals.compiles == 1
    assert tlparse.diff("--serve", LOGS / "recompiles").figure("compiles").values == (1, 31)


def test_summary() -> None:
    report = report_of(LOGS / "recompiles")
    for source in (LOGS / "recompiles", report):
        summary = tlparse.summary(source, top=3)
        assert summary.totals == report.totals and summary.kind == "run" and len(summary.findings) == 3
        assert summary.more_findings == len(report.findings) - 3 and not summary.extra
    assert tlparse.summary(LOGS / "ranks4", rank=1).totals.compiles == 2 and tlparse.summary(LOGS / "ranks4").totals.compiles == 8
    assert "Compiles      31: " in report.summary() and report.summary("markdown").startswith("#")


def test_diff() -> None:
    base, new = report_of(LOGS / "simple"), report_of(LOGS / "recompiles")
    diff = tlparse.diff(base, new, fail_on=["recompiles>0", "breaks>0"])
    assert not diff.extra and diff.base == str(base.path)
    assert diff.figure("recompiles").values == (0, 19) and diff.figure("compile_time").delta == new.totals.time_us - base.totals.time_us  # type: ignore[operator]
    assert {figure.name for figure in diff.regressions} >= {"recompiles", "compile_time"} and not diff.improvements
    assert diff.exceeded == ("recompiles>0",) and diff.undecided == ()
    assert {function.change for function in diff.functions} == {"new", "gone"}
    assert diff.run_time is None
    folders = [TOP / "tests/data/profiled" / name for name in ("steps_base", "steps_slower")]
    log, = tlparse.diff(*folders, profile=(folders[0], folders[1])).run_time or ()
    assert log.step and log.step.change == "slower" and {row.kind for row in log.changes or ()} == {"function", "graph", "kernel", "line"}
    assert diff.findings is not None and len(diff.findings.new) == len(new.findings)
    back = tlparse.diff(new, base)
    assert {"compiles", "recompiles", "cache_misses"} <= {figure.name for figure in back.improvements} and not back.exceeded
    assert not {figure.name for figure in back.improvements} & {figure.name for figure in back.regressions}
    with pytest.raises(KeyError, match="no figure speed: torch, python"):
        diff.figure("speed")
    with pytest.raises(tlparse.TlparseError, match="a run on each side"):
        tlparse.diff([], new)


def test_diff_of_several_runs() -> None:
    runs = [LOGS / "cache_runs/first", LOGS / "cache_runs/second"]
    diff = tlparse.diff(runs, [LOGS / "recompiles", LOGS / "simple"])
    time = diff.figure("compile_time")
    assert diff.runs == (2, 2) and time.ranges is not None and time.verdict == "within" and "compile_time" not in [f.name for f in diff.regressions]


def test_the_module_is_the_program() -> None:
    said = subprocess.run([sys.executable, "-m", "tlparse", "--version"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    assert said == subprocess.run([PROGRAM, "--version"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    missing = {**os.environ, "TLPARSE_BINARY": "/nonexistent"}
    done = subprocess.run([sys.executable, "-m", "tlparse"], stderr=subprocess.PIPE, env=missing, encoding="utf-8", check=False)
    assert done.returncode == 1 and done.stderr == "tlparse: $TLPARSE_BINARY is not a program: /nonexistent\n"


def test_imports_nothing_that_is_optional() -> None:
    code = "import sys, tlparse; print(sorted({'torch', 'pandas', 'pyarrow', 'mcp', 'pytest', 'numpy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout == "[]\n"


@pytest.mark.parametrize("name", ["pandas", "pyarrow"])
def test_says_which_extra_is_missing(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    table = report_of(LOGS / "simple").metrics
    with pytest.raises(tlparse.TlparseError, match=rf"{name} is not installed: pip install 'tlparse-c\["):
        table.to_pandas() if name == "pandas" else table.to_arrow()

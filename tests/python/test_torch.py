"""record() and the pytest plugin with PyTorch itself.

They run if PyTorch can be imported: put the folder of an installed one on PYTHONPATH, or set TLPARSE_TEST_TORCH to it. Each test
is a program of its own, because PyTorch reads TORCH_TRACE once.
"""
from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import programs
import pytest

import tlparse

SITE = os.environ.get("TLPARSE_TEST_TORCH")
pytestmark = pytest.mark.skipif(SITE is None and importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")

COMPILE = """
    import sys, os, tlparse
    def compile(*shapes):
        import torch
        def f(x):
            return x * 2
        g = torch.compile(f, backend="eager", dynamic=False)
        for n in shapes:
            g(torch.ones(n))
"""


def program(tmp_path: Path, text: str, *arguments: str, **variables: str) -> str:
    """What a program prints. It starts with the function compile(), which compiles one function for each size."""
    return programs.output(tmp_path, Path(SITE or ""), [COMPILE, text], arguments, variables)


def test_records_if_the_block_imports_torch(tmp_path: Path) -> None:
    text = program(tmp_path, """
        assert "torch" not in sys.modules
        with tlparse.record("out") as run:
            compile(2, 3)
        compile(4)
        print(run.report.totals.compiles, run.report.totals.recompiles, run.report.path.name, "TORCH_TRACE" in os.environ)
        with tlparse.record() as run:
            compile(4, 5, 6)
        print(run.report.totals.compiles, run.report.totals.recompiles, run.report.compiles[0].frame)
    """)
    assert text == f"2 1 out False\n2 2 {tmp_path}/program.py:5 in f\n"  # the version for 4 exists


def test_records_if_torch_is_imported(tmp_path: Path) -> None:
    text = program(tmp_path, """
        import torch
        compile(2)
        for sizes in ((2, 3), (4,), ()):
            with tlparse.record() as run:
                compile(*sizes)
            print(run.compiled, *([run.report.totals.compiles, run.report.totals.recompiles, len(run.report.checks)] if sizes else []))
        try:
            run.report
        except tlparse.TlparseError as error:
            print(error)
    """)
    assert text == "True 1 1 0\nTrue 1 1 0\nFalse\nnothing was compiled: there is no log\n"


def test_a_log_of_torch_trace_and_nested_blocks_have_all_records(tmp_path: Path) -> None:
    text = program(tmp_path, """
        import torch
        compile(1)
        with tlparse.record() as outer:
            compile(2)
            with tlparse.record() as inner:
                compile(3)
            compile(4)
        compile(5)
        whole = tlparse.parse("trace")
        for report in (whole, outer.report, inner.report):
            print(report.totals.compiles, {str(c.frame) for c in report.compiles} == {f"{os.path.abspath(__file__)}:5 in f"}, len(report.checks))
            print(*(stack.file for stack in report.stacks if stack.file and "program" in stack.file))
    """, TORCH_TRACE=str(tmp_path / "trace"))
    place = f"{tmp_path}/program.py"
    lines = text.splitlines()
    assert [line for line in lines if "True" in line] == ["5 True 0", "3 True 0", "1 True 0"]
    assert all(set(line.split()) == {place} for line in lines if "True" not in line), text


def test_set_logs_does_not_end_a_recording(tmp_path: Path) -> None:
    text = program(tmp_path, """
        import torch
        with tlparse.record() as run:
            torch._logging.set_logs(recompiles=True)
            compile(2, 3)
        torch._logging.set_logs()
        compile(4)
        print(run.report.totals.compiles)
    """)
    assert text == "2\n"


def test_the_report_is_written_if_the_block_raises(tmp_path: Path) -> None:
    text = program(tmp_path, """
        try:
            with tlparse.record("out", logs="logs") as run:
                compile(2)
                raise KeyError("mine")
        except KeyError as error:
            print(error, tlparse.load("out").totals.compiles, len(list(run.logs.glob("*.log"))))
    """)
    assert text == "'mine' 1 1\n"


def test_the_fixture_of_pytest(tmp_path: Path) -> None:
    (tmp_path / "test_model.py").write_text(textwrap.dedent("""
        import torch
        @torch.compile(backend="eager", dynamic=False)
        def f(x):
            return x * 2
        def test_two_shapes(torch_compile_report):
            f(torch.ones(2)); f(torch.ones(3))
            torch_compile_report.assert_no_recompiles()
        def test_one_shape(torch_compile_report):
            f(torch.ones(3))
            torch_compile_report.assert_no_recompiles()
    """))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tlparse.pytest_plugin", "-p", "no:cacheprovider"], cwd=tmp_path, stdout=subprocess.PIPE,
        encoding="utf-8", env={**os.environ, "PYTHONPATH": os.pathsep.join([SITE or "", os.environ["PYTHONPATH"]])}, check=False)
    assert "1 failed, 1 passed" in done.stdout and "torch.__trace" not in done.stdout, done.stdout
    assert "0/1: tensor 'x' size mismatch at index 0. expected 2, actual 3" in done.stdout


def test_a_profile_of_the_block(tmp_path: Path) -> None:
    text = program(tmp_path, """
        import torch
        def f(x):
            return x * 2
        with tlparse.record(profile=True) as run:
            g = torch.compile(f, backend="eager", dynamic=False)
            for n in (2, 2, 3):
                g(torch.ones(n))
        print(run.report.profile.regions.calls, run.report.profile.files[0].name, torch.autograd.profiler._is_profiler_enabled)
        try:
            with torch.profiler.profile():
                with tlparse.record(profile=True):
                    print("unreachable")
        except tlparse.TlparseError as error:
            print(error)
    """)
    assert text == "3 profile.json.gz False\nrecord(profile=True): a profiler is active, and PyTorch can run only one at a time\n"


STEPS = """
    import sys, torch
    def f(x):
        return (x * 2).sum()
    x = torch.ones(3, requires_grad=True)
    f, optimizers = torch.compile(f, backend="eager"), [torch.optim.SGD([x]), torch.optim.Adam([x])]
"""
TRAIN = """
    for i in range(10):
        f(x).backward(), [optimizer.step() for optimizer in optimizers]
"""
OWN = """
    with torch.profiler.profile() as mine:
        for i in range(7):
            f(x)
"""
PROFILED = {  # the program, the number of steps, the exit status; the steps and calls in the report
    "training": (TRAIN, 3, 0, (3, 3)),
    "inference": ("    del optimizers\n    for i in range(10): f(x)\n", 3, 0, (3, 3)),
    "ended": (TRAIN + "        if i == 2: sys.exit(5)\n", 4, 5, (2, 2)),
    "raised": (TRAIN + "        if i == 2: raise KeyError\n", 4, 1, (2, 2)),
    "own": (TRAIN + OWN + '    mine.export_chrome_trace("mine.json.gz")\n', 3, 0, (0, 7)),
    "own_while_it_records": ("    del optimizers\n    f(x), f(x)\n" + OWN, 3, 0, (1, 1)),
}


@pytest.mark.parametrize("name", PROFILED)
def test_run_profile(tmp_path: Path, name: str) -> None:
    code, steps, status, expected = PROFILED[name]
    (tmp_path / "program.py").write_text(textwrap.dedent(STEPS + code + "    print('end')\n"))
    command = [os.environ["TLPARSE_BINARY"], "run", "--profile", str(steps), "-o", "out", "--", sys.executable, "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False, env={
        **os.environ, "PYTHONPATH": os.pathsep.join([SITE or "", os.environ["PYTHONPATH"]]), "XDG_STATE_HOME": str(tmp_path)})
    assert (done.returncode, done.stdout) == (status, "" if status else "end\n"), done.stderr
    profile = tlparse.load(tmp_path / "out").profile
    assert profile is not None and (profile.steps, profile.regions.calls) == expected, done.stderr

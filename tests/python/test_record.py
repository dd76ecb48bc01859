"""record(): with a stand-in for PyTorch that has its way of logging (test_torch.py has PyTorch itself)."""
from __future__ import annotations

from pathlib import Path

import programs
import pytest
import standin

import tlparse

COMPILE = """
    import sys, os, tlparse
    def compile(*sizes):
        import torch
        def f(x):
            return x * 2
        g = torch.compile(f)
        for n in sizes:
            g(n)
"""


def program(tmp_path: Path, text: str, **variables: str) -> str:
    """What a program prints. It starts with the function compile(), which compiles one function for each size."""
    return programs.output(tmp_path, standin.install(tmp_path / "site"), [COMPILE, text], [], variables)


def test_records_if_the_block_imports_torch(tmp_path: Path) -> None:
    text = program(tmp_path, """
        assert "torch" not in sys.modules
        with tlparse.record("out") as run:
            compile(2, 3)
            print(run.snapshot().totals.compiles)
        compile(4)
        print(run.report.totals.compiles, run.report.totals.recompiles, run.report.path.name, "TORCH_TRACE" in os.environ)
        with tlparse.record() as run:
            compile(4, 5, 6)
        print(run.report.totals.compiles, run.report.compiles[0].frame)
    """)
    assert text == f"2\n2 1 out False\n2 {tmp_path}/program.py:5 in f\n"


def test_records_if_torch_is_imported(tmp_path: Path) -> None:
    text = program(tmp_path, """
        import torch
        compile(2)
        for sizes in ((2, 3), (4,), ()):
            with tlparse.record() as run:
                compile(*sizes)
            print(run.compiled, *([run.report.totals.compiles, run.report.compiles[0].frame, len(run.report.checks)] if sizes else []))
        try:
            run.report
        except tlparse.TlparseError as error:
            print(error)
    """)
    frame = f"{tmp_path}/program.py:5 in f"
    assert text == f"True 1 {frame} 0\nTrue 1 {frame} 0\nFalse\nnothing was compiled: there is no log\n"


@pytest.mark.parametrize("first", ["import torch", "pass"])
def test_nested_blocks_and_torch_trace_have_all_records(tmp_path: Path, first: str) -> None:
    """If PyTorch is imported within a block, other logs begin after that block."""
    text = program(tmp_path, f"""
        {first}
        with tlparse.record() as outer:
            with tlparse.record() as inner:
                compile(3, 4)
            compile(5)
        compile(6)
        whole = tlparse.parse(os.environ["TORCH_TRACE"])
        for report in (whole, outer.report, inner.report):
            print(report.totals.compiles, *{{str(compile.frame) for compile in report.compiles}})
    """, TORCH_TRACE=str(tmp_path / "trace"))
    frame = f"{tmp_path}/program.py:5 in f"
    expected = (4, 3, 2) if first == "import torch" else (1, 1, 2)
    assert text == "".join(f"{count} {frame}\n" for count in expected)


def test_the_report_is_written_if_the_block_raises(tmp_path: Path) -> None:
    text = program(tmp_path, """
        try:
            with tlparse.record("out", logs="logs") as run:
                compile(2)
                raise KeyError("mine")
        except KeyError as error:
            print(error, tlparse.load("out").totals.compiles, len(list(run.logs.glob("*.log"))))
        try:
            with tlparse.record("out") as run:
                compile(3)
        except tlparse.TlparseError as error:
            print("out" in str(error), run.report.totals.compiles if False else "")
    """)
    assert text == "'mine' 1 1\nTrue \n"


def test_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text("text")
    with pytest.raises(tlparse.TlparseError, match="has logs: give an empty folder"):
        with tlparse.record(logs=tmp_path):
            pass
    recording = tlparse.record()
    with recording:
        with pytest.raises(tlparse.TlparseError, match="the block has not ended: use snapshot"):
            recording.report
    with pytest.raises(tlparse.TlparseError, match="cannot be started twice"):
        recording.__enter__()
    with pytest.raises(tlparse.TlparseError, match="nothing was compiled"):
        recording.snapshot()


def test_an_old_pytorch(tmp_path: Path) -> None:
    text = program(tmp_path, """
        import torch
        del torch._logging._internal.LazyTraceHandler
        try:
            with tlparse.record() as run:
                print("unreachable")
        except tlparse.TlparseError as error:
            print(error, "TORCH_TRACE" in os.environ)
    """)
    assert text.startswith("this version of PyTorch cannot record a block (") and text.endswith("set TORCH_TRACE before it is imported False\n")


PROFILE = """
        import warnings
        import torch
        def f(x):
            return x * 2
        f = torch.compile(f)
"""


def test_a_profile_of_the_block(tmp_path: Path) -> None:
    text = program(tmp_path, PROFILE + """
        with tlparse.record("out", logs="logs", profile=True) as run:
            for n in (2, 2, 3):
                f(n)
            print(run.snapshot().profile)
        f(2)
        profile = run.report.profile
        print(profile.regions.calls, [file.name for file in profile.files], torch.autograd.profiler.running, os.listdir("logs").count("profile.json.gz"))
        with tlparse.record() as run:
            f(4)
        print(run.report.profile)
    """)
    assert text == "None\n3 ['profile.json.gz'] [] 1\nNone\n"


def test_a_profile_of_a_block_that_raises(tmp_path: Path) -> None:
    text = program(tmp_path, PROFILE + """
        try:
            with tlparse.record("out", profile=True) as run:
                f(2)
                raise KeyError("mine")
        except KeyError as error:
            print(error, tlparse.load("out").profile.regions.calls, torch.autograd.profiler.running)
        with warnings.catch_warnings(record=True) as caught:
            try:
                with tlparse.record("out", overwrite=True, profile=True) as run:
                    f(3)
                    os.environ["STANDIN_FAILS"] = "1"
                    raise KeyError("mine")
            except KeyError as error:
                print(error, tlparse.load("out").totals.compiles, tlparse.load("out").profile, *(one.message for one in caught))
    """)
    failed = "'mine' 1 None the report has no profile: the disk is full\n"
    assert text == f"'mine' 1 []\n{failed}"


def test_a_profile_that_cannot_end(tmp_path: Path) -> None:
    """PyTorch would crash."""
    text = program(tmp_path, PROFILE + """
        import threading
        def stop(self):
            raise SystemExit("a crash")
        torch.profiler.profile.stop = stop
        with warnings.catch_warnings(record=True) as caught:
            with tlparse.record(profile=True) as first:
                f(2)
                torch.autograd.profiler._disable_profiler()
            second = tlparse.record(profile=True)
            second.__enter__()
            f(3)
            thread = threading.Thread(target=second.__exit__, args=(None, None, None))
            thread.start(), thread.join()
        for run in (first, second):
            print(run.report.totals.compiles, run.report.profile)
        print(*(one.message for one in caught), sep="\\n")
    """)
    says = "the report has no profile: "
    assert text == f"1 None\n1 None\n{says}another profiler ran in the block\n{says}another thread ended the block\n"


def test_a_profile_that_cannot_begin(tmp_path: Path) -> None:
    text = program(tmp_path, """
        def says(action):
            try:
                with action():
                    print("unreachable")
            except tlparse.TlparseError as error:
                print(error, "TORCH_TRACE" in os.environ)
        says(lambda: tlparse.record(profile=True))
        assert "torch" not in sys.modules
        import torch
        with torch.profiler.profile():
            says(lambda: tlparse.record(profile=True))
            print(len(torch.autograd.profiler.running))
        with tlparse.record(profile=True) as run:
            os.environ.pop("TORCH_TRACE")
            says(lambda: tlparse.record(profile=True))
            compile(2)
        print(run.report.profile.regions.calls)
        del torch.profiler.profile.start, torch.profiler.profiler._KinetoProfile.start
        says(lambda: tlparse.record(profile=True))
        print(torch._logging._internal.trace_log.handlers)
    """)
    active = "record(profile=True): a profiler is active, and PyTorch can run only one at a time False\n"
    assert text.startswith(f"record(profile=True) needs torch.profiler: import torch before the block False\n{active}1\n{active}1\n"), text
    assert "torch.profiler cannot start: " in text and text.endswith(" False\n[]\n"), text

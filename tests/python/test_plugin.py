"""The fixture torch_compile_report, with a stand-in for PyTorch."""
from __future__ import annotations

from pathlib import Path

import pytest
import standin

MODEL = """
    import torch
    def f(x):
        return x
    def g(x):
        return x
    model, broken = torch.compile(f), torch.compile(g, graph_break=True)
"""


@pytest.fixture
def outcome(pytester: pytest.Pytester, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.syspath_prepend(str(standin.install(tmp_path / "site")))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"), prepend=":")
    return pytester


def run(pytester: pytest.Pytester, text: str) -> pytest.RunResult:
    import textwrap

    pytester.makepyfile(test_model=textwrap.dedent(MODEL) + textwrap.dedent(text))
    return pytester.runpytest_subprocess("-p", "tlparse.pytest_plugin", "-p", "no:cacheprovider")


def test_asserts_no_recompiles(outcome: pytest.Pytester) -> None:
    result = run(outcome, """
        def test_one_shape(torch_compile_report):
            model(2); model(2)
            torch_compile_report.assert_no_recompiles()
            torch_compile_report.assert_no_graph_breaks()
            assert torch_compile_report.report.totals.compiles == 1

        def test_starts_without_code(torch_compile_report):
            model(2)
            assert torch_compile_report.report.totals.compiles == 1
            model(3)
            assert torch_compile_report.report.totals.recompiles == 1
            torch_compile_report.assert_no_recompiles(allowed=1)

        def test_two_shapes(torch_compile_report):
            model(2); model(3); model(4)
            torch_compile_report.assert_no_recompiles(allowed=1)
    """)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines([
        "E       AssertionError: 2 recompiles, allowed: 1",
        "E         */test_model.py:2 in f",
        "E           0/1: tensor 'x' size mismatch at index 0. expected 2, actual 3",
        "E           0/2: tensor 'x' size mismatch at index 0. expected 3, actual 4",
    ])
    result.stdout.no_fnmatch_line("*torch.__trace*")


def test_asserts_no_graph_breaks(outcome: pytest.Pytester) -> None:
    result = run(outcome, """
        def test_break(torch_compile_report):
            broken(2)
            torch_compile_report.assert_no_recompiles()
            torch_compile_report.assert_no_graph_breaks()
    """)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E       AssertionError: 1 graph break, allowed: 0", "E         */test_model.py:5*: Call to `torch._dynamo.graph_break()`"])


def test_nothing_compiled_does_not_pass(outcome: pytest.Pytester) -> None:
    result = run(outcome, """
        def test_eager(torch_compile_report):
            f(2)
            torch_compile_report.assert_no_recompiles()
    """)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*TlparseError: nothing was compiled*"])

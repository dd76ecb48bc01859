"""A fixture of pytest that records what a test compiles:

    def test_shapes(torch_compile_report):
        for n in (8, 16, 32):
            model(torch.ones(n))
        torch_compile_report.assert_no_recompiles()

The wheel declares this plugin to pytest. From a source checkout: `pytest -p tlparse.pytest_plugin`.
"""
from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, List, Optional
from collections.abc import Iterator

import pytest

if TYPE_CHECKING:
    from ._record import Recording
    from ._report import Report

LINES = 20  # in the message of a failed assertion


class CompileReport:
    """What the test has compiled so far.

    All of it raises TlparseError if nothing was compiled, so that a test of a model that silently runs eagerly does not pass.
    """

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._cached: Optional[Report] = None
        self._bytes = -1

    @property
    def report(self) -> Report:
        """The report of what was compiled since the test began; a new one if there are new records."""
        size = sum(file.stat().st_size for file in self._recording.logs.glob("*.log"))
        if self._cached is None or size != self._bytes:
            self._cached, self._bytes = self._recording.snapshot(), size
        if not self._cached.totals.compiles:
            from ._error import TlparseError

            raise TlparseError("nothing was compiled: the log has no compile")
        return self._cached

    def assert_no_recompiles(self, allowed: int = 0) -> None:
        """Fails if there are more recompiles than allowed, and says why they happened. Refused recompiles (recompile_limit) count."""
        __tracebackhide__ = True
        totals = self.report.totals
        count = totals.recompiles + (totals.recompiles_refused or 0)
        if count > allowed:
            lines: List[str] = []
            for chain in self.report.recompiles:
                if chain.recompiles + chain.refused:
                    lines.append(f"  {chain.frame or 'unknown frame'}")
                    lines += [f"    {step.compile}: {_why(step.reasons[0].guard if step.reasons else None)}" for step in chain.steps]
            raise AssertionError(_message(f"{_counted(count, 'recompile')}, allowed: {allowed}", lines))

    def assert_no_graph_breaks(self, allowed: int = 0) -> None:
        """Fails if there are more distinct graph breaks than allowed, and says where they are."""
        __tracebackhide__ = True
        breaks = [one for one in self.report.graph_breaks if not one.exception]
        if len(breaks) > allowed:
            lines = [f"  {one.place or 'unknown place'}: {_why(one.reason)}" for one in breaks]
            raise AssertionError(_message(f"{_counted(len(breaks), 'graph break')}, allowed: {allowed}", lines))


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _why(text: Optional[str]) -> str:
    from ._text import printable

    return printable((text or "the log has no reason").split("\n")[0])


def _message(title: str, lines: List[str]) -> str:
    more = [f"  … {len(lines) - LINES} more lines"] if len(lines) > LINES else []
    return "\n".join([title, *lines[:LINES], *more])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Keeps PyTorch's trace records, which have no message, out of the captured log of a test that records them."""
    if "torch_compile_report" in getattr(item, "fixturenames", ()):
        logger = logging.getLogger("torch.__trace")
        for handler in list(logger.handlers):
            if type(handler).__module__ == "_pytest.logging":
                logger.removeHandler(handler)


@pytest.fixture
def torch_compile_report() -> Iterator[CompileReport]:
    """What the test compiles. It starts without compiled code (`torch._dynamo.reset()`), so that tests do not depend on others."""
    from ._record import record

    dynamo = sys.modules.get("torch._dynamo")
    if dynamo is not None:
        dynamo.reset()
    with record() as recording:
        yield CompileReport(recording)

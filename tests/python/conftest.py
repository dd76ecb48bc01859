"""What the tests share: the sample logs and their reports. tools/test.py sets TLPARSE_BINARY and PYTHONPATH."""
from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest

import tlparse

TOP = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests/tools"))
import samples  # type: ignore[import-not-found]  # noqa: E402

LOGS = TOP / "tests/data/logs"
PROGRAM = Path(os.environ["TLPARSE_BINARY"])
pytest_plugins = ["pytester"]


Source = Tuple[Path, ...]  # paths and options of a report


def sources() -> List[Source]:
    """Every sample log, every folder of several, and runs that are compared."""
    single = [(path,) for path in [*samples.logs(), *samples.folders(), *samples.foreign()]]
    compared = [(LOGS / first, LOGS / second, Path("--compare")) for first, second in (("simple", "recompiles"), ("ranks4", "ranks4_desync"))]
    return [*single, *compared, (LOGS / "cache_runs", Path("--compare")), (LOGS / "graph_breaks", LOGS / "gpt2", Path("--compare"))]


def named(source: Source) -> str:
    return "+".join(samples.title(path) if path.is_absolute() else path.name.strip("-") for path in source)


def report_of(*source: Path) -> tlparse.Report:
    """The report of a sample, which all suites share."""
    options = [str(path) for path in source if not path.is_absolute()]
    return tlparse.load(samples.report(PROGRAM, [path for path in source if path.is_absolute()], *options).out)


@pytest.fixture(scope="session")
def logs() -> Path:
    """The folder of the sample logs."""
    return LOGS


@pytest.fixture(autouse=True)
def examples(doctest_namespace: Dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Doctests find `logs`, and run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    doctest_namespace["logs"] = LOGS

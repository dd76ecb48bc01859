"""Examples of doc/python.md and of docstrings, run on sample logs.

Before an example, a comment says which log is at which path: `<!-- example: trace=graph_breaks -->`. A block of text after it
is its output. `pytest` runs it as a test, with the stand-in for PyTorch; `file=` is the name of its file.
"""
from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from typing import List, Tuple

import pytest
import standin
from conftest import LOGS, TOP

import tlparse

BLOCK = re.compile(r"<!-- example: ([^\n]*) -->\n```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", re.S)


def examples() -> List[Tuple[str, str, str]]:
    """(settings, code, output) of each example."""
    return [(found[1], found[2], found[3] or "") for found in BLOCK.finditer((TOP / "doc/python.md").read_text(encoding="utf-8"))]


def test_every_block_is_an_example() -> None:
    assert len(examples()) == (TOP / "doc/python.md").read_text(encoding="utf-8").count("```python\n") >= 8


@pytest.mark.parametrize("settings, code, output", examples(), ids=[code.split("\n")[-2][:40] for _, code, _ in examples()])
def test_example(settings: str, code: str, output: str, tmp_path: Path) -> None:
    places = dict(word.split("=") for word in settings.split() if "=" in word)
    file = tmp_path / places.pop("file", "test_example.py" if settings == "pytest" else "example.py")
    file.write_text(code, encoding="utf-8")
    for name, log in places.items():
        (tmp_path / name).symlink_to(LOGS / log)
    paths = [os.environ["PYTHONPATH"], *([str(standin.install(tmp_path / "site"))] if settings == "pytest" else [])]
    command = ["-m", "pytest", "-q", "-p", "tlparse.pytest_plugin", "-p", "no:cacheprovider"] if settings == "pytest" else [file.name]
    done = subprocess.run(
        [sys.executable, *command], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}, check=False)
    assert done.returncode == ("sys.exit(1)" in code), done.stdout
    if settings == "pytest":
        assert "1 passed" in done.stdout
    else:
        assert done.stdout == output


def test_docstrings() -> None:
    """Doctests of all modules find `logs`, the folder of the sample logs. There are some."""
    count = 0
    for module in pkgutil.iter_modules(tlparse.__path__):
        if module.name not in ("__main__", "mcp"):
            failed, tried = doctest.testmod(importlib.import_module(f"tlparse.{module.name}"), extraglobs={"logs": LOGS})
            assert failed == 0
            count += tried
    failed, tried = doctest.testmod(tlparse, extraglobs={"logs": LOGS})
    assert failed == 0 and count + tried >= 3

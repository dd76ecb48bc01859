"""Parsers of one's own in Python: from parse(), on the command line, and as functions."""
from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any, List, Union, cast
from collections.abc import Iterator

import pytest
from conftest import LOGS, PROGRAM, report_of

import tlparse
from tlparse.parsers import Answer, Column, File, Issue, Link, Record, Section, Text

KIND = "dynamo_cpp_guards_str"


@tlparse.parser(KIND)
def guards(records: Iterator[Record]) -> Iterator[Answer]:
    """Counts the lines of guards."""
    rows: List[List[Union[str, int]]] = []
    for record in records:
        lines = (record.payload or "").count("\n")
        yield Column("Guard lines", record.compile, lines)
        rows.append([record.compile, record.line, lines])
        yield Issue("Many guards", "warning", f"{lines} lines", "Fewer inputs", file="a'b.py", line=3, compile=record.compile)
    yield Section("Guards", ["Compile", "Log line", "Lines"], rows)
    yield Text("Note", "é")
    yield Link("https://example.com/", "Dashboard")
    yield File("plan.json", "{}")


@pytest.fixture(scope="module")
def report() -> tlparse.Report:
    return tlparse.parse(LOGS / "recompiles", parsers=[guards])


def test_adds_to_the_report(report: tlparse.Report) -> None:
    assert report.parsers is not None and len(report.parsers) == 1
    found = report.parsers[0]
    artifacts = [artifact for artifact in report.artifacts() if artifact.kind == KIND]
    assert found.name == KIND and found.records == len(artifacts) > 20 and found.rejected == 0 and found.example is None
    assert [(section.title, len(section.rows or ())) for section in found.sections] == [("Guards", len(artifacts)), ("Note", 0)]
    assert [row[1] for row in found.sections[0].rows or ()] == [artifact.line for artifact in artifacts]
    assert len(found.findings) == len(artifacts) and found.findings[0].place is not None and found.findings[0].place.file == "a'b.py"
    assert [link.url for link in found.links] == ["https://example.com/"] and [file.name for file in found.files] == ["plan.json"]
    assert report.totals.findings == report_of(LOGS / "recompiles").totals.findings


def test_is_a_function() -> None:
    answers = guards([Record("0/0", 3, {}, "a\nb\n")])
    assert answers[0] == Column("Guard lines", "0/0", 2) and len(answers) == 6 and guards.__doc__ == "Counts the lines of guards."
    assert Record("0/0", 3, {}, '{"a": 1}').json() == {"a": 1}
    with pytest.raises(ValueError):
        Record("0/0", 3, {}, None).json()


def test_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(textwrap.dedent(f"""
        import tlparse
        from tlparse.parsers import Text
        @tlparse.parser("{KIND}")
        def count(records):
            yield Text("Count", str(len(list(records))))
    """))
    command = f"{sys.executable} -m tlparse.run_parser {file}"
    subprocess.run([PROGRAM, LOGS / "simple", "-o", tmp_path / "out", "--no-browser", "--parser", f"{KIND}={command}"], check=True, stderr=subprocess.DEVNULL)
    data = json.loads((tmp_path / "out/report.json").read_text())
    assert data["parsers"][0]["sections"] == [{"title": "Count", "texts": ["1"]}]
    assert tlparse.parse(LOGS / "simple", parsers={KIND: command}).parsers == tlparse.parse(LOGS / "simple", parsers={KIND: command.split()}).parsers


@pytest.mark.parametrize("text, said", [
    ("x = 1", "has 0 parsers, expected one"), ("raise KeyError('mine')", "KeyError: 'mine'"), (None, "No such file"),
])
def test_says_what_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "mine.py"
    if text is not None:
        file.write_text(text)
    done = subprocess.run([sys.executable, "-m", "tlparse.run_parser", file], input="", stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert done.returncode and said in done.stderr


def test_wrong_use(monkeypatch: pytest.MonkeyPatch) -> None:
    done = subprocess.run([sys.executable, "-m", "tlparse.run_parser"], stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert done.returncode == 2 and done.stderr == "usage: python -m tlparse.run_parser FILE [KIND]\n"

    wrong = tlparse.parser("k")(lambda records: [cast(Any, "text")])
    with pytest.raises(tlparse.TlparseError, match="yields Column, Section, Text, Issue, Link or File, not str"):
        wrong.answer([], sys.stdout)
    space: Any = {}
    exec("def f(records): return []", space)
    with pytest.raises(tlparse.TlparseError, match="the parser f is not in a file"):
        tlparse.parser("k")(space["f"]).command

"""Your own parsers in Python: functions that read records of a kind and add to the report (doc/hooks.md).

A parser gets all records of its kind and yields what it adds:

    import tlparse
    from tlparse.parsers import Column, Section

    @tlparse.parser("my_kind")
    def tiles(records):
        rows = []
        for record in records:
            tile = record.json()["tile"]
            yield Column("Tile", record.compile, tile)
            rows.append([record.compile, record.line, tile])
        yield Section("Tiles", ["Compile", "Log line", "Tile"], rows)

From Python, `tlparse.parse(logs, parsers=[tiles])` runs it. On the command line:

    tlparse trace --parser my_kind='python3 -m tlparse.run_parser my_parser.py'
"""
from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO, Any, Callable, Dict, List, Optional, Tuple, Union
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ._error import TlparseError

Value = Union[str, int, float]


@dataclass(frozen=True)
class Record:
    """A record of the log."""

    compile: str
    """The key of its compile, as in report.json."""
    line: int
    """Its line in the log, from 1."""
    record: Mapping[str, Any]
    """The envelope, as logged."""
    payload: Optional[str]
    """The payload. None if there is none."""

    def json(self) -> Any:
        """The payload as JSON. Raises ValueError if it is not JSON."""
        return json.loads(self.payload or "")


@dataclass(frozen=True)
class Column:
    """A value in a column of the list of compiles."""

    column: str
    compile: str
    value: Value


@dataclass(frozen=True)
class Section:
    """A table in a section of the Parsers page. Rows of later tables of the same section are appended."""

    section: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Optional[Value]]]


@dataclass(frozen=True)
class Text:
    """A text in a section of the Parsers page."""

    section: str
    text: str


@dataclass(frozen=True)
class Issue:
    """An issue; severity is error, warning or info."""

    finding: str
    severity: str
    message: Optional[str] = None
    advice: Optional[str] = None
    file: Optional[str] = None
    line: int = 0
    compile: Optional[str] = None


@dataclass(frozen=True)
class Link:
    """A link to another place."""

    link: str
    title: Optional[str] = None
    compile: Optional[str] = None


@dataclass(frozen=True)
class File:
    """A file in the report."""

    file: str
    text: str
    compile: Optional[str] = None


Answer = Union[Column, Section, Text, Issue, Link, File]
Function = Callable[[Iterator[Record]], Iterable[Answer]]


def _line(answer: Answer) -> str:
    """An answer as the program reads it."""
    if not isinstance(answer, (Column, Section, Text, Issue, Link, File)):
        raise TlparseError(f"a parser yields Column, Section, Text, Issue, Link or File, not {type(answer).__name__}")
    data: Dict[str, Any] = {field.name: getattr(answer, field.name) for field in fields(answer)}
    if isinstance(answer, Issue):
        file, line = data.pop("file"), data.pop("line")
        data["place"] = None if file is None else {"file": file, "line": line}
    return json.dumps({key: value for key, value in data.items() if value is not None}, allow_nan=False)


class Parser:
    """A function that reads the records of a kind. Call it to run it on records, for example in a test."""

    def __init__(self, kind: str, function: Function) -> None:
        self.kind, self.function = kind, function
        self.__doc__, self.__name__ = function.__doc__, function.__name__

    def __call__(self, records: Iterable[Record]) -> List[Answer]:
        return list(self.function(iter(records)))

    @property
    def command(self) -> Tuple[str, ...]:
        """The command that runs the parser in a separate process.

        Raises:
            TlparseError: its function is not in a file, for example in a notebook.
        """
        import inspect  # takes half of the time of importing this package

        try:
            file = inspect.getsourcefile(self.function)
        except TypeError:
            file = None
        if not file or not os.path.isfile(file):
            raise TlparseError(f"the parser {self.__name__} is not in a file: tlparse cannot start it")
        # The package may not be installed where the program starts Python: name this one.
        package = str(Path(__file__).resolve().parent.parent)
        start = f"import sys; sys.path.insert(0, {package!r}); from tlparse.run_parser import main; sys.exit(main())"
        return sys.executable, "-c", start, os.path.abspath(file), self.kind

    def answer(self, lines: Iterable[str], out: IO[str]) -> None:
        """Reads records as JSON lines and writes answers as JSON lines."""
        for answer in self.function(_records(lines)):
            out.write(_line(answer) + "\n")


def _records(lines: Iterable[str]) -> Iterator[Record]:
    for line in lines:
        data = json.loads(line)
        yield Record(data["compile"], data["line"], data["record"], data["payload"])


def parser(kind: str) -> Callable[[Function], Parser]:
    """Makes a function a parser of the records of a kind: the key of the records, or the name of the artifacts.

    The function takes an iterator of `Record` and yields answers: Column, Section, Text, Issue, Link, File.
    """

    def decorate(function: Function) -> Parser:
        return Parser(kind, function)

    return decorate

"""Methods that the generated classes inherit: they read the text of artifacts, load the reports of ranks, and print places."""
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ._error import TlparseError
from ._node import Node
from ._text import printable, read_text

if TYPE_CHECKING:
    from ._report import Report
    from .types import TimelineSummary

TEXT_BYTES = 16 << 20


class PlaceText(Node):
    """A place is `file:line in function` as a text, for messages and annotations."""

    __slots__ = ()

    def __str__(self) -> str:
        file, line, function = (self._data.get(member) for member in ("file", "line", "function"))
        place = f"{file or 'unknown file'}:{line}" if line else f"{file or 'unknown file'}"
        return printable(f"{place} in {function}" if function else place)


class ArtifactText(Node):
    """Reads the text of an artifact."""

    __slots__ = ()

    def read(self, max_bytes: int = TEXT_BYTES) -> str:
        """The text as logged, with invalid UTF-8 replaced. Texts from a log are untrusted: escape them before you print them.

        Args:
            max_bytes: the text is cut to this many bytes; compare with `bytes`, its whole length.

        Raises:
            TlparseError: the record has no text, or the report's files are missing or damaged.
        """
        text = self._data.get("text")
        if text is None:
            raise TlparseError(f"{self._data.get('name')} has no text")
        return read_text(self.report.path, self._need("dir"), text, max_bytes)


class RankReport(Node):
    """The report of a rank or run below this one."""

    __slots__ = ()

    @property
    def details(self) -> Report:
        """The report of this rank or run, with its compiles, graph breaks and timeline.

        Raises:
            TlparseError: there is no report, because the log could not be read.
        """
        return self.report._below(self._need("dir"))

    @property
    def path(self) -> Path:
        """The folder of its report."""
        return self.details.path

    @property
    def timeline(self) -> TimelineSummary:
        """The chromium events of this rank, as in its own report."""
        return self.details.timeline

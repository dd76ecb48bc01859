"""Reads the texts of artifacts from a report's files, and escapes texts from logs for messages.

A report may come from anywhere, so its names are not trusted: no file outside of the report is read, and what is unpacked is
bounded.
"""
from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any
from collections.abc import Iterator

from ._error import TlparseError

CHUNK_BYTES = 64 << 20  # the program writes chunks of about 1 MiB


def printable(text: str, lines: bool = False) -> str:
    """The text with control characters as escapes, so that it cannot control a terminal. `lines`: newlines stay."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or (lines and c == "\n") else c.encode("unicode_escape").decode("ascii") for c in text)


def inside(root: Path, name: str) -> Path:
    """The file of that name below the folder root. Raises TlparseError if it would be outside of it."""
    try:
        path = (root / name).resolve()
        below = root.resolve() in path.parents
    except (OSError, RuntimeError, TypeError, ValueError) as error:  # a loop of links, a null byte, no text
        raise TlparseError(f"the report names no file: {printable(str(name))}") from error
    if not below:
        raise TlparseError(f"the report names a file outside of its folder: {printable(name)}")
    return path


@lru_cache(maxsize=4)
def _chunk(path: Path, _changed_ns: int) -> bytes:
    from ._program import unpack

    return unpack(path, CHUNK_BYTES)


def _chunks(root: Path, folder: str) -> Iterator[bytes]:
    """The text stream of a folder, chunk by chunk (doc/report-data.md)."""
    index = 0
    while True:
        path = inside(root, f"data/{folder}.{index}.js")
        if index and not path.exists():
            return
        try:
            changed_ns = path.stat().st_mtime_ns
        except OSError as error:
            raise TlparseError(f"cannot read {path}: {error.strerror}") from error
        yield _chunk(path, changed_ns)
        index += 1


def read_text(root: Path, folder: str, place: Any, max_bytes: int) -> str:
    """The text at place, [offset, length], in the text stream of a folder, cut to max_bytes."""
    if not (isinstance(place, list) and len(place) == 2 and all(type(item) is int and item >= 0 for item in place)):
        raise TlparseError("the report has no valid place of this text")
    offset, length = place
    wanted, parts, start = min(length, max_bytes), [], 0
    for chunk in _chunks(root, folder):
        first, last = max(offset - start, 0), offset + wanted - start
        if last > 0:
            parts.append(chunk[first:last])
        start += len(chunk)
        if start >= offset + wanted:
            break
    data = b"".join(parts)
    if len(data) < wanted:
        raise TlparseError(f"the report has {len(data)} of {wanted} bytes of a text in {printable(folder)}: it is incomplete")
    return data.decode("utf-8", "replace")

"""Finds and runs the program `tlparse`, which does the work."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
import warnings
from functools import lru_cache
from pathlib import Path
from typing import List, Optional, Tuple
from collections.abc import Iterator, Sequence

from ._error import TlparseError
from ._text import printable

DISTRIBUTION = "tlparse-c"
VARIABLE = "TLPARSE_BINARY"
FIRST_VERSION = (0, 5)  # the Rust tlparse has lower ones
MESSAGE_LINES = 12


def _version(program: str) -> Tuple[str, Optional[Tuple[int, int]]]:
    """The output of a program for --version, and the number in it. None if it is not the version of a tlparse."""
    try:
        done = subprocess.run(
            [program, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=30, check=False)
    except (OSError, subprocess.SubprocessError):
        return "", None
    line = (done.stdout.decode("utf-8", "replace").splitlines() or [""])[0]
    found = re.fullmatch(r"tlparse (\d+)\.(\d+)\S*", line)
    return printable(line), (int(found[1]), int(found[2])) if found else None


def _is_this(program: str) -> bool:
    version = _version(program)[1]
    return version is not None and version >= FIRST_VERSION


def _installed() -> Iterator[str]:
    """The program of this package's wheel: `tlp`, whose name never clashes with another package."""
    from importlib import metadata

    try:
        files = metadata.files(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        files = []
    for name in ("tlp", "tlparse"):
        for file in files:
            if file.name in (name, f"{name}.exe"):
                yield str(Path(str(file.locate())).resolve())
    for name in ("tlp", "tlparse"):
        found = shutil.which(name, path=sysconfig.get_path("scripts"))
        if found:
            yield found


@lru_cache(maxsize=8)
def _find(variable: Optional[str], path: Optional[str]) -> str:
    """The program for these values of TLPARSE_BINARY and PATH."""
    if variable:
        found = shutil.which(variable)
        if not found:
            raise TlparseError(f"${VARIABLE} is not a program: {printable(variable)}")
        return found
    on_path = [found for found in (shutil.which("tlp"), shutil.which("tlparse")) if found]
    for program in [*_installed(), *on_path]:
        if _is_this(program):
            other = shutil.which("tlparse")
            if other and not os.path.samefile(other, program) and not _is_this(other):
                warnings.warn(
                    f"the tlparse first on PATH is another program: {other} ({_version(other)[0] or 'unknown version'}). "
                    f"This package runs {program}", stacklevel=4)
            return program
    if on_path:
        raise TlparseError(
            f"{on_path[-1]} is another program ({_version(on_path[-1])[0] or 'unknown version'}): "
            f"pip install {DISTRIBUTION}, or set ${VARIABLE}")
    raise TlparseError(f"the program tlparse is missing: pip install {DISTRIBUTION}, or set ${VARIABLE}")


def find() -> str:
    """The path of the program: $TLPARSE_BINARY, or the program of the wheel, or the first `tlp` or `tlparse` on PATH.

    Warns if the first `tlparse` on PATH is another program, such as the Rust tlparse.

    Raises:
        TlparseError: there is none.
    """
    return _find(os.environ.get(VARIABLE), os.environ.get("PATH"))


def _message(text: str) -> str:
    """The program's own message at the end of its standard error: from its last line of the form `tlparse: …` on."""
    lines = printable(text, lines=True).strip().splitlines()
    first = max((i for i, line in enumerate(lines) if line.startswith("tlparse: ")), default=0)
    return "\n".join(lines[first:][-MESSAGE_LINES:]).removeprefix("tlparse: ")


def run(arguments: Sequence[str], accepted: Sequence[int] = (0,), cwd: Optional[Path] = None) -> subprocess.CompletedProcess[str]:
    """Runs the program and returns its output.

    Raises:
        TlparseError: it could not be started, or its exit status is not in `accepted`. The text is its message.
    """
    command: List[str] = [find(), *arguments]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace",
            env={**os.environ, "NO_COLOR": "1"}, cwd=cwd, check=False)
    except OSError as error:
        raise TlparseError(f"cannot run {command[0]}: {error.strerror}") from error
    if done.returncode not in accepted:
        raise TlparseError(_message(done.stderr) or f"tlparse exited with status {done.returncode}", done.returncode)
    return done


def unpack(path: Path, most: int) -> bytes:
    """The content of one of data/*.js of a report, cut to `most` bytes. Python has no zstd before 3.14.

    Raises:
        TlparseError: the program could not be started, or cannot read the file.
    """
    command = [find(), "--unpack-data", str(path)]
    try:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout and process.stderr
            data = process.stdout.read(most)
            if process.stdout.read(1):
                process.kill()
                return data
            said = process.stderr.read().decode("utf-8", "replace")
    except OSError as error:
        raise TlparseError(f"cannot run {command[0]}: {error.strerror}") from error
    if process.returncode:
        raise TlparseError(_message(said) or f"tlparse exited with status {process.returncode}", process.returncode)
    return data

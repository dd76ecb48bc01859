"""The error of this package."""
from __future__ import annotations


class TlparseError(Exception):
    """The program failed, or its output or a file is not as expected.

    The text says what failed and why; it is the program's own message if the program failed. Bytes from a log that could
    control a terminal are escaped in it.

    Attributes:
        status: the exit status of the program. None if no program ran, or if it could not be started.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status

"""record(): logs what a block of a program compiles, and makes a report of the logs.

PyTorch reads TORCH_TRACE once, when it is imported. Setting the variable is enough if that happens within the block, and for
processes that the block starts. If PyTorch was imported before, the block adds its own handler to PyTorch's
trace logger, of the kind that PyTorch would have made for TORCH_TRACE. This module never imports PyTorch.
"""
from __future__ import annotations

import logging
import os
import sys
import threading
import warnings
from pathlib import Path
from types import TracebackType
from typing import Any, Dict, Optional

from ._error import TlparseError
from ._parse import TemporaryFolder, parse
from ._report import Report, Where

VARIABLE = "TORCH_TRACE"
INTERNAL = "torch._logging._internal"
STRUCTURED = "torch._logging.structured"
LOGGER = "torch.__trace"
PROFILE = "profile.json.gz"  # in the folder of the logs


def _known_strings() -> Dict[str, int]:
    """The strings that PyTorch has logged in this process and refers to by number from now on, with their numbers."""
    table = getattr(sys.modules.get(STRUCTURED), "INTERN_TABLE", None)
    return dict(table) if isinstance(table, dict) else {}


def _handler(internal: Any, folder: str) -> logging.Handler:
    """PyTorch's handler of traces for a folder. Before the first record, its log gets the strings that records may refer to.

    Raises:
        TlparseError: this version of PyTorch has no such handler.
    """
    try:
        handler: logging.Handler = internal.LazyTraceHandler(folder)
        handler.setFormatter(internal.TorchLogsFormatter(trace=True))
    except (AttributeError, TypeError) as error:
        raise TlparseError(f"this version of PyTorch cannot record a block ({error}): set TORCH_TRACE before it is imported") from error

    def first(record: logging.LogRecord) -> bool:
        handler.removeFilter(first)
        own = getattr(record, "metadata", {}).get("str")
        for text, number in _known_strings().items():
            if own is None or own[1] != number:
                string = logging.LogRecord(LOGGER, logging.DEBUG, "tlparse/_record.py", 1, "", (), None)
                string.metadata, string.payload = {"str": (text, number)}, None
                handler.handle(string)
        return True

    handler.addFilter(first)
    return handler


def _profiler() -> Any:
    """The class torch.profiler.profile.

    Raises:
        TlparseError: PyTorch is not imported, or a profiler is active: PyTorch can run one at a time.
    """
    found = getattr(sys.modules.get("torch.profiler"), "profile", None)
    if found is None:
        raise TlparseError("record(profile=True) needs torch.profiler: import torch before the block")
    if getattr(sys.modules.get("torch.autograd.profiler"), "_is_profiler_enabled", False):
        raise TlparseError("record(profile=True): a profiler is active, and PyTorch can run only one at a time")
    return found


class Recording:
    """A recording of what a block of a program compiles: `with tlparse.record("out") as run:`.

    Blocks may nest, and TORCH_TRACE may be set: each log has all records. (If PyTorch is imported within the block, other logs
    begin after the block.) The handler belongs to the process, so a block also records what other threads compile.
    `TORCH_TRACE` is set for the block and then restored.
    """

    def __init__(self, out: Optional[Where] = None, *, logs: Optional[Where] = None, overwrite: bool = False, profile: bool = False) -> None:
        self._out, self._overwrite = None if out is None else Path(os.fspath(out)).absolute(), overwrite
        self._keep = TemporaryFolder() if logs is None else None
        self._logs = (self._keep.path if self._keep else Path(os.fspath(logs or "."))).absolute()
        self._profile = profile
        self._profiler: Any = None
        self._thread = 0  # which started the profiler
        self._handler: Optional[logging.Handler] = None
        self._before: Optional[str] = None
        self._report: Optional[Report] = None
        self._state = "new"

    @property
    def logs(self) -> Path:
        """The folder of the logs, absolute. A temporary one is removed with this object."""
        return self._logs

    @property
    def compiled(self) -> bool:
        """Whether there is a log: PyTorch compiled something, or tried to."""
        return any(file.stat().st_size for file in self._logs.glob("*.log"))

    @property
    def report(self) -> Report:
        """The report. It is complete after the block; within it, use `snapshot()`.

        Raises:
            TlparseError: nothing was compiled, or the block has not ended.
        """
        if self._report is None:
            if self._state != "ended":
                raise TlparseError("the block has not ended: use snapshot()")
            self._report = self._make(self._out, self._overwrite)
        return self._report

    def snapshot(self) -> Report:
        """A report of what was recorded so far, in a temporary folder. It has no profile until the block has ended.

        Raises:
            TlparseError: nothing was compiled.
        """
        return self._make(None, False)

    def _make(self, out: Optional[Where], overwrite: bool) -> Report:
        if not self.compiled:
            raise TlparseError("nothing was compiled: there is no log")
        trace = self._logs / PROFILE
        return parse(self._logs, out=out, overwrite=overwrite, profile=trace if self._profile and trace.exists() else None)

    def __enter__(self) -> Recording:
        if self._state != "new":
            raise TlparseError("a recording cannot be started twice")
        self._logs.mkdir(parents=True, exist_ok=True)
        if self._keep is None and (any(self._logs.glob("*.log")) or (self._logs / PROFILE).exists()):
            raise TlparseError(f"{self._logs} has logs: give an empty folder")
        profiler = _profiler() if self._profile else None
        internal = sys.modules.get(INTERNAL)
        if internal is not None:
            self._attach(internal)
        self._state = "open"
        self._before = os.environ.get(VARIABLE)
        os.environ[VARIABLE] = str(self._logs)
        if profiler is not None:
            self._start(profiler)
        return self

    def _start(self, profiler: Any) -> None:
        try:
            self._profiler, self._thread = profiler(), threading.get_ident()
            self._profiler.start()
        except Exception as error:
            self._profiler = None
            self._end()
            raise TlparseError(f"record(profile=True): torch.profiler cannot start: {error}") from error

    def _stop(self) -> None:
        """Writes the profile. If that fails, the log matters more, and so does an exception from the block."""
        profiler, self._profiler = self._profiler, None
        if profiler is None:
            return
        try:
            # PyTorch crashes if another thread stops a profiler, or if it has ended
            if self._thread != threading.get_ident():
                raise TlparseError("another thread ended the block")
            if not getattr(sys.modules.get("torch.autograd.profiler"), "_is_profiler_enabled", True):
                raise TlparseError("another profiler ran in the block")
            profiler.stop()
            profiler.export_chrome_trace(str(self._logs / PROFILE))
        except Exception as error:
            (self._logs / PROFILE).unlink(missing_ok=True)
            warnings.warn(f"the report has no profile: {error}", RuntimeWarning, stacklevel=3)

    def _attach(self, internal: Any) -> None:
        logger = logging.getLogger(LOGGER)
        logger.setLevel(logging.DEBUG)
        self._handler = _handler(internal, str(self._logs))
        logger.addHandler(self._handler)

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        try:
            self._stop()
        finally:  # a warning may be an error
            self._end()
        if self._out is None or not self.compiled:
            return
        try:
            self._report = self._make(self._out, self._overwrite)
        except TlparseError:
            if kind is None:  # the exception from the block matters more
                raise

    def _end(self) -> None:
        if self._before is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = self._before
        self._detach()
        self._state = "ended"

    def _detach(self) -> None:
        logger = logging.getLogger(LOGGER)
        internal: Any = sys.modules.get(INTERNAL)
        if self._handler is not None:
            logger.removeHandler(self._handler)
            self._handler.close()
            return
        made = getattr(internal, "LOG_TRACE_HANDLER", None)
        if made is None or getattr(made, "root_dir", None) != str(self._logs):
            return
        # PyTorch was imported within the block, and would log to its folder from now on.
        logger.removeHandler(made)
        made.close()
        internal.LOG_TRACE_HANDLER = None
        if self._before is not None:
            internal.LOG_TRACE_HANDLER = internal._track_handler(_handler(internal, self._before))
            logger.addHandler(internal.LOG_TRACE_HANDLER)


def record(out: Optional[Where] = None, *, logs: Optional[Where] = None, overwrite: bool = False, profile: bool = False) -> Recording:
    """Records what PyTorch compiles in a block, and writes a report of it:

        with tlparse.record("out") as run:
            train()
        run.report.totals.recompiles

    The report is also written if the block raises. If nothing was compiled, there is none, and `run.report` raises.

    Args:
        out: the folder of the report. By default, the report is made when `run.report` is read, in a temporary folder.
        logs: a folder for the logs, to keep them. It must not have logs. By default, a temporary one.
        overwrite: replace `out` if it contains a report.
        profile: also record the block with torch.profiler, and join the profile with the log: `run.report.profile` has what the
            compiled code costs when it runs. PyTorch must be imported before the block, and no other profiler may be active.
            The functions must be compiled within the block. The trace is `profile.json.gz` in the folder of the logs. It has
            what the thread of the block runs, without shapes and stacks. If it cannot be written, the report has no profile,
            and there is a RuntimeWarning.

    Raises:
        TlparseError: at the start of the block: `logs` has logs, or the profile cannot be recorded. At the end: the report could not
            be written.
    """
    return Recording(out, logs=logs, overwrite=overwrite, profile=profile)

"""Reports over the structured logs of torch.compile (TORCH_TRACE), from Python.

    >>> import tlparse
    >>> report = tlparse.parse(logs / "graph_breaks")
    >>> report.totals.graph_breaks == len(report.graph_breaks)
    True

`parse` writes a report and loads it, `load` loads a finished one, `summary`, `diff` and `graph` only answer, and `record` records a block
of a program. The program `tlparse` does the work; this package needs neither PyTorch nor anything else. doc/python.md has
examples.
"""
from . import types
from ._error import TlparseError
from ._parse import Diff, diff, graph, graph_diff, parse, summary
from ._program import find
from ._record import Recording, record
from ._report import Compiles, Report, load
from ._table import Table
from .parsers import Parser, parser

__all__ = [
    "Compiles", "Diff", "Parser", "Recording", "Report", "Table", "TlparseError", "diff", "find", "graph", "graph_diff", "load", "parse", "parser", "record",
    "summary", "types",
]

"""The view of a report in a notebook. All text from a log is escaped."""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, List, Optional, Union
from collections.abc import Iterable, Sequence

from .types import Finding, RankFinding

if TYPE_CHECKING:
    from ._report import Report

SHOWN = 5


def duration(us: Optional[int]) -> str:
    """A time in microseconds, formatted for people."""
    if us is None:
        return "unknown"
    if us < 1_000_000:
        return f"{us / 1000:,.1f} ms"
    return f"{us / 1_000_000:,.2f} s"


def _table(rows: Iterable[List[str]]) -> str:
    return "<table>" + "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows) + "</table>"


def report_html(report: Report) -> str:
    """A few figures, the worst findings, and a link to the page."""
    totals = report.totals
    figures = [
        ["Compiles", str(totals.compiles)],
        ["Compile time", duration(totals.time_us)],
        ["Recompiles", str(totals.recompiles)],
        ["Graph breaks", str(totals.graph_breaks)],
        ["Failures", str(totals.failures)],
    ]
    if report.kind != "run":
        figures.insert(0, ["Ranks" if report.kind == "ranks" else "Runs", str(len(report.ranks))])
    findings: Sequence[Union[Finding, RankFinding]] = report.findings if report.kind == "run" else report.rank_findings or ()
    rows = [[finding.severity, finding.title, str(finding.place or "")] for finding in list(findings)[:SHOWN]]
    parts = [f"<p><b>tlparse</b>: {html.escape(str(report.path))}</p>", _table(figures)]
    if rows:
        parts.append(_table(rows))
    if len(findings) > SHOWN:
        parts.append(f"<p>{len(findings) - SHOWN} more findings</p>")
    if report.page.exists():
        parts.append(f'<p><a href="{html.escape(report.page.resolve().as_uri())}" target="_blank">Open the report</a></p>')
    return "".join(parts)

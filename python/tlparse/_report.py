"""A report, as load() and parse() return it."""
from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, TypeVar, Union, overload
from collections.abc import Iterator, Sequence

from ._error import TlparseError
from ._member import computed
from ._node import Node, Nodes, copied
from ._table import Table, flat
from ._text import inside, printable
from .types import (
    Artifact, Compile, Config, Finding, GraphBreak, ListedFailure, Rank, Recompile, ReportMembers, RestartCause
)

if TYPE_CHECKING:
    import pandas
    import pyarrow

T = TypeVar("T", bound=Node)
Where = Union[str, "os.PathLike[str]"]
OWN_COLUMNS = ("rank", "dir", "key", "backward")
LISTS = ("metrics", "backward_metrics", "artifacts", "stages", "passes", "cache", "record_tables", "shapes")  # not columns of a compile
NESTED = ("frame", "failure", "backward_failure")  # columns such as frame.file, which a compile without them does not have


class Compiles(Nodes[Compile]):
    """Compiles, in log order: by index, or by key or id, as in `report.compiles["0/1"]`."""

    __slots__ = ()

    @overload
    def __getitem__(self, index: Union[int, str]) -> Compile: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Compile]: ...

    def __getitem__(self, index: Union[int, str, slice]) -> Union[Compile, Sequence[Compile]]:
        """The compile at an index, or with a key (`0/1`, `0/1#2`), or with an id that only one compile has.

        Raises:
            IndexError: there is no such index.
            KeyError: no compile has this key or id, or several do, for example on several ranks.
        """
        if not isinstance(index, str):
            return super().__getitem__(index)
        for member in ("key", "id"):
            found = [i for i, item in enumerate(self._items) if item.get(member) == index]
            if len(found) == 1:
                return super().__getitem__(found[0])
            if found:
                raise KeyError(f"{len(found)} compiles have the {member} {index}: take one by its index, or from one rank's report")
        raise KeyError(f"no compile {index}")

    def __contains__(self, value: object) -> bool:
        if isinstance(value, str):
            return any(value in (item.get("key"), item.get("id")) for item in self._items)
        return super().__contains__(value)

    def keys(self) -> List[str]:
        """The keys of all compiles. In a report of several ranks, ranks may share keys."""
        return [item["key"] for item in self._items]

    def table(self) -> Table:
        """A row for each compile: its members that are scalars or lists of such, those of nested objects as `frame.file`, and first
        the rank and the folder of its report.

        Times of `…_us` are microseconds.
        """
        rows = []
        for item in self:
            members = {key: value for key, value in item._data.items() if key not in LISTS and not (value is None and key in NESTED)}
            rows.append({"rank": item.report.run.rank, "dir": item.report.dir, **copied(flat(members))})
        return Table(rows)

    def to_pandas(self) -> pandas.DataFrame:
        """table() as a DataFrame of pandas."""
        return self.table().to_pandas()

    def to_arrow(self) -> pyarrow.Table:
        """table() as a table of Arrow."""
        return self.table().to_arrow()


class Report(ReportMembers):
    """A report of one run, of the ranks of a job, or of several runs (`kind`).

    It is read-only. Members are those of report.json (doc/report.schema.json); times end in `_us` and are microseconds.

    In a report of several ranks or runs, these members list what all of them have: compiles, graph_breaks, recompiles, failures,
    backward_failures, restart_causes, findings, configs and metrics. `.report` of an item is the report of its rank. So
    `len(report.failures) + len(report.backward_failures) == report.totals.failures`, whatever the kind. `graph_breaks` also has
    the exceptions of the traced code that PyTorch logs as graph breaks (`exception`); `totals.graph_breaks` does not count them.
    Other members are those of report.json.
    """

    __slots__ = ("_path", "_dir", "_lower", "_keep")
    _path: Path
    _dir: str
    _lower: Dict[str, Report]
    _keep: object

    def __init__(self, data: Dict[str, Any], path: Path, keep: object = None, dir: str = "") -> None:
        """`keep` is what keeps the folder: all reports below this one refer to it, and none to another report, so that it goes
        with the last of them."""
        super().__init__(data)
        if data.get("format") != "tlparse-report":
            raise TlparseError(f"{path / 'report.json'} is not a report of tlparse")
        if data.get("version") != 2:
            raise TlparseError(f"{path / 'report.json'} has version {data.get('version')!r}; this package reads version 2")
        object.__setattr__(self, "_path", path)
        object.__setattr__(self, "_dir", dir)
        object.__setattr__(self, "_lower", {})
        object.__setattr__(self, "_keep", keep)

    def __reduce__(self) -> Tuple[Any, ...]:
        if self._keep is not None:
            raise TypeError("a report in a temporary folder cannot be copied or pickled: call parse() with out")
        return load, (str(self._path),)

    @property
    def report(self) -> Report:
        """This report."""
        return self

    def _owner(self) -> Report:
        return self

    @property
    def path(self) -> Path:
        """The folder of the report, absolute. A temporary one is removed when nothing refers to the report or to objects of it."""
        return self._path

    @property
    def page(self) -> Path:
        """The page of the report, for browsers."""
        return self._path / "index.html"

    @property
    def dir(self) -> str:
        """The folder of the report, relative to the report of all ranks or runs. Empty for that one itself."""
        return self._dir

    def _below(self, folder: str) -> Report:
        """The report of a rank, from the folder that report.json names."""
        if folder == "":
            return self
        if not isinstance(folder, str):
            raise TlparseError("the report names no folder of a rank")
        if folder not in self._lower:
            path = inside(self._path, folder)
            below = f"{self._dir}/{folder}" if self._dir else folder
            self._lower[folder] = Report(read_json(path / "report.json"), path, self._keep, below)
        return self._lower[folder]

    @property
    def reports(self) -> Tuple[Report, ...]:
        """The reports of single logs: this one, or one per rank or run, in order. Ranks whose log could not be read have none."""
        if self.kind == "run":
            return (self,)
        found: List[Report] = []
        for rank in self._data.get("ranks") or ():
            if rank.get("status") != "bad":
                lower = self._below(rank["dir"])
                found += (lower,) if lower is self else lower.reports
        return tuple(found)

    def _joined(self, kind: type[T], member: str) -> Nodes[T]:
        return Nodes(kind, *self._parts(member))

    def _parts(self, member: str, wanted: Callable[[Any], bool] = lambda item: True) -> Tuple[List[Any], List[Report]]:
        """The items of a list in all reports, and the report of each item."""
        items, owners = [], []
        for report in self.reports:
            for item in report._need(member):
                if wanted(item):
                    items.append(item)
                    owners.append(report)
        return items, owners

    @computed
    def compiles(self) -> Compiles:  # type: ignore[override]  # a subclass of the member's class; mypy takes it as writable
        """All compiles, in log order: `len(report.compiles) == report.totals.compiles`.

        Ids with records only, which are no compiles, are in `ids`.
        """
        return Compiles(Compile, *self._parts("compiles", lambda item: item.get("is_compile", True)))

    @property
    def ids(self) -> Compiles:
        """All compile ids with records: the compiles, and ids such as `-/-` that only have artifacts (is_compile is False)."""
        return Compiles(Compile, *self._parts("compiles"))

    @computed
    def graph_breaks(self) -> Sequence[GraphBreak]:
        """Graph breaks, distinct by reason and place within a log."""
        return self._joined(GraphBreak, "graph_breaks")

    @computed
    def recompiles(self) -> Sequence[Recompile]:
        """Frames that were compiled more than once. totals.recompiles is the number of recompiles."""
        return self._joined(Recompile, "recompiles")

    @computed
    def failures(self) -> Sequence[ListedFailure]:
        """Failed compiles, in log order. totals.failures also counts backward_failures."""
        return self._joined(ListedFailure, "failures")

    @computed
    def backward_failures(self) -> Sequence[ListedFailure]:
        """Failed compiles of backward graphs, in log order."""
        return self._joined(ListedFailure, "backward_failures")

    @computed
    def restart_causes(self) -> Sequence[RestartCause]:
        """Why Dynamo restarted traces."""
        return self._joined(RestartCause, "restart_causes")

    @computed
    def findings(self) -> Sequence[Finding]:
        """Issues, most severe first within a log. rank_findings lists an issue that several ranks share once."""
        return self._joined(Finding, "findings")

    @computed
    def configs(self) -> Sequence[Config]:
        """Distinct configurations within a log."""
        return self._joined(Config, "configs")

    @computed
    def ranks(self) -> Sequence[Rank]:
        """The ranks of a job, or the runs, in the order of report.json. Empty if the report is of one run."""
        return Nodes(Rank, self._data.get("ranks") or [], self)

    @property
    def runs(self) -> Sequence[Rank]:
        """The runs. Empty unless `kind` is runs."""
        return self.ranks if self.kind == "runs" else Nodes(Rank, [], self)

    def rank(self, number: int) -> Rank:
        """The compared log of a rank. `ranks[3]` is the fourth log, and another rank if one is missing.

        Raises:
            KeyError: there is no log of this rank, or there are several.
        """
        found = [rank for rank in self.ranks if rank.rank == number and not rank.older]
        if len(found) != 1:
            raise KeyError(f"{len(found)} logs of rank {number}" if found else f"no log of rank {number}")
        return found[0]

    @property
    def metrics(self) -> Table:
        """All compilation_metrics: a row for the forward of each compile, and one for its backward.

        The first columns are `rank`, `dir` (of the rank's report), `key` and `backward`. The others are the fields of PyTorch as
        logged, with their units: `_us` microseconds, `_s` seconds. A field with the name of one of the first is `metrics.rank`.
        """
        rows = []
        for report in self.reports:
            for item in report._need("compiles"):
                for member in ("metrics", "backward_metrics"):
                    if item.get(member) is not None:
                        first = {"rank": report.run.rank, "dir": report.dir, "key": item["key"], "backward": member != "metrics"}
                        rows.append({**first, **{f"metrics.{k}" if k in OWN_COLUMNS else k: v for k, v in item[member].items()}})
        return Table(copied(rows))

    def artifacts(self, name: Optional[str] = None) -> Iterator[Artifact]:
        """The artifacts of all ids, in order, or those with a name or stem, such as `dynamo_output_graph`."""
        for item in self.ids:
            for artifact in item.artifacts:
                if name is None or name in (artifact.name, artifact.stem):
                    yield artifact

    def summary(self, format: str = "text", top: int = 10) -> str:
        """The output of `tlparse summary` for this report: text, markdown or json.

        Raises:
            TlparseError: the program is missing or failed.
        """
        from ._program import run

        return run(["summary", str(self._path), "--format", format, "--top", str(top)]).stdout

    def __repr__(self) -> str:
        return f"<Report of {self.kind} in {printable(str(self._path))}: {self.totals.compiles} compiles>"

    def _repr_html_(self) -> str:
        from ._html import report_html

        return report_html(self)


def read_json(path: Path) -> Dict[str, Any]:
    """The object in a file. Raises TlparseError if it cannot be read or has none."""
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except OSError as error:
        raise TlparseError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise TlparseError(f"cannot read {path}: it is not JSON ({error})") from error
    if not isinstance(data, dict):
        raise TlparseError(f"cannot read {path}: it is not a report of tlparse")
    return data


def load(path: Where) -> Report:
    """Loads a finished report: its folder, or its report.json.

    Raises:
        TlparseError: there is no report, or one of another version.
    """
    place = Path(path).absolute()
    file = place / "report.json" if place.is_dir() else place
    return Report(read_json(file), file.parent)

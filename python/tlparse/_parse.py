"""parse(), summary() and diff(): they run the program and read its output."""
from __future__ import annotations

import json
import os
import shlex
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple, Union
from collections.abc import Iterable, Mapping, Sequence

from ._error import TlparseError
from ._program import run
from ._report import Report, Where, read_json
from .parsers import Parser
from .types import ComparedFunction, DiffMembers, Figure, GraphDifference, GraphNodes, Summary

Source = Union[Where, Report]
Command = Union[str, Sequence[str], Parser]


class TemporaryFolder:
    """A folder that is removed with this object, or when the interpreter exits."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="tlparse-"))
        weakref.finalize(self, shutil.rmtree, str(self.path), True)


def _paths(source: Union[Source, Iterable[Source]]) -> List[str]:
    """The arguments of the program for these sources. A path is never taken for an option."""
    several = [source] if isinstance(source, (str, os.PathLike, Report)) else list(source)
    names = [str(item.path) if isinstance(item, Report) else os.fspath(item) for item in several]
    for name in names:
        if not isinstance(name, str):
            raise TypeError("a path must be a str or an os.PathLike of one")
    return [f"./{name}" if name.startswith("-") else name for name in names]


def _flags(**options: bool) -> List[str]:
    return [f"--{name.replace('_', '-')}" for name, on in options.items() if on]


def _parser_options(parsers: Union[Mapping[str, Command], Iterable[Parser]]) -> List[str]:
    pairs = list(parsers.items()) if isinstance(parsers, Mapping) else [(parser.kind, parser) for parser in parsers]
    options: List[str] = []
    for kind, command in pairs:
        if isinstance(command, Parser):
            command = command.command
        options += ["--parser", f"{kind}={command if isinstance(command, str) else shlex.join(command)}"]
    return options


def _each(option: str, paths: Union[Where, Iterable[Where], None]) -> List[str]:
    return [] if paths is None else [word for path in _paths(paths) for word in (option, path)]


def _profile_options(profile: Union[Where, Iterable[Where], None]) -> List[str]:
    return _each("--profile", profile)


def parse(
    paths: Union[Where, Iterable[Where]],
    *,
    out: Optional[Where] = None,
    overwrite: bool = False,
    rank: Optional[int] = None,
    latest: bool = False,
    compare: bool = False,
    all_ranks: bool = False,
    export: bool = False,
    inductor_provenance: bool = False,
    plain_text: bool = False,
    strict: bool = False,
    parsers: Union[Mapping[str, Command], Iterable[Parser]] = (),
    profile: Union[Where, Iterable[Where], None] = None,
    source: Union[Where, Iterable[Where], None] = None,
    source_commit: Optional[str] = None,
    threads: Optional[int] = None,
) -> Report:
    """Writes a report of logs, and loads it. Each option is that of the program (`tlparse --help`).

    Args:
        paths: a log, a folder of logs, or several of them.
        out: the folder of the report. By default, it is a temporary one, which is removed when nothing refers to the report, or
            to objects of it, any more.
        overwrite: replace `out` if it contains a report.
        rank: read only the records of this rank.
        latest: read only the most recently modified log of a folder.
        compare: take the paths as separate runs.
        all_ranks: read the logs of all ranks in the folder (`--all-ranks-html`).
        export: the log is one of torch.export.
        inductor_provenance: write the pages of provenance.
        plain_text: write generated code as plain text.
        strict: fail if the log has unrecognized lines or malformed records.
        parsers: programs that read records of a kind (doc/hooks.md): a mapping from kinds to commands, or functions
            decorated with `parser`.
        profile: a trace of torch.profiler, a folder with traces, or several of them: what the compiled program costs when it runs.
        source: a folder with the source of the program, or several: the page shows whole files of it.
        source_commit: the commit that links to code name.
        threads: number of worker threads.

    Raises:
        TlparseError: the program is missing or failed, for example because a log cannot be read.
    """
    arguments = _paths(paths)
    keep = TemporaryFolder() if out is None else None
    folder = (keep.path if keep else Path(os.fspath(out or "."))).absolute()  # texts are read later, perhaps from another folder
    options = ["--no-browser", "-o", str(folder)]
    options += _flags(
        overwrite=overwrite or keep is not None, latest=latest, compare=compare, all_ranks_html=all_ranks, export=export,
        inductor_provenance=inductor_provenance, plain_text=plain_text, strict=strict)
    options += [] if rank is None else ["--rank", str(rank)]
    options += [] if source_commit is None else ["--source-commit", source_commit]
    options += [] if threads is None else ["--threads", str(threads)]
    run(["parse", *options, *_parser_options(parsers), *_profile_options(profile), *_each("--source", source), "--", *arguments])
    return Report(read_json(folder / "report.json"), folder, keep)


def _answer(arguments: Sequence[str], accepted: Sequence[int] = (0,)) -> Dict[str, Any]:
    """The JSON that a command prints."""
    text = run(arguments, accepted).stdout
    try:
        data = json.loads(text)
    except ValueError as error:
        raise TlparseError(f"tlparse {arguments[0]} did not print JSON: {error}") from error
    if not isinstance(data, dict):
        raise TlparseError(f"tlparse {arguments[0]} did not print an object")
    return data


def summary(
    paths: Union[Source, Iterable[Source]],
    *,
    top: int = 10,
    rank: Optional[int] = None,
    latest: bool = False,
    profile: Union[Where, Iterable[Where], None] = None,
) -> Summary:
    """The totals and the issues of logs, without writing a report: the JSON of `tlparse summary`.

    Args:
        paths: a log, a folder of logs, a finished report, or several logs.
        top: at most this many issues and compiles.
        rank: read only the records of this rank.
        latest: read only the most recently modified log of a folder.
        profile: a trace of torch.profiler, a folder with traces, or several of them. For logs only.

    Raises:
        TlparseError: the program is missing or failed.

    >>> summary(logs / "recompiles").totals.recompiles
    19
    """
    options = ["--format", "json", "--top", str(top), *_flags(latest=latest), *([] if rank is None else ["--rank", str(rank)])]
    return Summary(_answer(["summary", *options, *_profile_options(profile), "--", *_paths(paths)]))


class Diff(DiffMembers):
    """The changes from one run to another: the JSON of `tlparse diff`."""

    __slots__ = ()

    @property
    def regressions(self) -> Tuple[Figure, ...]:
        """The figures that are worse in the second run: costs that grew, and times that grew by more than 5 %.

        If a side has several runs, the change is larger than their spread.
        """
        return tuple(figure for figure in self.figures if figure.verdict == "worse")

    @property
    def improvements(self) -> Tuple[Figure, ...]:
        """The figures that are better in the second run."""
        return tuple(figure for figure in self.figures if figure.verdict == "better")

    @property
    def functions(self) -> Tuple[ComparedFunction, ...]:
        """The functions of both runs, the largest change of compile time first. For jobs: rank after rank.

        The `change` of a function is new, gone, slower, faster or same. There are at most 2,000 for each log.
        """
        return tuple(function for log in self.logs or () for function in log.functions)

    @property
    def exceeded(self) -> Tuple[str, ...]:
        """The limits of `fail_on` that are exceeded."""
        return tuple(limit.limit for limit in self.limits if limit.verdict == "exceeded")

    @property
    def undecided(self) -> Tuple[str, ...]:
        """The limits of `fail_on` whose figure a run does not have."""
        return tuple(limit.limit for limit in self.limits if limit.verdict == "not known")

    def figure(self, name: str) -> Figure:
        """The figure with a name, such as compile_time (microseconds), recompiles or graph_breaks. KeyError if there is none."""
        for figure in self.figures:
            if figure.name == name:
                return figure
        raise KeyError(f"no figure {name}: {', '.join(figure.name for figure in self.figures)}")


def diff(
    base: Union[Source, Iterable[Source]],
    new: Union[Source, Iterable[Source]],
    *,
    fail_on: Union[str, Sequence[str]] = (),
    rank: Optional[int] = None,
    profile: Optional[Tuple[Where, Where]] = None,
) -> Diff:
    """Compares two runs, or several of each: figures are then medians with their spread.

    Args:
        base: the run before the change: a log, a folder of logs, a finished report, or several runs.
        new: the run after the change.
        fail_on: limits such as `time>+10%` or `breaks>0`; `exceeded` lists those that do not hold.
        rank: read only the records of this rank.
        profile: traces of torch.profiler, or folders with traces, of `base` and of `new`, which are one run each: `run_time` compares them.

    Raises:
        TlparseError: the program is missing, a run cannot be read, or a limit is not one.

    >>> diff(logs / "simple", logs / "recompiles", fail_on="recompiles>0").exceeded
    ('recompiles>0',)
    """
    before, after = _paths(base), _paths(new)
    if not before or not after:
        raise TlparseError("diff needs a run on each side")
    options = ["--format", "json", *([] if rank is None else ["--rank", str(rank)])]
    for limit in [fail_on] if isinstance(fail_on, str) else fail_on:
        options += ["--fail-on", limit]
    for name, paths in (("--base", before), ("--new", after)):
        for path in paths[1:]:
            options += [name, path]
    if profile is not None:
        options += _profile_options(profile)
    return Diff(_answer(["diff", *options, "--", before[0], after[0]], (0, 1)))


def _graph_answer(arguments: List[str], source: Source, compile: Optional[str]) -> Dict[str, Any]:
    """What `tlparse graph` prints of a graph; an error if it lists graphs instead."""
    paths = _paths(source)
    if len(paths) != 1:
        raise TlparseError("graph needs one log or report")
    answer = _answer(["graph", "--format", "json", *arguments, "--", paths[0], *([] if compile is None else [compile])])
    if answer.get("kind") == "list":
        keys = ", ".join(item["compile"] for item in answer["compiles"])
        raise TlparseError(f"{paths[0]} has several compiles with graphs, name one: {keys}" if keys else f"{paths[0]} has no graph")
    return answer


def graph(source: Source, compile: Optional[str] = None, stage: Optional[str] = None, *, rank: Optional[int] = None) -> GraphNodes:
    """A graph of a compile as nodes: the JSON of `tlparse graph`.

    Args:
        source: a log, a folder with one, or a finished report.
        compile: the key of a compile, such as `0/0`; None: the only one with graphs.
        stage: `dynamo` (default), `pre_grad`, `joint`, `forward`, `post_grad`, `backward`, `backward_post_grad`, or an artifact's name.
        rank: that of the log, if there are several.

    Raises:
        TlparseError: the program is missing, or there is no such graph.

    >>> [node.target for node in graph(logs / "recompiles", "0/0").nodes if node.op == "call_function"][:1]
    ['operator.mul']
    """
    options = [*([] if stage is None else ["--stage", stage]), *([] if rank is None else ["--rank", str(rank)])]
    return GraphNodes(_graph_answer(options, source, compile))


def graph_diff(
    source: Source, compile: Optional[str], other: Source, stage: Optional[str] = None, *, rank: Optional[int] = None
) -> GraphDifference:
    """What differs between a graph and another one, as graphs: names of nodes do not matter.

    Args:
        source: a log, a folder with one, or a finished report.
        compile: the key of a compile, such as `0/0`; None: the only one with graphs.
        other: another compile of the log (`0/1`), another stage of the compile (`joint`), or another log or report.
        stage: as for `graph()`.
        rank: that of the log, if there are several.

    Raises:
        TlparseError: the program is missing, or there is no such graph.

    >>> difference = graph_diff(logs / "recompiles", "0/0", "0/1")
    >>> difference.counts.changed, [(size.from_, size.to) for size in difference.sizes]
    (0, [('2', '3')])
    """
    options = [*([] if stage is None else ["--stage", stage]), *([] if rank is None else ["--rank", str(rank)]), "--diff", *_paths(other)]
    return GraphDifference(_graph_answer(options, source, compile))

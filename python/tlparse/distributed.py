"""Facts of logs on many machines, and the report from them: doc/clusters.md, from Python.

    >>> from tlparse import distributed
    >>> taken = distributed.facts([logs / "ranks4"])
    >>> report = distributed.merge(taken)
    >>> len(report.ranks)
    4

`facts` runs `tlparse facts` once for each path: in threads of this process, as tasks of Ray on the machines of its cluster, or as
your own function distributes it. Facts come back as bytes, so no folder needs to be shared. The machines need this package.
"""
from __future__ import annotations

import concurrent.futures
import importlib
import os
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple, Union
from collections.abc import Iterable, Sequence

from ._error import TlparseError
from ._parse import TemporaryFolder
from ._program import run
from ._report import Report, Where, read_json

__all__ = ["Facts", "facts", "merge"]

#: The result of one task: the content of a facts file and ""; or b"" and the reason why there are no facts.
Result = Tuple[bytes, str]
Task = Callable[[str], Result]
#: Runs the task for each path, anywhere, and returns the results in the same order.
Engine = Callable[[Task, Sequence[str]], Iterable[Result]]


@dataclass(frozen=True)
class Facts:
    """Facts files, as `merge` takes them."""

    #: one file per path that could be read
    files: Tuple[Path, ...]
    #: for each other path, the reason why it could not be read
    errors: Dict[str, str] = field(default_factory=dict)
    #: keeps a temporary folder
    keep: Optional[TemporaryFolder] = field(default=None, repr=False, compare=False)


def take(path: str) -> Result:
    """The facts of the logs at a path of the machine that this is called on."""
    with tempfile.TemporaryDirectory(prefix="tlparse-") as folder:
        file = Path(folder, "facts")
        try:
            run(["facts", "-o", str(file), "--", path])
            return file.read_bytes(), ""
        except (TlparseError, OSError) as error:
            return b"", str(error)


def _in_threads(task: Task, paths: Sequence[str]) -> List[Result]:
    """Runs a few tasks at a time, in threads: the program already uses all cores for one path."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
        return list(pool.map(task, paths))


def _ray() -> Any:
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError as error:
        raise TlparseError("engine=\"ray\" needs Ray: pip install 'tlparse-c[ray]'") from error
    if not ray.is_initialized():
        ray.init()
    return ray


def _results_of_ray(ray: Any, references: Iterable[Any]) -> List[Result]:
    """The result of a task. If its machine fails, that is an error of the path."""
    results: List[Result] = []
    for reference in references:
        try:
            results.append(ray.get(reference))
        except ray.exceptions.RayError as error:
            results.append((b"", f"{type(error).__name__}: {error}"))
    return results


def _with_ray(task: Task, paths: Sequence[str]) -> List[Result]:
    """A task per path, on any machines of the cluster."""
    ray = _ray()
    remote = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(task)
    return _results_of_ray(ray, [remote.remote(path) for path in paths])


def _on_each_node(task: Task, paths: Sequence[str]) -> Tuple[List[str], List[Result]]:
    """A task per path on each machine of the cluster, and the names "HOST:PATH". A task requests no CPUs: a head node may offer none."""
    ray = _ray()
    affinity = importlib.import_module("ray.util.scheduling_strategies").NodeAffinitySchedulingStrategy
    names: List[str] = []
    references: List[Any] = []
    for node in ray.nodes():
        if not node["Alive"]:
            continue
        remote = ray.remote(num_cpus=0, scheduling_strategy=affinity(node_id=node["NodeID"], soft=False))(task)
        for path in paths:
            names.append(f"{node['NodeManagerHostname']}:{path}")
            references.append(remote.remote(path))
    return names, _results_of_ray(ray, references)


def facts(
    paths: Union[Where, Iterable[Where]],
    *,
    out: Optional[Where] = None,
    engine: Union[str, Engine] = "threads",
    each_node: bool = False,
) -> Facts:
    """Takes the facts of logs.

    Args:
        paths: logs, or folders of logs, as the machine that reads them sees them.
        out: the folder for the facts files, which is created. By default, it is a temporary one, which is removed when nothing
            refers to the result any more.
        engine: "threads", "ray", or a function that calls the task it gets for each path, anywhere, and returns the results.
        each_node: with "ray", read each path on each machine of the cluster, for logs on local disks; `errors` then names
            "HOST:PATH". Otherwise a path is read once, on any machine, as for logs in a shared folder.

    Raises:
        ValueError: `each_node` with another engine, or an engine that is none.
        TlparseError: Ray is missing, or no path could be read. If only some could not, `errors` of the result says why.
    """
    several = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    names = [os.fspath(item) for item in several]
    run_all = {"threads": _in_threads, "ray": _with_ray}.get(engine) if isinstance(engine, str) else engine
    if each_node and engine != "ray":
        raise ValueError("each_node needs engine='ray'")
    if run_all is None:
        raise ValueError(f"unknown engine {engine!r}: expected 'threads', 'ray' or a function")
    keep = TemporaryFolder() if out is None else None
    folder = keep.path if keep else Path(os.fspath(out or ".")).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    files: List[Path] = []
    errors: Dict[str, str] = {}
    results: Iterable[Result]
    if each_node:
        names, results = _on_each_node(take, names)
    else:
        results = run_all(take, names)
    for number, (name, (content, why)) in enumerate(zip(names, results)):
        if why:
            errors[name] = why
            continue
        file = folder / f"{number}-{re.sub(r'[^A-Za-z0-9_.-]', '_', Path(name).name)[:100]}.facts"
        file.write_bytes(content)
        files.append(file)
    if not files:
        first = next(iter(errors.values()), "no path is given")
        raise TlparseError(f"no facts could be taken: {first}")
    return Facts(tuple(files), errors, keep)


def merge(
    taken: Union[Facts, Where, Iterable[Where]],
    *,
    out: Optional[Where] = None,
    overwrite: bool = False,
    full: Union[str, Sequence[int]] = "representatives",
    logs: Iterable[Where] = (),
    strict: bool = False,
) -> Report:
    """Writes the report on all ranks, and loads it. Each option is that of the program (`tlparse merge --help`).

    Args:
        taken: the result of `facts`, or facts files.
        out: the folder of the report. By default, it is a temporary one, as in `parse`.
        overwrite: replace `out` if it contains a report.
        full: the ranks that get a full report: numbers, "representatives" or "none".
        logs: folders in which their logs are looked for.
        strict: fail if a log or a facts file could not be read completely.

    Raises:
        TlparseError: the program is missing or failed, for example because no file has facts.
    """
    several: List[Where] = list(taken.files) if isinstance(taken, Facts) else [taken] if isinstance(taken, (str, os.PathLike)) else list(taken)
    keep = TemporaryFolder() if out is None else None
    folder = (keep.path if keep else Path(os.fspath(out or "."))).absolute()
    options = ["-o", str(folder), "--full", full if isinstance(full, str) else ",".join(map(str, full))]
    options += ["--overwrite"] if overwrite or keep is not None else []
    options += ["--strict"] if strict else []
    for place in logs:
        options += ["--logs", os.fspath(place)]
    run(["merge", *options, "--", *(os.fspath(item) for item in several)])
    return Report(read_json(folder / "report.json"), folder, keep)

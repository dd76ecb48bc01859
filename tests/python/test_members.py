"""Every member of every report.json through the generated classes: values equal the file's, and have the declared types."""
from __future__ import annotations

import collections.abc
import json
from pathlib import Path
from types import MappingProxyType
from typing import Any, Dict, List, Literal, Tuple, Type, Union, get_args, get_origin
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from conftest import TOP, Source, named, report_of, sources

import tlparse
from tlparse import types
from tlparse._member import Member
from tlparse._node import Node

CLASSES = [kind for kind in vars(types).values() if isinstance(kind, type) and issubclass(kind, Node) and kind.__module__ == types.__name__]
seen: Dict[str, set[str]] = {}
declared: Dict[Type[Node], List[Tuple[str, str, Any]]] = {}


def plain(value: Any) -> Any:
    """A value of the API as JSON. check() compares what is in a Node."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Node):
        return value._data
    if isinstance(value, (dict, MappingProxyType)):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, collections.abc.Sequence):
        return [plain(item) for item in value]
    return value


def members(kind: Type[Node]) -> List[Tuple[str, str, Any]]:
    """(member, attribute, type) of a class."""
    if kind in declared:
        return declared[kind]
    hints = {name: eval(kind.__annotations__[name], vars(types)) for name, value in vars(kind).items() if isinstance(value, Member)}
    found = [(vars(kind)[name].key, name, *get_args(hint)) for name, hint in hints.items()]
    assert [member for member, _, _ in found] == list(kind._members)
    return declared.setdefault(kind, found)


@cache
def fits(kind: Any) -> Callable[[Any], bool]:
    """Whether a value has a declared type. A bool is no int; an int is a float."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda value: True
    if origin is Literal:
        return lambda value: value in inner
    items = [fits(item) for item in inner if item is not ...]
    if origin is Union:
        return lambda value: any(item(value) for item in items)
    if origin is tuple and inner[1:] != (...,):
        return lambda value: isinstance(value, tuple) and len(value) == len(items) and all(item(one) for item, one in zip(items, value))
    if origin in (tuple, collections.abc.Sequence):
        return lambda value: isinstance(value, origin) and all(map(items[0], value))
    if origin is collections.abc.Mapping:
        return lambda value: isinstance(value, origin) and all(map(items[1], value.values()))
    if kind is float:
        return lambda value: type(value) in (float, int)
    return lambda value: isinstance(value, kind) and (kind is not int or type(value) is int)


def nested(value: Any) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif value is None or isinstance(value, (str, int, float)):
        return
    elif isinstance(value, collections.abc.Mapping):
        for item in value.values():
            yield from nested(item)
    elif isinstance(value, collections.abc.Sequence):
        for item in value:
            yield from nested(item)


def check(node: Node) -> int:
    """Compares each member of an object, and of those in it, with its JSON; returns the number of members."""
    assert not node.extra, f"{type(node).__name__}: {dict(node.extra)}"
    count, data = 0, node._data
    for member, name, kind in members(type(node)):
        value = getattr(node, name)
        assert plain(value) == data.get(member), f"{type(node).__name__}.{name}"
        assert fits(kind)(value), f"{type(node).__name__}.{name}: {value!r} is not {kind}"
        count += member in data
        if member in data:
            seen.setdefault(type(node).__name__, set()).add(member)
        for item in nested(value):
            count += check(item)
    return count


@pytest.mark.parametrize("source", sources(), ids=named)
def test_equals_the_file(source: Source) -> None:
    folder = report_of(*source).path
    files = [folder / "report.json", *folder.glob("*/report.json"), *folder.glob("*/*/report.json")]
    for file in files:
        data = json.loads(file.read_text(encoding="utf-8"))
        report = types.ReportMembers(data)
        assert check(report) > 50
        assert report.to_dict() == data == json.loads(file.read_text(encoding="utf-8"))


PROFILED = [*(TOP / "tests/data/profiled").iterdir(), TOP / "tests/data/corpus/gpu_profile_breaks"]


@pytest.mark.parametrize("folder", sorted(PROFILED), ids=lambda folder: folder.name)
def test_profiles_equal_the_file(folder: Path) -> None:
    logs = list(folder.glob("*.log.zst"))
    report = tlparse.parse(folder if len(logs) > 1 else logs[0], profile=folder)
    data = json.loads((report.path / "report.json").read_text(encoding="utf-8"))
    assert check(types.ReportMembers(data)) > 50
    assert report.to_dict() == data


def test_graphs() -> None:
    logs = TOP / "tests/data/logs"
    one, diff = tlparse.graph(logs / "training", "0/0", "forward"), tlparse.graph_diff(logs / "training", "0/0", "joint", "forward")
    assert check(one) > 50 and check(diff) > 50
    assert [node.name for node in one.nodes if node.op == "output"] == [None] and one.artifact == "aot_forward_graph"
    assert diff.base.ops == one.ops and diff.new.stage == "joint" and diff.counts.added == sum(change.change == "added" for change in diff.changes) - 1  # a tangent
    listed = types.GraphList(tlparse._parse._answer(["graph", "--format", "json", str(logs / "training")]))
    assert check(listed) > 10 and "0/0" in [compile.compile for compile in listed.compiles]
    with pytest.raises(tlparse.TlparseError, match="several compiles with graphs, name one: 0/0"):
        tlparse.graph(logs / "recompiles")
    with pytest.raises(tlparse.TlparseError, match="has no graph nothing"):
        tlparse.graph(logs / "training", "0/0", "nothing")


def test_most_members_were_checked() -> None:
    """Runs after the tests above: they have seen most of what the schema describes (tests/schema lists what no log has)."""
    known = {(kind.__name__, member) for kind in CLASSES for member in kind._members if kind not in (types.DiffMembers, types.Summary)}
    found = {(name, member) for name, names in seen.items() for member in names}
    assert len(known) > 900
    assert len(found) > 0.85 * len(known), sorted(known - found)


def test_unknown_members_are_kept() -> None:
    place = types.Place({"file": "a.py", "line": 3, "function": "f", "column": {"from": 4}})
    assert place.extra == {"column": {"from": 4}}
    assert place.to_dict()["column"] == {"from": 4}
    with pytest.raises(TypeError):
        place.extra["column"]["from"] = 5


def test_is_frozen() -> None:
    place = types.Place({"file": "a.py", "line": 3, "function": "f"})
    with pytest.raises(AttributeError):
        place.line = 4  # type: ignore[misc]
    with pytest.raises(AttributeError):
        place.other = 4  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        del place._data
    copied = place.to_dict()
    copied["line"] = 5
    assert place.line == 3


def test_equal_objects_are_equal_and_hashed() -> None:
    one, two = (types.GraphBreak({"reason": "r", "hints": ["h"], "place": {"line": 1}}) for _ in range(2))
    assert one == two and hash(one) == hash(two) and len({one, two}) == 1
    assert one != types.GraphBreak({"reason": "q"}) and one != types.Place({"reason": "r"})


def test_a_missing_member_says_so() -> None:
    with pytest.raises(tlparse.TlparseError, match="Place has no line: the report was written by another version"):
        types.Place({"file": "a.py"}).line
    assert types.Compile({"key": "0/0"}).interrupted is None


@pytest.mark.parametrize("value", ["text", 3, ["a"], True])
def test_wrong_types_are_errors(value: Any) -> None:
    report = types.ReportMembers({"totals": value, "graph_breaks": [value]})
    with pytest.raises(tlparse.TlparseError, match="Totals: expected an object"):
        report.totals
    with pytest.raises(tlparse.TlparseError, match="GraphBreak: expected an object"):
        report.graph_breaks[0]
    with pytest.raises(tlparse.TlparseError, match="expected a list"):
        types.ReportMembers({"findings": 3}).findings


def test_a_place_as_text_cannot_control_a_terminal() -> None:
    assert str(types.Place({"file": "a.py", "line": 3, "function": "f"})) == "a.py:3 in f"
    assert str(types.Place({"file": None, "line": 0, "function": None})) == "unknown file"
    assert str(types.Place({"file": "\x1b[31ma.py", "line": 3, "function": "f\n"})) == r"\x1b[31ma.py:3 in f\n"
    assert "\x1b" not in repr(types.Place({"file": "\x1b[31ma.py", "line": 3, "function": "f"}))

"""The base of all objects of a report: a frozen view of a JSON object, which builds nested objects on access.

A view holds the parsed JSON and converts a member when it is read, so a report of 50 MB is loaded in the time that the JSON
parser takes. Views are immutable, equal if their JSON is, and safe to share between threads.
"""
from __future__ import annotations

import reprlib
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Dict, List, Optional, Tuple, TypeVar, Union, overload
from collections.abc import Iterator, Mapping, Sequence

from ._error import TlparseError
from ._member import Member, frozen

if TYPE_CHECKING:
    from ._report import Report

T = TypeVar("T", bound="Node")
Self = TypeVar("Self", bound="Node")
SHOWN = 8  # members in a repr

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 80


def copied(value: Any) -> Any:
    """A copy of parsed JSON, several times as fast as copy.deepcopy(), which also expects cycles and other types."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copied(item) for item in value]
    return value


def _hashable(value: Any) -> Any:
    if isinstance(value, dict):
        return frozenset((key, _hashable(item)) for key, item in value.items())
    if isinstance(value, list):
        return tuple([_hashable(item) for item in value])
    return value


class Node:
    """An object of a report.

    Its members are attributes. `extra` has the members that this version does not know; `to_dict()` has all of them.
    """

    __slots__ = ("_data", "_report", "__weakref__")
    _members: ClassVar[Tuple[str, ...]] = ()
    _data: Dict[str, Any]
    _report: Optional[Report]

    def __init_subclass__(cls) -> None:
        """Lists the members of the class."""
        super().__init_subclass__()
        keys = [value.key for value in vars(cls).values() if type(value) is Member]
        if keys:
            cls._members = tuple(keys)

    def __init__(self, data: Dict[str, Any], report: Optional[Report] = None) -> None:
        if not isinstance(data, dict):
            raise TlparseError(f"{type(self).__name__}: expected an object, found {_short.repr(data)}")
        object.__setattr__(self, "_data", data)
        object.__setattr__(self, "_report", report)

    @property
    def report(self) -> Report:
        """The report that the object is from.

        Raises:
            TlparseError: the object is not from a report.
        """
        if self._report is None:
            raise TlparseError(f"this {type(self).__name__} is not from a report")
        return self._report

    @property
    def extra(self) -> Mapping[str, Any]:
        """The members that this version of the package does not know, such as those of a later version of the program."""
        return MappingProxyType({key: frozen(value) for key, value in self._data.items() if key not in self._members})

    def to_dict(self) -> Dict[str, Any]:
        """The object as in the JSON file: a modifiable copy of dicts, lists, texts and numbers."""
        data: Dict[str, Any] = copied(self._data)
        return data

    def _need(self, member: str) -> Any:
        try:
            return self._data[member]
        except KeyError:
            raise TlparseError(
                f"{type(self).__name__} has no {member}: the report was written by another version of tlparse; write it again"
            ) from None

    def _owner(self) -> Optional[Report]:
        """The report that nested objects are from."""
        return self._report

    def _list(self, kind: type[T], items: Any) -> Nodes[T]:
        """Nested objects."""
        return Nodes(kind, items, self._owner())

    if not TYPE_CHECKING:  # type checkers would accept any name

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(f"{type(self).__name__} is read-only: cannot set {name}")

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"{type(self).__name__} is read-only: cannot delete {name}")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Node) and self._data == other._data

    def __hash__(self) -> int:
        return hash((type(self).__name__, _hashable(self._data)))

    def __reduce__(self) -> Tuple[Any, ...]:  # a copy or a pickled object does not refer to its report
        return type(self), (self._data,)

    def __repr__(self) -> str:
        shown = [f"{key}={_short.repr(value)}" for key, value in self._data.items() if not isinstance(value, (dict, list))]
        more = ", …" if len(shown) > SHOWN or len(shown) < len(self._data) else ""
        return f"{type(self).__name__}({', '.join(shown[:SHOWN])}{more})"


class Nodes(Sequence[T]):
    """A read-only list of objects, which are built on access. A slice is such a list, too."""

    __slots__ = ("_kind", "_items", "_reports")

    def __init__(self, kind: type[T], items: List[Any], reports: Union[Report, List[Report], None] = None) -> None:
        """The list of items: all of one report, or each of the report at the same index of `reports`."""
        if not isinstance(items, list):
            raise TlparseError(f"{kind.__name__}: expected a list, found {_short.repr(items)}")
        self._kind, self._items, self._reports = kind, items, reports

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[T, Sequence[T]]:
        reports = self._reports
        if isinstance(index, slice):
            return Nodes(self._kind, self._items[index], reports[index] if isinstance(reports, list) else reports)
        return self._kind(self._items[index], reports[index] if isinstance(reports, list) else reports)

    def __iter__(self) -> Iterator[T]:
        kind, reports = self._kind, self._reports
        if isinstance(reports, list):
            return (kind(item, report) for item, report in zip(self._items, reports))
        return (kind(item, reports) for item in self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and not isinstance(other, str) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(list(self[:3]))[:-1] + (f", … {len(self) - 3} more]" if len(self) > 3 else "]")

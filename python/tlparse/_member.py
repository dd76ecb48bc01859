"""Members of a JSON object as attributes: converted when they are read, with a description that help() shows."""
from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Callable, Generic, Optional, TypeVar, Union, overload

if TYPE_CHECKING:
    from ._node import Node

V = TypeVar("V", covariant=True)  # members are read-only
Convert = Callable[["Node", Any, Any], Any]  # takes the object, the class of nested objects, and the JSON


class Member(Generic[V]):
    """A member, as JSON or as converted by `convert`. A member that is not `required` is None if it is absent."""

    def __init__(self, doc: str, convert: Optional[Convert] = None, kind: Optional[Callable[[], Any]] = None, *,
                 required: bool = True, key: str = "") -> None:
        self.__doc__, self.convert, self.kind, self.required, self.key = doc, convert, kind, required, key

    def __set_name__(self, owner: type, name: str) -> None:
        self.key = self.key or name

    @overload
    def __get__(self, instance: None, owner: type) -> Member[V]: ...

    @overload
    def __get__(self, instance: Node, owner: type) -> V: ...

    def __get__(self, instance: Optional[Node], owner: type) -> Union[Member[V], V]:
        if instance is None:
            return self
        value: Any = instance._need(self.key) if self.required else instance._data.get(self.key)
        if self.convert is not None and value is not None:  # None stays None: a member may be null or absent
            value = self.convert(instance, self.kind and self.kind(), value)
        result: V = value
        return result

    if not TYPE_CHECKING:  # type checkers know that no other value is a Member

        def __set__(self, instance: Node, value: object) -> None:
            raise AttributeError(f"{self.key} is read-only")


class computed(Member[V]):
    """A decorator for a member that a subclass reads differently."""

    def __init__(self, function: Callable[[Any], V]) -> None:
        super().__init__(function.__doc__ or "")
        self.function = function

    @overload
    def __get__(self, instance: None, owner: type) -> Member[V]: ...

    @overload
    def __get__(self, instance: Node, owner: type) -> V: ...

    def __get__(self, instance: Optional[Node], owner: type) -> Union[Member[V], V]:
        return self if instance is None else self.function(instance)


def as_frozen(instance: Any, kind: Any, value: Any) -> Any:
    """A read-only view of the value."""
    return frozen(value)


def as_node(instance: Node, kind: Any, value: Any) -> Any:
    """An object."""
    return kind(value, instance._owner())


def as_nodes(instance: Node, kind: Any, value: Any) -> Any:
    """A list of objects."""
    return instance._list(kind, value)


def as_nodes_map(instance: Node, kind: Any, value: Any) -> Any:
    """Objects by name."""
    return MappingProxyType({key: kind(item, instance._owner()) for key, item in value.items()})


def as_fixed(instance: Node, kind: Any, value: Any) -> Any:
    """A tuple. The class of an item is None if the item is not an object, and in a list if the item is a list of objects."""

    def item(kind: Any, value: Any) -> Any:
        if value is None or kind is None:
            return frozen(value)
        return as_nodes(instance, kind[0], value) if isinstance(kind, list) else as_node(instance, kind, value)

    return tuple([item(one, part) for one, part in zip(kind, value)])


def frozen(value: Any) -> Any:
    """Objects as read-only mappings, arrays as tuples."""
    if isinstance(value, dict):
        return MappingProxyType({key: frozen(item) for key, item in value.items()})
    if isinstance(value, list):
        return tuple([frozen(item) for item in value])
    return value

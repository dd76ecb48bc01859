"""Rows as tables of pandas and Arrow, which are imported on first use."""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, List, Tuple, Union, overload
from collections.abc import Iterable, Mapping, Sequence

from ._error import TlparseError

if TYPE_CHECKING:
    import pandas
    import pyarrow

INT64 = range(-(2**63), 2**63)


def flat(value: Mapping[str, Any], prefix: str = "") -> Dict[str, Any]:
    """The object as one row: members of nested objects become `outer.inner`. Lists of objects are left out."""
    row: Dict[str, Any] = {}
    for key, item in value.items():
        if isinstance(item, dict):
            row.update(flat(item, f"{prefix}{key}."))
        elif not (isinstance(item, list) and any(isinstance(part, (dict, list)) for part in item)):
            row[prefix + key] = item
    return row


def _all(values: Iterable[Any], kind: type) -> bool:
    found = [value for value in values if value is not None]
    return bool(found) and all(type(value) is kind for value in found)


class Table(Sequence[Mapping[str, Any]]):
    """Rows with named columns, as plain values. A value is None if the row does not have the column.

    >>> table = Table([{"key": "0/0", "guard_count": 11}, {"key": "0/1"}])
    >>> table.columns, table.column("guard_count")
    (('key', 'guard_count'), [11, None])
    """

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self._rows = list(rows)
        self._columns = tuple(dict.fromkeys(key for row in self._rows for key in row))

    @property
    def columns(self) -> Tuple[str, ...]:
        """The names of the columns, in order of first appearance."""
        return self._columns

    def column(self, name: str) -> List[Any]:
        """The values of a column, one per row. Raises KeyError if no row has it."""
        if name not in self._columns:
            raise KeyError(name)
        return [row.get(name) for row in self._rows]

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Any]: ...

    @overload
    def __getitem__(self, index: slice) -> Table: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Mapping[str, Any], Table]:
        return Table(self._rows[index]) if isinstance(index, slice) else self._rows[index]

    def __repr__(self) -> str:
        return f"<{len(self)} rows × {len(self._columns)} columns>"

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a DataFrame. Columns of integers have the type Int64, of booleans boolean, of texts string, so that
        missing values change no number.

        Raises:
            TlparseError: pandas is not installed (`pip install 'tlparse-c[pandas]'`).
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise TlparseError("pandas is not installed: pip install 'tlparse-c[pandas]'") from error
        data: Dict[str, Any] = {}
        for name in self._columns:
            values = self.column(name)
            if _all(values, int) and all(value is None or value in INT64 for value in values):
                data[name] = pd.array(values, dtype="Int64")
            elif _all(values, bool):
                data[name] = pd.array(values, dtype="boolean")
            elif _all(values, float):
                data[name] = pd.array(values, dtype="float64")
            elif _all(values, str):
                data[name] = pd.array(values, dtype="string")
            else:
                data[name] = pd.Series(values, dtype=object)
        return pd.DataFrame(data, columns=list(self._columns), index=range(len(self)))

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a table of Arrow. A column whose values have no common type contains JSON texts.

        Raises:
            TlparseError: pyarrow is not installed (`pip install 'tlparse-c[arrow]'`).
        """
        try:
            import pyarrow as pa
        except ImportError as error:
            raise TlparseError("pyarrow is not installed: pip install 'tlparse-c[arrow]'") from error
        arrays = []
        for name in self._columns:
            values = self.column(name)
            try:
                array = pa.array(values)
                if array.to_pylist() != values:  # an integer in a column of floats, an object without a member of another one
                    raise pa.ArrowInvalid("another value")
            except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
                array = pa.array([value if value is None else json.dumps(value) for value in values], type=pa.string())
            arrays.append(array)
        return pa.Table.from_arrays(arrays, names=list(self._columns))

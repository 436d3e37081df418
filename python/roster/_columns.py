"""Logs in memory: the columns of pandas, polars, pyarrow and of dicts, as the library reads them."""
from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Optional, Sequence

import numpy as np

from . import _native
from ._arrays import at, unmasked
from ._labels import Names, distinct, is_missing, with_texts
from ._native import ColumnError, InvalidError

UNUSED, NUMBER, LABEL, CONTEXT, EXPERT, POLICY, ACTION = range(7)  # roster_python_use
SHOWN = 10


@dataclass
class Array:
    """A column: numbers or whole numbers, or texts and each row's number of one of them (-1: none)."""

    values: np.ndarray
    texts: Optional[list[str]] = None

    def native(self, name: str) -> tuple[_native.LogArray, Any]:
        """As C has it, and what must be kept meanwhile."""
        if self.texts is None:
            whole = self.values.dtype == np.int64
            found = _native.LogArray(_native.text("a column", name), None if whole else at(self.values),
                                     at(self.values) if whole else None)
            return found, self.values
        words = [_bytes(name, text) for text in self.texts]
        starts = np.cumsum([0] + [len(word) + 1 for word in words], dtype=np.uint64)
        joined = b"\0".join(words) + b"\0"
        return _native.LogArray(_native.text("a column", name), None, None, at(self.values), joined, at(starts)), (
            self.values, joined, starts)


def _bytes(name: str, text: str) -> bytes:
    try:
        found = text.encode()
    except UnicodeEncodeError:
        raise InvalidError(f"column {name!r} holds {text!r}, which is not Unicode") from None
    if b"\0" in found:
        raise InvalidError(f"column {name!r} holds {text!r}, which has a NUL in it")
    return found


class Table:
    """A log in memory: what holds it, and its columns by their names."""

    def __init__(self, log: Any):
        self.log = log
        self.is_pandas = hasattr(log, "iloc") and hasattr(log, "columns")
        keys = getattr(log, "column_names", None) or getattr(log, "columns", None)
        if isinstance(log, dict):
            keys = list(log)
        elif isinstance(log, np.ndarray):
            keys = log.dtype.names
        if keys is None or hasattr(log, "collect"):
            raise TypeError(f"the log is {type(log).__name__}, must be a table of pandas, polars or pyarrow, a dict of "
                            "arrays, or the path of a file")
        self._keys = {str(key): key for key in keys}

    @property
    def names(self) -> list[str]:
        """Of all columns."""
        return list(self._keys)

    def check(self, what: str, name: Any) -> str:
        """The name of a column that is there."""
        if str(name) not in self._keys:
            shown = ", ".join(map(repr, self.names[:SHOWN])) + (", ..." if len(self.names) > SHOWN else "")
            raise ColumnError(f"there is no column {str(name)!r}, which {what} names; the columns are {shown}")
        return str(name)

    def column(self, name: str) -> Any:
        """As the table has it."""
        found = self.log[self._keys[name]]
        if getattr(found, "ndim", 1) != 1:
            raise InvalidError(f"two columns are named {name!r}, or it has more than one dimension")
        return found if hasattr(found, "__len__") else np.asarray(found)

    def rows(self, used: Sequence[str]) -> int:
        """How many there are, the same in all columns that are used."""
        lengths = {name: len(self.column(name)) for name in used}
        first = next(iter(lengths), None)
        for name, n in lengths.items():
            if n != lengths[first or ""]:
                raise InvalidError(f"column {first!r} has {lengths[first or '']} entries, but {name!r} has {n}")
        return lengths[first] if first is not None else 0

    def inputs(self, names: Sequence[str], first: int, last: int) -> Any:
        """Rows of these columns as models take them: a data frame, or an array [n][columns]."""
        if self.is_pandas:
            return self.log[[self._keys[name] for name in names]].iloc[first:last]
        return np.column_stack([plain(self.column(name))[first:last] for name in names])


def plain(column: Any) -> np.ndarray:
    """A column as an array of numpy."""
    if hasattr(column, "to_numpy"):
        return np.asarray(column.to_numpy())
    found = unmasked(column)
    return found.astype(object) if found.dtype.kind == "T" else found


def _coded_already(column: Any) -> Optional[Array]:
    """Texts of pandas and pyarrow, by their own means."""
    if hasattr(column, "cat") and hasattr(column.cat, "codes"):
        return _of_codes(np.asarray(column.cat.codes, np.int32), column.cat.categories.tolist())
    if hasattr(column, "factorize") and str(column.dtype) in ("object", "string", "str"):
        codes, labels = column.factorize()
        return _of_codes(np.asarray(codes, np.int32), list(labels))
    if hasattr(column, "dictionary_encode") and str(column.type).startswith(("string", "large_string", "dictionary")):
        joined = column.dictionary_encode()
        joined = joined.combine_chunks() if hasattr(joined, "combine_chunks") else joined
        codes = np.asarray(joined.indices.fill_null(-1).to_numpy(zero_copy_only=False), np.int32)
        return _of_codes(codes, joined.dictionary.to_pylist())
    return None


def _of_codes(codes: np.ndarray, labels: list[Any]) -> Array:
    """Labels as texts; where all are whole numbers, as these."""
    if labels and all(type(label) is int for label in labels) and codes.min(initial=0) >= 0:
        return Array(np.array(labels, np.int64)[codes])
    return Array(*with_texts(codes, labels))


def _numbers(found: np.ndarray) -> Optional[np.ndarray]:
    """Objects as numbers, NaN for what is missing; None: not all are."""
    if found.dtype.kind == "O":
        found = np.where(np.fromiter(map(is_missing, found), bool, len(found)), None, found)
    try:
        return found.astype(np.float64)
    except (TypeError, ValueError):
        return None


def _counted(found: np.ndarray) -> np.ndarray:
    """Times as whole numbers, None for what is missing."""
    missing = np.isnat(found)
    numbers = found.astype(np.int64)
    if missing.any():
        numbers = numbers.astype(object)
        numbers[missing] = None
    return numbers


def _whole(name: str, found: np.ndarray) -> Array:
    if found.dtype == np.uint64 and found.size and found.max() > np.iinfo(np.int64).max:
        raise InvalidError(f"column {name!r} holds {found.max()}, which is too large")
    return Array(np.ascontiguousarray(found, np.int64))


def read(name: str, column: Any, use: int) -> Array:
    """A column as the library takes it."""
    ready = _coded_already(column) if use != NUMBER else None
    if ready is not None:
        return ready
    found = plain(column)
    if found.ndim != 1:
        raise InvalidError(f"column {name!r} has {found.ndim} dimensions, must have one")
    if found.dtype.kind in "mM":
        found = _counted(found)
    kind = found.dtype.kind
    if kind in "cV":
        raise TypeError(f"column {name!r} has dtype {found.dtype}, must be numbers or texts")
    if kind == "b":
        return _of_codes(*distinct(found.tolist())) if use != NUMBER else _whole(name, found)
    if kind in "iu":
        return _whole(name, found)
    if kind == "f" and use == NUMBER:
        return Array(np.ascontiguousarray(found, np.float64))
    numbers = _numbers(found) if use == NUMBER else None
    return Array(np.ascontiguousarray(numbers)) if numbers is not None else _of_codes(
        *distinct(found.tolist()))


def by_place(name: str, array: Array, names: Optional[Names]) -> Array:
    """A log's whole numbers, where they are places in a list of names, as these."""
    if names is None or not names.numbers_are_places or array.texts is not None or array.values.dtype != np.int64:
        return array
    values = array.values
    if values.size and not (values.min() >= 0 and values.max() < names.n):
        wrong = int(values[np.argmax((values < 0) | (values >= names.n))])
        raise InvalidError(f"column {name!r} holds {wrong}, {names.demand}")
    return Array(values.astype(np.int32), names.list)


def native_table(columns: dict[str, Array], rows: int) -> tuple[_native.LogTable, Any]:
    """The table as C has it, and what must be kept meanwhile."""
    made = [array.native(name) for name, array in columns.items()]
    arrays = (_native.LogArray * len(made))(*[one for one, _ in made])
    return _native.LogTable(arrays, len(made), rows), (arrays, made)


def uses(question: _native.Question, names: Sequence[str]) -> dict[str, int]:
    """What each of these columns is looked at for; by the guesses of `roster evaluate`."""
    arrays = (_native.LogArray * len(names))(*[_native.LogArray(_native.text("a column", name)) for name in names])
    question.table = ctypes.pointer(_native.LogTable(arrays, len(names), 0))
    found = np.zeros(max(len(names), 1), np.uint8)
    _native.check(_native.short.roster_python_log_columns(ctypes.byref(question), at(found)))
    return {name: int(use) for name, use in zip(names, found) if use != UNUSED}

"""Labels of experts, contexts and actions: one coding for all that takes them.

A label is known by its text: 3, "3", and 3.0 in a column of numbers are the same. Where nobody has given names they are
called "0", "1", "2" and so on. In events a whole number is always a place in the list, as `choose` and `act` give it.
In the columns of a log it is one where the list is of names alone, and a name where there are numbers among them.
"""
from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np

from ._arrays import unmasked, wholes
from ._native import InvalidError

SHOWN = 5


def is_missing(label: Any) -> bool:
    """Whether it is None, or what numpy and pandas have in its place."""
    if isinstance(label, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(label))
    return label is None or type(label).__name__ in ("NAType", "NaTType")


def text_of(label: Any) -> Optional[str]:
    """A label's text; None: it is missing."""
    if isinstance(label, str):
        return str(label)
    if isinstance(label, bytes):
        return label.decode("utf-8", "surrogateescape")
    if isinstance(label, (float, np.floating)):
        number = float(label)
        return None if number != number else str(int(number)) if number.is_integer() else repr(number)
    return None if is_missing(label) else str(label)


def distinct(labels: Any) -> tuple[np.ndarray, list[Any]]:
    """Those that differ, in the order in which they come, and which of them each is."""
    place: dict[Any, int] = {}
    try:
        codes = np.fromiter((place.setdefault(label, len(place)) for label in labels), np.int32, len(labels))
    except TypeError:
        raise TypeError("labels must be texts or numbers") from None
    return codes, list(place)


def with_texts(codes: np.ndarray, labels: Sequence[Any]) -> tuple[np.ndarray, list[str]]:
    """The same with texts in the place of labels; -1 for what is missing."""
    texts = [text_of(label) for label in labels]
    if None in texts:
        codes = np.array([-1 if text is None else i for i, text in enumerate(texts)] + [-1], np.int32)[codes]
    return codes, [text or "" for text in texts]


def coded(labels: Any) -> tuple[np.ndarray, list[str]]:
    """Numbers of the texts in the order in which they come, -1 for what is missing; and the texts."""
    return with_texts(*distinct(labels))


class Names:
    """The names of one kind of things; None: they are numbered."""

    def __init__(self, what: str, names: Optional[Sequence[Any]], n: int):
        self.what, self.n, self.given = what, n, names is not None
        self._list = None if names is None else [text_of(name) or "" for name in names]
        if self._list is not None and len(self._list) != n:
            raise InvalidError(f"there are {len(self._list)} names of {what}s, but {n} {what}s")
        self._places: Optional[dict[str, int]] = None

    @property
    def list(self) -> list[str]:
        """All of them; made when they are asked for, since there may be many that nobody calls by name."""
        if self._list is None:
            self._list = [str(i) for i in range(self.n)]
        return self._list

    @property
    def numbers_are_places(self) -> bool:
        """What a log's whole numbers mean: places, unless there are numbers among the names."""
        return self.given and not any(name.isdigit() for name in self.list)

    def check(self) -> None:
        """Raise where two are the same."""
        if self.given and len(self.places) != self.n:
            twice = next(name for name in self.list if self.list.count(name) > 1)
            raise InvalidError(f"two {self.what}s are named {twice!r}")

    @property
    def places(self) -> dict[str, int]:
        """Where each name stands in the list."""
        if self._places is None:
            self._places = {name: i for i, name in enumerate(self.list)}
        return self._places

    def place(self, label: str) -> int:
        """The place of a name."""
        self.check()
        found = self.places.get(label)
        if found is None:
            shown = ", ".join(map(repr, self.list[:SHOWN])) + (", ..." if self.n > SHOWN else "")
            raise InvalidError(f"{self.what} {label!r} is not known: there {'is' if self.n == 1 else 'are'} {shown}")
        return found

    @property
    def demand(self) -> str:
        """What a log's whole number must be, where it is a place."""
        return f"must be from 0 to {self.n - 1}, or a name of the {self.what}s"

    def place_of_number(self, number: int) -> int:
        """A log's whole number that is a place."""
        if not 0 <= number < self.n:
            raise InvalidError(f"{self.what} is {number}, {self.demand}")
        return number

    def numbers(self, labels: Any, n: Optional[int] = None) -> np.ndarray:
        """An array of places from one of names or places."""
        found = unmasked(labels)
        if found.dtype.kind not in "UOST" or found.ndim != 1:
            return wholes(self.what, labels, n)
        codes, texts = coded(found.tolist())
        if len(codes) and codes.min() < 0:
            raise InvalidError(f"{self.what} is missing in entry {int(codes.argmin())}")
        return wholes(self.what, np.array([self.place(text) for text in texts], np.int64)[codes], n)

"""A log, or its tally, as rows that an agent learns."""
from __future__ import annotations

import csv
import gzip
import math
import os
from typing import Any, Optional, Sequence

import numpy as np

from ._native import InvalidError

#: roster_tally_row.
ROW = np.dtype([("expert", "u8"), ("context", "u8"), ("action", "u8"), ("propensity", "f8"), ("count", "u8"),
                ("sum", "f8"), ("squares", "f8")])
NO_EXPERT = 2**64 - 1
TALLY = ("count", "reward_sum", "reward_squares")


def _read_csv(path: str) -> dict[str, list[str]]:
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        lines = csv.reader(file)
        names = next(lines, [])
        rows = [line for line in lines if line]
    for i, row in enumerate(rows):
        if len(row) != len(names):
            raise InvalidError(f"{path}: record {i + 1} has {len(row)} fields, the header {len(names)}")
    return {name: [row[c] for row in rows] for c, name in enumerate(names)}


def _columns(log: Any) -> list[str]:
    """Of a dict, or of a data frame or table of pandas, polars or pyarrow."""
    names = getattr(log, "column_names", None) or getattr(log, "columns", None)
    return list(log.keys() if names is None or callable(names) else names)


class Log:
    """The columns of a log. `named`: what each role is called in it, where that is not the role's own name."""

    def __init__(self, log: Any, named: dict[str, Optional[str]]):
        self.data = _read_csv(os.fspath(log)) if isinstance(log, (str, os.PathLike)) else log
        if not hasattr(self.data, "__getitem__") or not (hasattr(self.data, "keys") or hasattr(self.data, "columns")):
            raise TypeError(f"log is {type(log).__name__}, must be a path, a dict of arrays or a data frame")
        self.columns, self.named = _columns(self.data), named
        for role, name in named.items():
            if name is not None and name not in self.columns:
                raise InvalidError(f"{role} is {name!r}, which is not a column; there are {', '.join(self.columns)}")
        self.tally = all(name in self.columns for name in TALLY) and named.get("reward") is None
        self.length = len(self.array("action"))

    def has(self, role: str) -> bool:
        return (self.named.get(role) or role) in self.columns

    def array(self, role: str) -> np.ndarray:
        if not self.has(role):
            raise InvalidError(f"the log has no column {role}; there are {', '.join(map(str, self.columns))}")
        return np.asarray(self.data[self.named.get(role) or role])

    def numbers(self, role: str, missing: float = math.nan) -> np.ndarray:
        """Real numbers; `missing` in the place of those that are not there."""
        if not self.has(role) and not math.isnan(missing):
            return np.full(self.length, missing)
        raw = self.array(role)
        try:
            found = np.where(raw == "", "nan", raw).astype(float) if raw.dtype.kind in "OUS" else raw.astype(float)
        except (TypeError, ValueError) as error:
            raise InvalidError(f"{role} must hold numbers: {error}") from None
        found = np.where(np.isnan(found), missing, found)
        if not np.all(np.isfinite(found)):
            raise InvalidError(f"{role} of row {np.flatnonzero(~np.isfinite(found))[0]} is not a number")
        return found

    def places(self, role: str, names: Sequence[str], n: int, missing: Optional[int] = None) -> np.ndarray:
        """Numbers from 0 to n - 1, of names or of numbers; `missing`: in the place of none."""
        raw = self.array(role)
        known = {str(i): i for i in range(n)} if raw.dtype.kind in "OUS" else {}
        known.update({name: i for i, name in enumerate(names)})
        labels, inverse = np.unique(raw.astype(str) if raw.dtype.kind in "OUS" else raw, return_inverse=True)
        codes = np.array([_place(role, label, known, n, missing) for label in labels.tolist()], dtype=np.uint64)
        return codes[inverse.reshape(-1)] if len(codes) else np.empty(0, np.uint64)


def _place(role: str, label: Any, known: dict[str, int], n: int, missing: Optional[int]) -> int:
    if missing is not None and label not in known and (label in ("", "None", "nan", "<NA>") or label != label):
        return missing
    if isinstance(label, str):
        if label not in known:
            raise InvalidError(f"{role} is {label!r}, which is not one of the {n} that there are")
        return known[label]
    if not (label == int(label) and 0 <= label < n):
        raise InvalidError(f"{role} is {label}, must be a whole number from 0 to {n - 1}")
    return int(label)


def rows_of(log: Log, experts: Any, contexts: Optional[Sequence[str]], actions: Optional[Sequence[str]]) -> np.ndarray:
    """The rows of a log whose experts, contexts and actions are these."""
    rows = np.zeros(log.length, ROW)
    rows["action"] = log.places("action", actions or (), experts.actions)
    rows["expert"] = NO_EXPERT
    if log.has("expert"):
        rows["expert"] = log.places("expert", experts.names, len(experts), NO_EXPERT)
    if experts.kind == "tables" and (experts.contexts > 1 or log.has("context")):
        rows["context"] = log.places("context", contexts or (), experts.contexts)
    rows["propensity"] = log.numbers("propensity", 0.0)
    if log.tally:
        count = log.numbers("count")
        if not np.all((count >= 1) & (count <= 2**53) & (count == np.floor(count))):
            raise InvalidError("count must hold whole numbers from 1 on")
        rows["count"], rows["sum"], rows["squares"] = count, log.numbers("reward_sum"), log.numbers("reward_squares")
        return rows
    reward = log.numbers("reward")
    wrong = np.flatnonzero(~((reward >= 0) & (reward <= 1)))
    if len(wrong):
        raise InvalidError(f"reward of row {wrong[0]} is {reward[wrong[0]]:g}, must be in [0, 1]")
    rows["count"], rows["sum"], rows["squares"] = 1, reward, reward * reward
    return rows

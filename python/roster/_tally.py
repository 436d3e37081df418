"""A log, or its tally, as rows that an agent learns."""
from __future__ import annotations

import ctypes
import json
from typing import Any, Optional

import numpy as np

from . import _native
from ._columns import LABEL, Table, read, uses
from ._labels import Names, distinct
from ._native import InvalidError, long
from ._question import Asking, paths_of
from .evaluation import in_python_words
from .experts import Experts
from .policies import policy_name

#: roster_tally_row.
ROW = np.dtype([("expert", "u8"), ("context", "u8"), ("action", "u8"), ("propensity", "f8"), ("count", "u8"),
                ("sum", "f8"), ("squares", "f8")])
NO_EXPERT = 2**64 - 1


def _take_table(call: Asking, table: Table) -> None:
    """All columns but times, ids and those of policies, of which agents learn nothing."""
    call.check_names(table)
    found = {name: use for name, use in uses(call.question, [n for n in table.names if policy_name(n) == n]).items()
             if use != LABEL}
    columns = {name: read(name, table.column(name), use) for name, use in found.items()}
    call.take_columns(columns, table.rows(list(found)))


def tally(log: Any, roles: dict[str, Optional[str]], context: Optional[str], skip_bad: bool) -> list[dict[str, Any]]:
    """Sums over the events that agree in expert, context, action and propensity, as `roster tally` makes them."""
    call, paths = Asking(roles, context), paths_of(log)
    call.question.skip_bad = bool(skip_bad)
    try:
        if paths is not None:
            call.take_paths(paths)
        else:
            _take_table(call, Table(log))
        found: list[dict[str, Any]] = json.loads(_native.take_text(long.roster_python_tally(
            ctypes.byref(call.question))))
        return found
    except InvalidError as error:
        raise type(error)(in_python_words(str(error))) from None


def _places(names: Names, labels: list[Optional[str]], missing: Optional[int]) -> np.ndarray:
    """Where each label stands in the list of names."""
    codes, known = distinct(labels)
    if missing is None and None in known:
        raise InvalidError(f"the log has no {names.what}: {names.what}=COLUMN says which column has it")
    by_number = names.numbers_are_places
    places = [missing if label is None else names.place_of_number(int(label)) if by_number and label.isdecimal()
              else names.place(label) for label in known]
    return np.array(places, np.uint64)[codes]


def rows_of(found: list[dict[str, Any]], experts: Experts, contexts: Names, actions: Names) -> np.ndarray:
    """The tally as the library takes it."""
    rows = np.zeros(len(found), ROW)
    rows["action"] = _places(actions, [row["action"] for row in found], None)
    rows["expert"] = _places(experts._expert_names, [row.get("expert") for row in found], NO_EXPERT)
    if experts.kind == "tables":
        rows["context"] = _places(contexts, [row.get("context") for row in found], 0 if experts.contexts == 1 else None)
    rows["propensity"] = [row.get("propensity", 0.0) for row in found]
    for name, key in (("count", "count"), ("sum", "reward_sum"), ("squares", "reward_squares")):
        rows[name] = [row[key] for row in found]
    return rows

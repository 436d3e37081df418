"""What `evaluate` is asked about: experts as tables, as columns of the log, as models or functions."""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Callable, Optional, Sequence

import numpy as np

from ._arrays import at, reals
from ._columns import NUMBER, POLICY, Array, Table, read
from ._labels import Names, coded, distinct, text_of
from ._native import InvalidError, long
from .experts import Experts
from .models import Model, predicted

BLOCK = 1 << 14  # rows that a model is asked about at once: memory does not grow with the log


@dataclass
class Asked:
    """The experts, sorted by what they are."""

    roster: Optional[str] = None  #: path of a roster file
    tables: Optional[Experts] = None
    columns: dict[str, str] = field(default_factory=dict)  #: name of the policy: column of the log
    models: dict[str, Any] = field(default_factory=dict)  #: name: model or function
    several: Optional[Experts] = None  #: experts that are evaluated row by row


def _is_model(one: Any) -> bool:
    return hasattr(one, "predict_proba") or hasattr(one, "predict") or callable(one)


def policy_name(column: str) -> str:
    """The policy that a column pi_NAME or a_NAME is of; of other columns their name."""
    for prefix in ("pi_", "a_"):
        if column.startswith(prefix) and len(column) > len(prefix):
            return column[len(prefix):]
    return column


def _name_of(one: Any) -> str:
    name = getattr(one, "__name__", type(one).__name__)
    if name == "<lambda>":
        raise InvalidError("an expert has no name: give experts as a dict, name: expert")
    return name


def _pairs(experts: Any) -> list[tuple[str, Any]]:
    if isinstance(experts, dict):
        return [(str(name), one) for name, one in experts.items()]
    if isinstance(experts, (list, tuple)):
        return [(policy_name(one) if isinstance(one, str) else _name_of(one), one) for one in experts]
    if _is_model(experts):
        return [(_name_of(experts), experts)]
    raise TypeError(f"experts is {type(experts).__name__}, must be roster.Experts, a dict of tables, models, functions "
                    "or names of columns, a list of these, or the path of a roster file")


def _stacked(tables: dict[str, Any], actions: Optional[Sequence[Any]]) -> Experts:
    """Tables by name as experts. Those of pandas say by index and columns what their contexts and actions are."""
    first = next(iter(tables.values()))
    contexts = None
    if hasattr(first, "iloc") and hasattr(first, "columns"):
        contexts, actions = list(first.index), list(first.columns)
        for name, table in tables.items():
            if list(getattr(table, "index", [])) != contexts or list(getattr(table, "columns", [])) != actions:
                raise InvalidError(f"the table of {name!r} has other contexts or actions than those before it")
    arrays = [reals(f"the table of {name!r}", table, (None, None)) for name, table in tables.items()]
    if len({array.shape for array in arrays}) > 1:
        raise InvalidError("the experts' tables have different shapes")
    fits = actions is not None and len(actions) == arrays[0].shape[1]
    return Experts(np.stack(arrays), names=list(tables), contexts=contexts, actions=actions if fits else None)


def sort_experts(experts: Any, actions: Optional[Sequence[Any]]) -> Asked:
    """Which of them are what."""
    asked, tables = Asked(), {}
    if experts is None:
        return asked
    if isinstance(experts, (str, os.PathLike)):
        return Asked(roster=os.fspath(experts))
    if isinstance(experts, Experts):
        if experts.kind == "tables":
            return Asked(tables=experts)
        return Asked(several=experts)
    for name, one in _pairs(experts):
        if not name:
            raise InvalidError("an expert has an empty name, must have one that is not")
        if name in asked.columns or name in asked.models or name in tables:
            raise InvalidError(f"two experts are named {name!r}")
        if isinstance(one, str):
            asked.columns[name] = one
        elif _is_model(one):
            asked.models[name] = one
        else:
            tables[name] = one
    if tables:
        asked.tables = _stacked(tables, actions)
    return asked


def read_column(name: str, column: str, table: Table) -> tuple[str, Array]:
    """A column as a policy's: numbers with a point are probabilities of the action taken, all else are actions."""
    found = table.column(column)
    if column.startswith("a_") or (not column.startswith("pi_") and str(getattr(found, "dtype", "")).lower()
                                   not in ("float64", "float32", "double", "float")
                                   and np.asarray(found).dtype.kind != "f"):
        return f"a_{name}", read(column, found, POLICY)
    return f"pi_{name}", read(column, found, NUMBER)


class Rows:
    """The rows of a log as models see them, and the action that was taken in each."""

    def __init__(self, table: Table, inputs: Sequence[str], taken: Array, n: int, actions: Optional[Sequence[Any]]):
        self.table, self.inputs, self.n, self.actions = table, list(inputs), n, actions
        if not self.inputs:
            raise InvalidError("inputs must name the columns that the experts look at")
        codes, texts = (taken.values, taken.texts) if taken.texts is not None else coded(taken.values.tolist())
        self._codes, self._texts = codes, texts

    def taken(self, actions: Sequence[Any]) -> np.ndarray:
        """The place of the action taken in a list; -1: it is not in it."""
        place = {text_of(action): i for i, action in enumerate(actions)}
        return np.array([place.get(text, -1) for text in self._texts] + [-1])[self._codes]

    def probabilities(self, evaluate: Callable[[Any], np.ndarray], count: int, actions: Sequence[Any]) -> np.ndarray:
        """[count][n]: what experts give to the action taken. evaluate: rows to [count][rows][actions]."""
        v, out = self.taken(actions), np.empty((count, self.n))
        for first in range(0, self.n, BLOCK):
            last = min(first + BLOCK, self.n)
            pi = evaluate(self.table.inputs(self.inputs, first, last))
            if pi.shape[2] != len(actions):
                raise InvalidError(f"the model gives {pi.shape[2]} actions, but there are {len(actions)}")
            here = v[first:last]
            out[:, first:last] = np.where(here >= 0, pi[:, np.arange(last - first), here], 0.0)
        return out

    def answers(self, who: str, predict: Callable[[Any], Any]) -> Array:
        """The actions that a model takes."""
        found: list[Any] = []
        for first in range(0, self.n, BLOCK):
            found += predicted(who, predict, self.table.inputs(self.inputs, first, min(first + BLOCK, self.n)))
        return Array(*coded(found))

    def contexts(self) -> tuple[np.ndarray, list[Any]]:
        """Contexts that differ, and which of them each row has. Of several columns they are tuples."""
        values = [read_values(self.table.column(name)) for name in self.inputs]
        return distinct(values[0] if len(values) == 1 else list(zip(*values)))


def read_values(column: Any) -> list[Any]:
    """A column's entries as Python has them."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return getattr(column, method)()
    return list(column)


def _ask_function(name: str, function: Callable[[Any], Any], rows: Rows) -> tuple[str, Array]:
    """A function of a context is asked once for each that differs."""
    which, contexts = rows.contexts()
    found = [function(context) for context in contexts]
    drawn = [np.ndim(answer) == 1 for answer in found]
    if not any(drawn):
        codes, texts = coded(found)
        return f"a_{name}", Array(codes[which], texts)
    if not all(drawn):
        raise InvalidError(f"expert {name!r} answers with an action in some contexts and with a distribution in others")
    if rows.actions is None:
        raise InvalidError(f"expert {name!r} answers with a distribution: actions must list what it is over")
    pi = np.stack([_distribution(name, answer, len(rows.actions)) for answer in found])
    v = rows.taken(rows.actions)
    return f"pi_{name}", Array(np.where(v >= 0, pi[which, v], 0.0))


def _distribution(name: str, answer: Any, n: int) -> np.ndarray:
    found = reals(f"the answer of expert {name!r}", answer, (n,))
    if not (np.all(found >= 0) and abs(found.sum() - 1) <= 1e-6):
        raise InvalidError(f"expert {name!r} answers with numbers that sum to {found.sum():.6g}, must be 1")
    return found


def ask_model(name: str, source: Any, rows: Rows) -> tuple[str, Array]:
    """What a model or a function would have done in each row, as a column pi_NAME or a_NAME."""
    if hasattr(source, "predict_proba"):
        model = Model(source, rows.actions, 1.0, 0.0)
        if model.known is None:
            raise InvalidError(f"expert {name!r} does not say which actions it gives probabilities to: actions lists "
                               "them")
        return f"pi_{name}", Array(rows.probabilities(lambda x: model(x)[None], 1, model.known)[0])
    if hasattr(source, "predict"):
        return f"a_{name}", rows.answers(f"expert {name!r}", source.predict)
    return _ask_function(name, source, rows)


def ask_experts(experts: Experts, rows: Rows) -> dict[str, Array]:
    """The same for experts that are evaluated row by row."""
    names = Names("expert", experts.names, len(experts))
    names.check()
    if experts.kind == "external" and experts.models is None:
        raise InvalidError("these experts are evaluated elsewhere: put their probabilities into columns pi_NAME")
    evaluate = experts._evaluate if experts.models is not None else lambda x: _softmax(experts, x)
    found = rows.probabilities(evaluate, len(experts), experts.action_names)
    return {f"pi_{name}": Array(np.ascontiguousarray(row)) for name, row in zip(names.list, found)}


def _softmax(experts: Experts, rows: Any) -> np.ndarray:
    features = reals("inputs", rows, (None, experts.features))
    out = np.empty((len(features), len(experts), experts.actions))
    long.roster_python_distributions(experts._handle, len(features), at(features), at(out))
    return out.transpose(1, 0, 2)

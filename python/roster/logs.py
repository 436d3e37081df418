"""What would each policy have earned on a log? `roster evaluate` in Python."""
from __future__ import annotations

import ctypes
import math
import os
from typing import Any, Callable, Optional

from . import _native
from ._columns import ACTION, CONTEXT, EXPERT, POLICY, Array, Table, by_place, read, uses
from ._labels import Names
from ._native import InvalidError, long
from ._question import Asking, listed, paths_of, there
from .evaluation import Evaluation, in_python_words
from .policies import Asked, Rows, ask_experts, ask_model, policy_name, read_column, sort_experts

FORMS = ("json", "csv", "html", "table")


def _list_actions(actions: Any) -> tuple[Optional[str], Optional[list[Any]]]:
    """A file of them or a list."""
    if isinstance(actions, (str, os.PathLike)):
        return there(actions), None
    if actions is None:
        return None, None
    if hasattr(actions, "__index__") and getattr(actions, "ndim", 0) == 0:
        return None, list(range(_native.count("actions", actions, 1, 1 << 20)))
    known = list(actions)
    if not known:
        raise InvalidError("actions is empty, must list the actions that there are, or be left out")
    return None, known


class _Call(Asking):
    """One call of `evaluate`."""

    def __init__(self, asked: Asked, roles: dict[str, Optional[str]], context: Any, features: Any):
        super().__init__(roles, context, features)
        self.asked = asked
        self.listed: Optional[Names] = None
        if asked.roster is not None:
            self.question.roster = os.fsencode(there(asked.roster))
        if asked.tables is not None:
            self.question.experts = asked.tables._handle.value
            self.question.context_names = _native.c_names(asked.tables.context_names)
            self.question.action_names = _native.c_names(asked.tables.action_names)

    def take_files(self, paths: list[str]) -> list[str]:
        """The log is in files; the names of the columns that the caller gave."""
        if self.asked.models or self.asked.several is not None:
            raise InvalidError("models and functions need the log as a table: read it with pandas, polars or pyarrow")
        for name, column in self.asked.columns.items():
            if policy_name(column) == column or policy_name(column) != name:
                raise InvalidError(f"expert {name!r}: in a file its column must be named pi_{name} or a_{name}")
        self.take_paths(paths)
        return list(self.asked.columns)

    def take_table(self, table: Table, inputs: list[str], actions: Optional[list[Any]],
                   policies: Optional[list[str]]) -> list[str]:
        """The log is a table; the names of the policies that were put into columns."""
        self.check_names(table, inputs=inputs, experts=list(self.asked.columns.values()))
        found = uses(self.question, self._candidates(table, policies))
        rows = table.rows([*found, *self.asked.columns.values(), *inputs])
        columns = {name: self._read(table, name, use) for name, use in found.items()}
        taken = next(columns[name] for name, use in found.items() if use == ACTION)
        added = self._policies(table, lambda: Rows(table, inputs or self.features or self.contexts, taken, rows,
                                                   actions))
        for name in added:
            if name in columns:
                raise InvalidError(f"two experts are named {policy_name(name)!r}")
        self.take_columns({**columns, **added}, rows)
        return [policy_name(name) for name in added]

    def _candidates(self, table: Table, policies: Optional[list[str]]) -> list[str]:
        """Columns that may be looked at: those of policies if they are asked for, or nobody says which are."""
        own, all_of_them = self.asked.columns.values(), policies is None and not self.asked.columns
        return [name for name in table.names if policy_name(name) == name or
                (name not in own and (all_of_them or policy_name(name) in (policies or ())))]

    def _read(self, table: Table, name: str, use: int) -> Array:
        """Whole numbers are places where the experts, or the list of actions, have names alone."""
        known: dict[int, Names] = {}
        if self.listed is not None:
            known = {ACTION: self.listed, POLICY: self.listed}
        if self.asked.tables is not None:
            experts = self.asked.tables
            known = {EXPERT: experts._expert_names, POLICY: experts._action_names, ACTION: experts._action_names}
            if len(self.contexts) < 2:
                known[CONTEXT] = experts._context_names
        return by_place(name, read(name, table.column(name), use), known.get(use))

    def _policies(self, table: Table, rows: Callable[[], Rows]) -> dict[str, Array]:
        """Experts as columns."""
        asked = self.asked
        found = dict(read_column(name, column, table) for name, column in asked.columns.items())
        if asked.models or asked.several is not None:
            seen = rows()
            found.update(ask_model(name, source, seen) for name, source in asked.models.items())
            if asked.several is not None:
                found.update(ask_experts(asked.several, seen))
        return found

    def list_actions(self, file: Optional[str], listed: Optional[list[Any]]) -> None:
        """Which actions there are."""
        if file is not None:
            self.question.actions = os.fsencode(file)
        if listed is not None:
            self.listed = Names("action", listed, len(listed))
            self.listed.check()
            self.name("labels", self.listed.list)

    def ask(self, log: Any, inputs: list[str], actions: Optional[list[Any]],
            policies: Optional[list[str]]) -> dict[str, str]:
        """The answer about a log."""
        paths = paths_of(log)
        added = self.take_files(paths) if paths is not None else self.take_table(Table(log), inputs, actions, policies)
        if policies is not None:
            self.name("policies", [*added, *policies])
        elif paths is not None and added:
            self.name("policies", added)
        return self.answer()

    def answer(self) -> dict[str, str]:
        """What C says, in all its forms."""
        texts = (ctypes.c_void_p * 4)()
        _native.check(long.roster_python_evaluate(ctypes.byref(self.question), texts))
        return {form: _native.take_text(address) for form, address in zip(FORMS, texts)}


def _set(question: _native.Question, numbers: dict[str, Optional[float]], words: dict[str, Optional[str]],
         limits: Any) -> None:
    for i, (name, value) in enumerate(numbers.items()):
        question.numbers[i] = math.nan if value is None else _native.number(name, value)
        if value is not None and math.isnan(question.numbers[i]):
            raise InvalidError(f"{name} is nan, must be a number")
    for name, word in words.items():
        if word is not None:
            setattr(question, name, _native.text(name, word))
    try:
        low, high = limits
    except (TypeError, ValueError):
        raise InvalidError(f"range is {limits!r}, must be (LOW, HIGH)") from None
    question.low, question.high = _native.number("range", low), _native.number("range", high)


def evaluate(log: Any, experts: Any = None, *, action: Optional[str] = None, reward: Optional[str] = None,
             propensity: Optional[str] = None, context: Any = None, cost: Optional[str] = None,
             expert: Optional[str] = None, time: Optional[str] = None, id: Optional[str] = None,
             drop: Optional[str] = None, by: Optional[str] = None, features: Any = None, inputs: Any = None,
             policies: Any = None, actions: Any = None, range: Any = (0.0, 1.0), estimator: Optional[str] = None,
             interval: Optional[str] = None, confidence: Optional[float] = None, level: Optional[float] = None,
             clip: Optional[float] = None, least_propensity: Optional[float] = None, whole_means: bool = False,
             format: Optional[str] = None, skip_bad: bool = False) -> Evaluation:
    """What each policy would have earned on a log of what was served, with an interval that holds.

    log: a table of pandas, polars or pyarrow, a dict of arrays, or the path of a file that `roster evaluate` reads (a
    list of paths is one log). action, reward, propensity, context and the others name its columns; those left out are
    guessed as the command does.

    experts: `Experts`; the path of a roster file; or a dict (or list) of

    - tables [contexts][actions]; where they are data frames, index and columns name contexts and actions;
    - names of columns of the log: pi_NAME, or any of numbers with a point, has the probability that the expert gives to
      the action that was taken, any other the action that it would take;
    - models with `predict_proba` or `predict`, asked about the columns `inputs` (left out: features, else context);
    - functions of a context, which return an action, or a distribution over `actions`. Of several columns the context
      is a tuple.

    policies: "uniform", "always:ACTION", "greedy", "logged", or columns pi_NAME and a_NAME by their NAME, to be
    evaluated beside the experts. With neither, all such columns of the log are, else uniform.

    actions: those that there are, a list or their number; else those seen. range: of rewards. The other options are
    those of `roster evaluate`, which docs/evaluate.md describes.

    >>> log = {"device": ["desk", "phone"] * 500, "action": (["red"] * 2 + ["blue"] * 2) * 250,
    ...        "propensity": [0.5] * 1000, "reward": [0, 0, 0, 1] * 250}
    >>> found = evaluate(log, {"phones": lambda device: "blue" if device == "phone" else "red"}, context="device",
    ...                  least_propensity=0.5)
    >>> found.verdicts["phones"]
    'phones earns 20.6 to 29.2 points more than what was served (95%, valid at any time)'
    >>> found["phones"]["value"], found.served["value"]
    (0.5, 0.25)
    """
    file, known = _list_actions(actions)
    asked = sort_experts(experts, known)
    roles = {"action": action, "reward": reward, "cost": cost, "propensity": propensity, "expert": expert, "time": time,
             "id": id, "drop": drop, "by": by}
    call = _Call(asked, roles, context, features)
    named = None if policies is None else listed("policies", policies)
    _set(call.question, {"confidence": confidence, "level": level, "clip": clip, "least_propensity": least_propensity},
         {"estimator": estimator, "interval": interval, "format": format}, range)
    call.question.whole_means, call.question.skip_bad = bool(whole_means), bool(skip_bad)
    call.list_actions(file, known)
    try:
        return Evaluation(call.ask(log, listed("inputs", inputs), known, named))
    except InvalidError as error:
        raise type(error)(in_python_words(str(error))) from None

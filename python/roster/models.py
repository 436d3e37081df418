"""From models to probabilities: scikit-learn, functions, arrays."""
from __future__ import annotations

import warnings
from typing import Any, Callable, Optional, Sequence

import numpy as np

from . import _native
from ._arrays import array, reals
from ._native import InvalidError

FLOOR_SHARE = 0.05  # of an expert's decisions: a floor that takes more is warned of


def soften(pi: np.ndarray, temperature: float = 1.0, floor: float = 0.0) -> np.ndarray:
    """Distributions made more (temperature above 1) or less even, then kept at or above a floor.

    pi becomes floor + (1 - V floor) q, with q proportional to pi^(1 / temperature). A floor p_V turns a
    deterministic model into a stochastic expert, which d-ucb needs and `mixture` does not; V floor of its decisions are
    then uniformly random:

    >>> soften(np.array([0.0, 1.0, 0.0, 0.0]), floor=0.02).round(6).tolist()
    [0.02, 0.94, 0.02, 0.02]
    """
    temperature, floor = _native.number("temperature", temperature), _native.number("floor", floor)
    actions = pi.shape[-1]
    if not 0 < temperature < np.inf:
        raise InvalidError(f"temperature is {temperature}, must be a number above 0")
    if not 0 <= floor <= 1 / actions:
        raise InvalidError(f"floor is {floor}, must be from 0 to 1/{actions}, for there are {actions} actions")
    if temperature != 1:
        with np.errstate(divide="ignore", under="ignore"):
            scores = np.log(pi) / temperature
            pi = np.exp(scores - scores.max(axis=-1, keepdims=True))
        pi = pi / pi.sum(axis=-1, keepdims=True)
    pi = np.where(pi < np.finfo(float).tiny, 0.0, pi)
    return floor + (1 - actions * floor) * pi if floor else pi


def normal(what: str, pi: np.ndarray) -> np.ndarray:
    """Distributions whose rows sum to 1 to the last digits; models in single precision miss it by 1e-7."""
    sums = pi.sum(axis=-1, keepdims=True)
    if not (np.all(pi >= 0) and np.all(np.abs(sums - 1) <= 1e-4)):
        bad = np.argwhere(~(np.abs(sums[..., 0] - 1) <= 1e-4) | ~np.all(pi >= 0, axis=-1))[0].tolist()
        raise InvalidError(f"{what}{bad} is not a distribution: it sums to {float(sums[tuple(bad)][0]):.9g}")
    return pi / sums


def _aligned(model: Any, pi: np.ndarray, actions: Optional[Sequence[Any]]) -> np.ndarray:
    """Columns in the order of `actions`, where the model names its classes; 0 for a class it never saw."""
    classes = getattr(model, "classes_", None)
    if actions is None or classes is None:
        return pi
    names = list(actions)
    out = np.zeros((len(pi), len(names)))
    for column, name in enumerate(np.asarray(classes).tolist()):
        if name not in names:
            raise InvalidError(f"the model knows class {name!r}, which is not among the actions")
        out[:, names.index(name)] = pi[:, column]
    return out


def warn_of_floor(floor: float, actions: int) -> None:
    """A floor is what every expert does against its own judgement."""
    if floor * actions > FLOOR_SHARE:
        warnings.warn(f"floor {floor:g} with {actions} actions makes {min(1, floor * actions):.0%} of every expert's "
                      "decisions uniformly random; mixture, the agent for models, needs no floor", stacklevel=4)


def predicted(who: str, predict: Callable[[Any], Any], rows: Any) -> list[Any]:
    """The actions that a model with `predict` takes, one for each row."""
    answer = predict(rows)
    found = array(f"what predict of {who} returns", answer)
    if found.shape != (len(rows),):
        shown = "None" if answer is None else f"an array of shape {found.shape}"
        raise InvalidError(f"predict of {who} returns {shown} for {len(rows)} rows, must return an action for each")
    return found.tolist()


class Model:
    """One expert: contexts in, distributions over the actions out."""

    def __init__(self, source: Any, actions: Optional[Sequence[Any]], temperature: float, floor: float,
                 plain: bool = False):
        if not (hasattr(source, "predict_proba") or hasattr(source, "predict") or callable(source)):
            raise TypeError(f"{source!r} is not an expert: it must have predict_proba or predict, or be callable")
        self.source, self.actions, self.temperature, self.floor = source, actions, temperature, floor
        self.plain = plain

    def __call__(self, contexts: Any) -> np.ndarray:
        if hasattr(self.source, "predict_proba"):
            pi = reals("predict_proba(contexts)", self.source.predict_proba(contexts), (len(contexts), None))
            pi = _aligned(self.source, pi, self.actions)
        elif hasattr(self.source, "predict"):
            pi = self._of_answers(predicted("the model", self.source.predict, contexts))
        else:
            pi = np.stack([self._of_callable(self.source, context) for context in contexts])
        pi = normal("the model's row ", pi)
        if self.plain:
            pi = np.eye(pi.shape[1])[pi.argmax(axis=1)]
        return soften(pi, self.temperature, self.floor)

    @property
    def known(self) -> Optional[list[Any]]:
        """The actions it can take, where it or the user has listed them."""
        listed = self.actions if self.actions is not None else getattr(self.source, "classes_", None)
        return None if listed is None else np.asarray(listed).tolist() if hasattr(listed, "tolist") else list(listed)

    def _of_answers(self, answers: list[Any]) -> np.ndarray:
        """A model with `predict` alone always takes its answer."""
        known = self.known
        if known is None:
            raise InvalidError("the model has predict alone: list the actions")
        place = {name: column for column, name in enumerate(known)}
        for answer in answers:
            if answer not in place:
                raise InvalidError(f"the model answers {answer!r}, which is not among the actions")
        return np.eye(len(known))[[place[answer] for answer in answers]]

    def _of_callable(self, source: Callable[[Any], Any], context: Any) -> np.ndarray:
        """A function returns a distribution, or the one action that it takes."""
        answer = source(context)
        if np.ndim(answer) == 1:
            return reals("the expert's answer", answer, (None if self.actions is None else len(self.actions),))
        if self.actions is None:
            raise InvalidError(f"the expert answers {answer!r}, must be a distribution; or list the actions")
        if answer not in list(self.actions):
            raise InvalidError(f"the expert answers {answer!r}, which is not among the actions")
        return np.eye(len(self.actions))[list(self.actions).index(answer)]

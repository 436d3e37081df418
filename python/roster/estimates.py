"""Experts estimated from logs of their actions."""
from __future__ import annotations

import ctypes
import re
from typing import Any, Optional, Sequence

import numpy as np

from . import _native
from ._arrays import at, distribution, unmasked, wholes
from ._labels import Names, coded
from ._native import InvalidError, long, short


class Estimates:
    """Counts of (expert, context, action), and the experts they make.

    >>> seen = Estimates((2, 1, 3))
    >>> seen.add([0, 0, 1], [0, 0, 0], [0, 2, 1], count=[30, 10, 20])
    >>> seen.counts[0, 0].tolist()
    [30, 0, 10]
    >>> seen.min_samples
    20
    >>> round(seen.xi(delta=0.05), 3)
    0.24

    One thread at a time may add; any number may read.
    """

    def __init__(self, shape: Sequence[int], names: Optional[Sequence[str]] = None,
                 contexts: Optional[Sequence[str]] = None, actions: Optional[Sequence[str]] = None):
        if len(shape) != 3:
            raise InvalidError("shape must be (experts, contexts, actions)")
        self._shape = tuple(_native.count(what, n, 1, 2**31) for what, n in zip(("N", "X", "V"), shape))
        self.names = None if names is None else [str(name) for name in names]
        self.contexts, self.actions = contexts, actions
        if self.names is not None and len(self.names) != self.shape[0]:
            raise InvalidError(f"there are {len(self.names)} names, but {self.shape[0]} experts")
        self._known = [Names(what, given, n) for what, given, n in
                       zip(("expert", "context", "action"), (self.names, contexts, actions), self.shape)]
        out = ctypes.c_void_p()
        _native.check(short.roster_estimates_create(ctypes.byref(out), *self.shape, _native.c_names(self.names),
                                                    _native.failure()))
        self._handle = _native.own(out.value, short.roster_estimates_free)
        self._c_shape = (ctypes.c_int64 * 3)(*self.shape)

    @property
    def shape(self) -> tuple[int, ...]:
        """(experts, contexts, actions)."""
        return self._shape

    def add(self, expert: Any, context: Any, action: Any, count: Any = None) -> None:
        """Add logged actions: arrays of equal length, or single entries, numbers or names; `count` times each.

        If an entry is wrong, nothing is added.
        """
        k, x, v = (names.numbers(np.atleast_1d(a)) for names, a in zip(self._known, (expert, context, action)))
        n = None if count is None else wholes("count", np.atleast_1d(count), len(k))
        if not len(k) == len(x) == len(v):
            raise InvalidError(f"expert, context, action have {len(k)}, {len(x)}, {len(v)} entries, must be as many")
        _native.check(short.roster_python_estimates_add(self._handle, self._c_shape, len(k), at(k), at(x), at(v),
        at(n)))

    def draw(self, truth: Any, samples: int, seed: int = 1, run: int = 0, prior: Any = None) -> None:
        """Add what `samples` queries of each expert of `truth` would give, contexts drawn from `prior`."""
        rng = _native.Rng()
        short.roster_rng_init(ctypes.byref(rng), _native.count("seed", seed, 0, 2**64 - 1),
                              _native.count("run", run, 0, 2**64 - 1), 3)
        if getattr(truth, "kind", None) != "tables" or truth.table.shape != self.shape:
            raise InvalidError(f"truth must be experts that are tables of shape {self.shape}")
        p = None if prior is None else distribution("prior", prior, self.shape[1])
        _native.check(short.roster_estimates_draw(self._handle, truth._handle, at(p),
                                                  _native.count("samples", samples), ctypes.byref(rng),
                                                  _native.failure()))

    @property
    def counts(self) -> np.ndarray:
        """[N][X][V]: how often expert k was seen to play v in x."""
        out = np.empty(self.shape, np.uint64)
        long.roster_python_estimates_counts(self._handle, self._c_shape, at(out))
        return out

    @property
    def min_samples(self) -> int:
        """The smallest number of samples any expert has in any context."""
        return short.roster_estimates_min_samples(self._handle)

    def xi(self, delta: float = 0.01) -> float:
        """The error the data support: with probability 1 - delta no probability of any expert is off by more.

        Clopper and Pearson's interval of every probability, delta shared among all. ed-ucb needs p_V above it.
        """
        delta = _native.number("delta", delta)
        if not 0 < delta <= 1:
            raise InvalidError(f"delta is {delta}, must be above 0 and at most 1")
        return short.roster_estimates_xi_exact(self._handle, delta)

    def experts(self) -> Any:
        """The relative frequencies as experts, for ed-ucb."""
        from .experts import Experts
        return Experts(self)

    def __reduce__(self) -> Any:
        return _rebuild, (self.shape, self.names, self.contexts, self.actions, self.counts)

    def __repr__(self) -> str:
        n, x, v = self.shape
        return f"Estimates({n} experts, {x} contexts, {v} actions, at least {self.min_samples} samples)"


def _rebuild(shape: Any, names: Any, contexts: Any, actions: Any, counts: np.ndarray) -> Estimates:
    made = Estimates(shape, names, contexts, actions)
    k, x, v = np.nonzero(counts)
    made.add(k, x, v, counts[k, x, v].astype(np.int64))
    return made


def _natural(name: str) -> Any:
    """Numbers in names count by their value, as in `roster estimate`."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.findall(r"[0-9]+|[^0-9]", name)], name


def _numbered(what: str, labels: Any, known: Optional[Sequence[Any]]) -> tuple[np.ndarray, Optional[list[str]], int]:
    """Labels as numbers from 0, the names behind them, and how many there are."""
    labels = np.atleast_1d(unmasked(labels))
    if labels.dtype.kind in "iu" and known is None:
        numbers = wholes(what, labels)
        return numbers, None, int(numbers.max()) + 1 if numbers.size else 0
    words = sorted(set(coded(labels.tolist())[1]), key=_natural) if known is None else known
    names = Names(what, words, len(words))
    if names.numbers_are_places and labels.dtype.kind in "iu":
        return names.numbers(labels), names.list, names.n
    return names.numbers(labels.astype(object)), names.list, names.n


def estimate(expert: Any, context: Any, action: Any, count: Any = None, *, experts: Optional[Sequence[Any]] = None,
             contexts: Optional[Sequence[Any]] = None, actions: Optional[Sequence[Any]] = None) -> Estimates:
    """Experts from a log of their actions: three columns of equal length and counts, as `roster estimate` reads them.

    Entries are numbers from 0, or names; names are sorted, unless `experts`, `contexts`, `actions` list them. Where a
    list is of names alone, numbers are places in it; where there are numbers in it, they are names.

    >>> seen = estimate(["spring", "spring", "autumn"], ["old", "old", "old"], ["film", "book", "film"], [3, 1, 4])
    >>> seen.names, seen.actions
    (['autumn', 'spring'], ['book', 'film'])
    >>> seen.experts().table[1, 0].tolist()
    [0.25, 0.75]
    """
    k, names, n = _numbered("expert", expert, experts)
    x, context_names, n_contexts = _numbered("context", context, contexts)
    v, action_names, n_actions = _numbered("action", action, actions)
    if not k.size:
        raise InvalidError("there are no samples in this log")
    made = Estimates((n, n_contexts, n_actions), names, context_names, action_names)
    made.add(k, x, v, count)
    return made

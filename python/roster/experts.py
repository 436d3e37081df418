"""Experts: tables, softmax models, estimates, and models of any other kind."""
from __future__ import annotations

import ctypes
from copy import copy
from typing import Any, Optional, Sequence

import numpy as np

from . import _native
from ._arrays import at, distribution, reals
from ._labels import Names
from ._native import InvalidError, long, short
from .estimates import Estimates
from .models import Model, normal, soften, warn_of_floor


class Experts:
    """N stochastic policies pi_k(v | x).

    `source` is one of

    - an array pi[k][x][v] (or N tables [x][v]): contexts are finite; `contexts` and `actions` name them, where agents,
      `evaluate` and logs shall know them by name;
    - `Estimates`: relative frequencies, for ed-ucb;
    - a list of models, each with `predict_proba`, with `predict`, or a function of one context that returns a
      distribution (or, where `actions` are listed, the one it takes). `plain=True`: each always takes its most likely
      action. `sample`, a list of contexts like those that are expected, is what d-ucb needs to know beforehand; the
      agent `mixture`, which `auto` takes for models, needs none;
    - with `sample=True`, an array pi[k][s][v]: what experts that the caller evaluates do in each of s sampled
      contexts (without a sample: `Experts.external`).

    `temperature` and `floor` (p_V) are applied to all but estimates: see `soften`. d-ucb needs a floor above 0, or
    experts that never rule an action out; `mixture` needs none, and V floor of all decisions are uniformly random, so
    that a floor costs that share of what an expert's judgement is worth.

    >>> experts = Experts([[[0.7, 0.2, 0.1]], [[0.1, 0.2, 0.7]]], names=["bold", "calm"])
    >>> len(experts), experts.contexts, experts.actions, experts.kind
    (2, 1, 3, 'tables')
    >>> experts.divergence().round(3).tolist()
    [[1.0, 6.644], [6.644, 1.0]]

    Nothing changes after creation: any number of threads may use it, as far as the models allow.
    """

    def __init__(self, source: Any, *, names: Optional[Sequence[str]] = None, sample: Any = None,
                 contexts: Optional[Sequence[Any]] = None, actions: Optional[Sequence[Any]] = None,
                 temperature: float = 1.0, floor: float = 0.0, plain: bool = False):
        self.models: Optional[list[Model]] = None
        self._softmax: Optional[dict[str, Any]] = None
        self._estimates: Optional[Estimates] = None
        if isinstance(source, Estimates):
            self._take_estimates(source)
        elif _is_models(source):
            self.models = [Model(model, actions, temperature, floor, plain) for model in source]
            self._take_models(sample, names)
        else:
            pi = reals("source", source, (None, None, None))
            if temperature != 1 or floor != 0:
                pi = soften(normal("source", pi), temperature, floor)
            self._take_array(pi, "tables" if sample is None else "external", names)
        if self._estimates is None:
            warn_of_floor(_native.number("floor", floor), self.actions)
            self._name(contexts, actions if actions is not None else self._known())

    @classmethod
    def external(cls, count: int, actions: int, *, names: Optional[Sequence[str]] = None) -> Experts:
        """Experts that the caller evaluates, of which nothing is known beforehand: for `mixture`, and for agents that
        share nothing between experts. Events carry each expert's probability of the action taken.

        >>> Experts.external(2, actions=3)
        Experts(2 of kind external, no sample of contexts, 3 actions)
        """
        self = cls.__new__(cls)
        self.models = self._softmax = self._estimates = None
        n, v = _native.count("count", count, 1, 2**31), _native.count("actions", actions, 1, 2**31)
        self._take_array(np.empty((n, 0, v)), "external", names)
        return self

    @classmethod
    def softmax(cls, weights: Any, sample: Any = None, *, bias: Any = None, floor: float = 0.01,
                names: Optional[Sequence[str]] = None) -> Experts:
        """Linear models: pi_k(v | f) = floor + (1 - V floor) softmax_v(bias[k][v] + weights[k][v] . f).

        weights: [N][V][D]; bias: [N][V]; sample: [S][D], contexts drawn from the traffic that is expected, which
        `mixture` does without.

        >>> rng = np.random.default_rng(1)
        >>> e = Experts.softmax(rng.normal(size=(3, 4, 2)), rng.normal(size=(50, 2)))
        >>> e.kind, len(e), e.features, e.distribution([0.0, 0.0])[0].tolist()
        ('softmax', 3, 2, [0.25, 0.25, 0.25, 0.25])
        """
        self = cls.__new__(cls)
        self.models = self._estimates = None
        w = reals("weights", weights, (None, None, None))
        b = None if bias is None else reals("bias", bias, w.shape[:2])
        s = np.empty((0, w.shape[2])) if sample is None else reals("sample", sample, (None, w.shape[2]))
        words = _checked_names(names, len(w))
        model = _native.Softmax(*w.shape, at(w), at(b), _native.number("floor", floor), at(s), len(s),
                                _native.c_names(words))
        out = ctypes.c_void_p()
        _native.check(short.roster_experts_softmax(ctypes.byref(out), ctypes.byref(model), _native.failure()))
        warn_of_floor(floor, w.shape[1])
        self._adopt(out.value, "softmax", w.shape[2])
        self._softmax = {"weights": w, "sample": s, "bias": b, "floor": floor, "names": words}
        return self

    def _take_estimates(self, estimates: Estimates) -> None:
        out = ctypes.c_void_p()
        _native.check(short.roster_estimates_experts(estimates._handle, ctypes.byref(out), _native.failure()))
        self._adopt(out.value, "tables", 0)
        self.estimated = True
        self._estimates = copy(estimates)
        self._name(estimates.contexts, estimates.actions)

    def _take_models(self, sample: Any, names: Optional[Sequence[str]]) -> None:
        models = self.models or []
        if sample is None:
            known = [model.known for model in models]
            if known[0] is None or any(one != known[0] for one in known):
                raise InvalidError("list the actions, or give a sample: what the models can do is not known otherwise")
            self._take_array(np.empty((len(models), 0, len(known[0]))), "external", names)
            return
        if not hasattr(sample, "__len__") or len(sample) == 0:
            raise InvalidError("sample is empty, must be a list of contexts like those that are expected, or left out")
        tables = [model(sample) for model in models]
        if len({table.shape[1] for table in tables}) > 1:
            raise InvalidError("the models know different numbers of actions: list the actions")
        self._take_array(np.stack(tables), "external", names)

    def _take_array(self, pi: np.ndarray, kind: str, names: Optional[Sequence[str]]) -> None:
        create = short.roster_experts_tables if kind == "tables" else short.roster_experts_external
        pi = np.ascontiguousarray(pi)
        out = ctypes.c_void_p()
        _native.check(create(ctypes.byref(out), *pi.shape, at(pi), _native.c_names(_checked_names(names, len(pi))),
                             _native.failure()))
        self._adopt(out.value, kind, 0)

    def _adopt(self, address: Optional[int], kind: str, features: int) -> None:
        self._handle = _native.own(address, short.roster_experts_free)
        self._kind, self._features, self.estimated = kind, features, False
        self._read()

    @classmethod
    def _borrow(cls, address: Optional[int], keep: Any) -> Experts:
        """Experts that another object frees."""
        self = cls.__new__(cls)
        self.models = self._softmax = self._estimates = None
        self._handle = _native.borrowed(address, keep)
        self._kind = ("tables", "softmax", "external")[short.roster_experts_kind(self._handle)]
        self._features, self.estimated = short.roster_experts_features(self._handle), False
        self._read()
        return self

    def _known(self) -> Optional[list[Any]]:
        """The actions that models list themselves."""
        known = self.models[0].known if self.models else None
        return known if known is not None and len(known) == self.actions else None

    def _name(self, contexts: Optional[Sequence[Any]], actions: Optional[Sequence[Any]]) -> None:
        if contexts is not None and self.kind != "tables":
            raise InvalidError("contexts names the contexts of tables; these experts have none")
        self._context_names = Names("context", contexts, self.contexts)
        self._action_names = Names("action", actions, self.actions)
        self._context_names.check()
        self._action_names.check()

    def _read(self) -> None:
        h = self._handle
        x, v, n = (short.roster_experts_contexts(h), short.roster_experts_actions(h), short.roster_experts_count(h))
        self._names = tuple(short.roster_experts_name(h, k).decode("utf-8", "replace") for k in range(n))
        self._table = np.empty((n, x, v))
        long.roster_python_table(h, at(self._table))
        self._table.flags.writeable = False
        self._shape = (n, x, v)
        self._retired = tuple(short.roster_experts_retired(h, k) for k in range(n))
        self._expert_names = Names("expert", self._names, n)
        self._name(None, None)

    def __len__(self) -> int:
        return self._shape[0]

    @property
    def names(self) -> list[str]:
        """The experts' names."""
        return list(self._names)

    @property
    def retired(self) -> list[str]:
        """Names of experts that never act again; they keep their places."""
        return [name for name, gone in zip(self._names, self._retired) if gone]

    def changed(self, add: Optional[Experts] = None, retire: Sequence[str] = ()) -> Experts:
        """The list that it becomes when experts come and go: those of `add`, of the same kind, stand behind the others,
        and those named in `retire` never act again. Nobody's number changes, so events mean what they meant. A new
        version of an expert is another expert: one retires, one comes.

        >>> experts = Experts([[[0.7, 0.3]], [[0.2, 0.8]]], names=["old", "calm"])
        >>> longer = experts.changed(Experts([[[0.5, 0.5]]], names=["new"]), retire=["old"])
        >>> longer.names, longer.retired
        (['old', 'calm', 'new'], ['old'])
        """
        if self._estimates is not None or (add is not None and add._estimates is not None):
            raise InvalidError("experts that are estimates stay as they are: create others")
        if add is not None and not isinstance(add, Experts):
            raise TypeError(f"add is {type(add).__name__}, must be roster.Experts")
        twice = set(self._names) & set(add.names if add is not None else ())
        if twice:
            raise InvalidError(f"there is an expert {sorted(twice)[0]!r} already: give another name")
        gone = (ctypes.c_size_t * len(retire))(*[self._place(name) for name in retire])
        out = ctypes.c_void_p()
        _native.check(short.roster_experts_change(ctypes.byref(out), self._handle,
                                                  add._handle if add is not None else None, gone, len(gone),
                                                  _native.failure()))
        made = Experts.__new__(Experts)
        made._estimates = None
        made.models = (self.models or []) + (add.models or []) if add is not None and self.models else self.models
        made._softmax = self._softmax if add is None or self._softmax is None else _joined(self._softmax, add._softmax)
        made._adopt(out.value, self.kind, self.features)
        made._name(*self._given_names())
        return made

    def _place(self, name: str) -> int:
        if name not in self._names:
            raise InvalidError(f"there is no expert {name!r}; there are {', '.join(self._names)}")
        return self._names.index(name)

    @property
    def contexts(self) -> int:
        """X: how many reference contexts there are."""
        return self._shape[1]

    @property
    def actions(self) -> int:
        """V: how many actions there are."""
        return self._shape[2]

    @property
    def context_names(self) -> list[str]:
        """The names of the reference contexts: "0", "1" and so on where none were given."""
        return list(self._context_names.list)

    @property
    def action_names(self) -> list[str]:
        """The names of the actions: "0", "1" and so on where none were given."""
        return list(self._action_names.list)

    @property
    def features(self) -> int:
        """D: numbers of a feature vector; 0 unless softmax."""
        return self._features

    @property
    def kind(self) -> str:
        """"tables", "softmax" or "external": what an event carries."""
        return self._kind

    @property
    def table(self) -> np.ndarray:
        """pi[k][x][v] at the reference contexts. The array is read-only."""
        return self._table.view()

    @property
    def floor(self) -> float:
        """The smallest probability that any expert gives any action in any reference context."""
        return short.roster_experts_floor(self._handle)

    def divergence(self, p: Any = None, *, shared: bool = False) -> np.ndarray:
        """M[i][k]: how many samples of expert k say as much about expert i as one of its own.

        p: probabilities of the reference contexts, uniform if left out. `shared` leaves out the actions that k never
        plays.
        """
        probabilities = None if p is None else distribution("p", p, self.contexts)
        m = np.empty((len(self), len(self)))
        long.roster_python_divergence(self._handle, at(probabilities), bool(shared), at(m))
        return m

    def divergence_lower(self, xi: float, p_V: float, p_X: float) -> np.ndarray:
        """Lower bounds of M from estimates with errors up to xi < p_V."""
        bounds = [_native.number(what, value) for what, value in (("xi", xi), ("p_V", p_V), ("p_X", p_X))]
        if not (0 <= bounds[0] < bounds[1] <= 1 and 0 < bounds[2] <= 1):
            raise InvalidError("xi, p_V and p_X must satisfy 0 <= xi < p_V <= 1 and 0 < p_X <= 1")
        m = np.empty((len(self), len(self)))
        long.roster_python_divergence_lower(self._handle, ctypes.byref(_native.ErrorBounds(*bounds)), at(m))
        return m

    def distribution(self, context: Any) -> np.ndarray:
        """[N][V]: what every expert does in a context, given as an agent's `learn` takes it."""
        if self.kind == "tables":
            x = self._context_names.place(context) if isinstance(context, str) else context
            return self.table[:, _native.count("context", x, 0, self.contexts - 1)]
        if self.kind == "softmax":
            row = reals("context", context, (self.features,))
            if not np.all(np.abs(row) <= 1e100):
                raise InvalidError("context must be numbers of at most 1e100 in size")
            out = np.empty((len(self), self.actions))
            long.roster_python_distributions(self._handle, 1, at(row), at(out))
            return out
        if self.models is None:
            raise InvalidError("these experts are evaluated elsewhere: only reference contexts are known")
        return self._evaluate([context])[:, 0]

    def _evaluate(self, contexts: Any) -> np.ndarray:
        """[N][n][V] of the models."""
        if not isinstance(contexts, np.ndarray) and all(isinstance(c, np.ndarray) for c in contexts):
            contexts = np.stack(contexts)
        found = np.stack([model(contexts) for model in self.models or []])
        if found.shape[2] != self.actions:
            raise InvalidError(f"the models give {found.shape[2]} actions, but there are {self.actions}")
        return found

    def act(self, expert: Any, context: Any, rng: np.random.Generator) -> int:
        """The action that an expert takes."""
        k = self._expert_names.place(expert) if isinstance(expert, str) else expert
        k = _native.count("expert", k, 0, len(self) - 1)
        pi = self.distribution(context)[k] if self.models is None else self.models[k]([context])[0]
        return int(np.searchsorted(np.cumsum(pi) / pi.sum(), rng.random(), side="right").clip(0, self.actions - 1))

    def __reduce__(self) -> Any:
        if any(self._retired):
            return _rebuild_changed, (self._all_there(), self.retired)
        if self._softmax is not None:
            return _rebuild_softmax, (self._softmax,)
        if self._estimates is not None:
            return Experts, (self._estimates,)
        return _rebuild, (np.array(self.table), self.kind, self.names, self.models, *self._given_names())

    def _all_there(self) -> Experts:
        """The same without any that has retired."""
        if self._softmax is not None:
            return _rebuild_softmax(self._softmax)
        return _rebuild(np.array(self.table), self.kind, self.names, self.models, *self._given_names())

    def _given_names(self) -> list[Any]:
        """Of contexts and actions; None: they have numbers alone."""
        return [names.list if names.given else None for names in (self._context_names, self._action_names)]

    def __repr__(self) -> str:
        contexts = f"{self.contexts} contexts" if self.contexts else "no sample of contexts"
        return f"Experts({len(self)} of kind {self.kind}, {contexts}, {self.actions} actions)"


def _is_models(source: Any) -> bool:
    return (isinstance(source, (list, tuple)) and len(source) > 0
            and not any(isinstance(one, (int, float, list, tuple, np.ndarray, np.generic)) for one in source))


def _checked_names(names: Optional[Sequence[str]], n: int) -> Optional[list[str]]:
    if names is None:
        return None
    words = list(names)
    if len(words) != n:
        raise InvalidError(f"there are {len(words)} names, but {n} experts")
    return words


def _joined(first: dict[str, Any], more: Optional[dict[str, Any]]) -> dict[str, Any]:
    """Two lists of linear models as one; that they fit was checked."""
    both = [first, more or first]
    biases = [np.zeros(parts["weights"].shape[:2]) if parts["bias"] is None else parts["bias"] for parts in both]
    names = [parts["names"] or [f"expert {k + 1}" for k in range(len(parts["weights"]))] for parts in both]
    return {**first, "weights": np.concatenate([parts["weights"] for parts in both]), "bias": np.concatenate(biases),
            "names": names[0] + names[1]}


def _rebuild_changed(experts: Experts, retired: list[str]) -> Experts:
    return experts.changed(retire=retired)


def _rebuild_softmax(parts: dict[str, Any]) -> Experts:
    return Experts.softmax(**parts)


def _rebuild(table: np.ndarray, kind: str, names: list[str], models: Optional[list[Model]],
             contexts: Optional[list[str]] = None, actions: Optional[list[str]] = None) -> Experts:
    made = Experts.__new__(Experts)
    made._softmax = made._estimates = None
    made.models = models
    made._take_array(table, kind, names)
    made._name(contexts, actions)
    return made

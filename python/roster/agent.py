"""Agents. Their names, parameters, ranges and help come from the library's own tables."""
from __future__ import annotations

import ctypes
import inspect
import math
import struct
from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _native
from ._arrays import at, reals
from ._labels import Names
from ._native import BUSY, Error, InvalidError, long, short
from ._tally import rows_of, tally
from .evidence import Alarm, Evidence, read_alarms, read_evidence
from .experts import Experts

_choose_now, _choose = short.roster_python_choose_now, long.roster_python_choose
_pack = struct.Struct("=5d").pack
_learn_now, _learn = short.roster_python_learn_now, long.roster_python_learn


@dataclass(frozen=True)
class Parameter:
    """A parameter of an agent."""

    name: str
    help: str
    default: Union[float, str, None]
    low: float
    high: float
    low_open: bool
    high_open: bool
    words: tuple[str, ...]

    @property
    def range(self) -> str:
        """The allowed values, for display: '(0, 1e+100], "theory"'."""
        parts = [f'"{word}"' for word in self.words]
        if self.low <= self.high:
            parts.insert(0, f"{'[('[self.low_open]}{self.low:g}, {self.high:g}{'])'[self.high_open]}")
        return ", ".join(parts)

    def __str__(self) -> str:
        default = "none" if self.default is None else self.default
        return f"{self.name} ({self.range}; default {default}): {self.help}"


@dataclass(frozen=True)
class AgentInfo:
    """An entry of the library's list of agents."""

    name: str
    source: str
    summary: str
    parameters: tuple[Parameter, ...]
    empirical: bool
    additive: bool

    def __str__(self) -> str:
        lines = [f"{self.name} ({self.source}): {self.summary}"]
        return "\n".join(lines + [f"    {parameter}" for parameter in self.parameters])


def _read_parameter(raw: _native.Param) -> Parameter:
    words, i = [], 0
    while raw.words and raw.words[i] is not None:
        words.append(raw.words[i].decode())
        i += 1
    default: Union[float, str, None] = raw.preset_word.decode() if raw.preset_word else raw.preset
    if isinstance(default, float) and math.isnan(default):
        default = None
    return Parameter(raw.name.decode(), raw.help.decode(), default, raw.low, raw.high, raw.low_open, raw.high_open,
                     tuple(words))


def _read_info(raw: _native.AgentInfo) -> AgentInfo:
    parameters, i = [], 0
    while raw.params[i]:
        parameters.append(_read_parameter(raw.params[i].contents))
        i += 1
    return AgentInfo(raw.name.decode(), raw.source.decode(), raw.summary.decode(), tuple(parameters), raw.empirical,
                     raw.additive)


def _read_registry() -> dict[str, AgentInfo]:
    found, i = {}, 0
    while entry := short.roster_agent_info_at(i):
        info = _read_info(entry.contents)
        found[info.name] = info
        i += 1
    return found


agents: dict[str, AgentInfo] = _read_registry()


def _c_settings(settings: dict[str, Any]) -> Any:
    """The library's list; it says itself which names and values are wrong."""
    items = [(name, value) for name, value in settings.items() if value is not None]
    array = (_native.Setting * (len(items) + 1))()
    for entry, (name, value) in zip(array, items):
        entry.name = _native.text("a setting's name", name)
        if isinstance(value, str):
            entry.word = _native.text(name, value)
        else:
            entry.number = _native.number(name, value)
    return array


class Agent:
    """An agent chooses which expert acts next, and learns from the reward.

    >>> experts = Experts([[[0.7, 0.2, 0.1]], [[0.1, 0.2, 0.7]]])
    >>> agent = Agent("d-ucb", experts, C=0.1)
    >>> expert = agent.choose()
    >>> agent.learn(expert, context=0, action=2, reward=1.0)
    >>> agent.rounds, agent.choose()
    (1, 1)

    Without a name it is "auto": `direct` where the experts are tables, `mixture` where contexts are features or the
    experts are models.

    >>> Agent(experts)
    Agent('auto: direct', 2 experts, 0 rounds)

    Threads: every call holds the agent's lock, so an agent may be used from several threads; calls take effect one
    after the other, and a call waits, without holding the interpreter, while another thread's batch is learnt. Between
    `choose` and `learn` other threads may learn: events may come from any of them.

    `context_probabilities` (of the experts' contexts, uniform if left out) and `values` (true values, only for
    `oracle`) are what else the agent knows. (seed, run) names its random numbers. Equal arguments and equal events
    make equal agents.

    `level`: `evidence()` gives intervals of the experts' values that hold at this level, at every time; None: it keeps
    no evidence, which saves its time and, with very many experts, its memory. `restart="alarm"`: the agent looks for
    changes that nobody announces, and forgets what no longer holds (`alarms()`).
    """

    def __init__(self, name: Union[str, Experts], experts: Optional[Experts] = None, *, seed: int = 1, run: int = 0,
                 context_probabilities: Any = None, values: Any = None, level: Optional[float] = 0.95,
                 restart: str = "never", **settings: Any):
        if hasattr(self, "_address"):
            raise TypeError("an agent is created once")
        if isinstance(name, Experts) and experts is None:
            name, experts = "auto", name
        if not isinstance(experts, Experts):
            raise TypeError(f"experts is {type(experts).__name__}, must be roster.Experts")
        self._p = None if context_probabilities is None else reals("context_probabilities", context_probabilities,
                                                                   (experts.contexts,))
        self._values = None if values is None else reals("values", values, (len(experts),))
        self._seed = _native.count("seed", seed, 0, 2**64 - 1)
        self._run = _native.count("run", run, 0, 2**64 - 1)
        self._experts, self._settings = experts, dict(settings)
        if restart not in ("never", "alarm"):
            raise InvalidError(f'restart is {restart!r}, must be "never" or "alarm"')
        self._watching = (level, restart)
        watching = _native.Watching(math.nan if level is None else _native.number("level", level), experts.estimated,
                                    restart == "alarm")
        if level is not None and math.isnan(watching.level):
            raise InvalidError("level is nan, must be above 0 and below 1, or None")
        self._handle = _native.own(
            long.roster_python_agent_create(_native.text("name", name), experts._handle, at(self._p), at(self._values),
                                            _c_settings(settings), self._seed, self._run, ctypes.byref(watching)),
            short.roster_python_agent_free, experts._handle)
        self._address = self._handle.value  # a number is quicker to pass on; it is good as long as the agent
        self._finite = experts.kind == "tables"
        self._asked = str(name)
        #: The agent that was created: for "auto" the one that it stands for.
        self.name: str = short.roster_agent_stand_in(self._asked.encode(), experts._handle).contents.name.decode()

    @property
    def info(self) -> AgentInfo:
        """What the library says about agents of this name."""
        return agents[self.name]

    @property
    def experts(self) -> Experts:
        """The experts it chooses among."""
        return self._experts

    @property
    def rounds(self) -> int:
        """Rounds learnt since creation or reset."""
        return long.roster_python_rounds_learnt(self._handle)

    @property
    def settings(self) -> dict[str, float]:
        """Every parameter's value, words such as "theory" turned into numbers (`support`: 0 full, 1 shared)."""
        return {parameter.name: short.roster_python_setting(self._handle, parameter.name.encode())
                for parameter in self.info.parameters}

    def choose(self) -> int:
        """The expert to play in the next round. Changes nothing."""
        k = _choose_now(self._address)
        return k if k >= 0 else _choose(self._address)

    def learn(self, expert: Any, context: Any, action: Any, reward: float, propensity: float = 0.0, *,
              probabilities: Any = None) -> None:
        """Learn what happened in one round.

        expert, action: number or name. context: the same; for softmax experts its features; for models what they take.
        `probabilities`, each expert's probability of the action, takes the place of the context where the experts are
        evaluated elsewhere. reward is in [0, 1]. propensity, the probability with which the expert took the action, is
        checked if it is not 0. An event that is refused changes nothing.
        """
        if not self._finite or probabilities is not None:
            self._learn_row(expert, context, action, reward, propensity, probabilities)
            return
        try:
            event = _pack(expert, context, action, reward, propensity)
        except struct.error as error:
            if any(isinstance(label, str) for label in (expert, context, action)):
                k, x, v = self._numbered(expert, context, action)
                self.learn(k, x, v, reward, propensity)
                return
            raise _explained(error, expert=expert, context=context, action=action, reward=reward,
                             propensity=propensity) from None
        code = _learn_now(self._address, event)
        if code == BUSY:
            code = _learn(self._address, event)
        if code:
            raise _native.last_error()

    def _numbered(self, expert: Any, context: Any, action: Any) -> list[Any]:
        """Names as places."""
        known = (self._experts._expert_names, self._experts._context_names, self._experts._action_names)
        return [names.place(label) if isinstance(label, str) else label
                for names, label in zip(known, (expert, context, action))]

    def _learn_row(self, expert: Any, context: Any, action: Any, reward: Any, propensity: Any,
                   probabilities: Any) -> None:
        contexts = None if probabilities is not None else [context]
        rows = None if probabilities is None else [probabilities]
        expert, _, action = self._numbered(expert, 0, action)
        try:
            self.learn_batch([_native.count("expert", expert)], contexts, [_native.count("action", action)],
                             [_native.number("reward", reward)], [_native.number("propensity", propensity)],
                             probabilities=rows)
        except BatchError as error:
            raise (error.__cause__ or error) from None

    def learn_batch(self, expert: Any, context: Any, action: Any, reward: Any, propensity: Any = None, *,
                    probabilities: Any = None) -> None:
        """Learn many rounds, in order: arrays of equal length, without the interpreter.

        expert, action: numbers or names. context: the same; [n][D] features; or n contexts for the models.
        probabilities: [n][N]. A name that is not known is refused before anything is learnt. Where an event is
        refused the exception's `round` is its place: those before it were learnt, it and those behind it were not.

        >>> experts = Experts([[[0.7, 0.2, 0.1]], [[0.1, 0.2, 0.7]]])
        >>> agent = Agent("d-ucb", experts)
        >>> agent.learn_batch([0, 1, 0], [0, 0, 0], [2, 2, 0], [1, 1, 0])
        >>> agent.rounds
        3
        """
        k = self._experts._expert_names.numbers(expert)
        n = len(k)
        v, y = self._experts._action_names.numbers(action, n), reals("reward", reward, (n,))
        q = None if propensity is None else reals("propensity", propensity, (n,))
        x, rows = self._contexts(context, probabilities, v)
        width = 0 if rows is None else rows.shape[1]
        rounds = _native.Rounds(n, at(k), at(x), at(v), at(y), at(q), at(rows), width)
        done = ctypes.c_uint64()
        if long.roster_python_learn_batch(self._handle, ctypes.byref(rounds), ctypes.byref(done)):
            cause = _native.last_error()
            if not isinstance(cause, InvalidError):
                raise cause
            raise BatchError(f"round {done.value}: {cause}", done.value) from cause

    def learn_log(self, log: Any, *, discount: float = 1.0, context: Optional[str] = None,
                  action: Optional[str] = None, reward: Optional[str] = None, expert: Optional[str] = None,
                  propensity: Optional[str] = None, contexts: Optional[Sequence[Any]] = None,
                  actions: Optional[Sequence[Any]] = None, skip_bad: bool = False) -> None:
        """Start with what a log says: its events count `discount` each, in (0, 1].

        log: as `evaluate` takes it, the path of a file in any of its formats, a table of pandas, polars or pyarrow, or
        a dict of arrays; events, or a tally as `roster tally` writes it. `context`, `action`, `reward`, `expert` and
        `propensity` name its columns; those left out are guessed as `evaluate` does. Only action and reward must be
        there, and context where there are several. They hold numbers from 0, or names: those of the experts, or of
        the lists `contexts` and `actions`. Rewards are in [0, 1]. `skip_bad` leaves damaged rows out.

        It warms the agent alone: evidence and alarms rest on events that are learnt one by one. Agents that need these
        refuse a log, and all but `direct` must be told which expert acted. A log that is refused changes nothing.

        >>> experts = Experts([[[0.7, 0.2, 0.1]], [[0.1, 0.2, 0.7]]], names=["bold", "calm"])
        >>> agent = Agent(experts)
        >>> agent.learn_log({"action": [2, 0, 2], "reward": [1, 0, 1], "expert": ["calm", "bold", "calm"]})
        >>> agent.rounds, agent.choose(), agent.evidence().rounds
        (3, 1, 0)
        """
        known = self._experts
        seen = known._context_names if contexts is None else Names("context", contexts, known.contexts)
        taken = known._action_names if actions is None else Names("action", actions, known.actions)
        found = tally(log, {"action": action, "reward": reward, "expert": expert, "propensity": propensity}, context,
                      skip_bad)
        rows = rows_of(found, known, seen, taken)
        _native.check(long.roster_python_learn_tally(self._handle, at(rows), len(rows),
                                                     _native.number("discount", discount)))

    def _contexts(self, context: Any, probabilities: Any, v: np.ndarray) -> tuple[Any, Optional[np.ndarray]]:
        """What n events carry: numbers of contexts, or rows."""
        experts, n = self._experts, len(v)
        if experts.kind == "tables" and probabilities is None:
            return experts._context_names.numbers(context, n), None
        if experts.kind == "softmax" and probabilities is None:
            return None, reals("context", context, (n, experts.features))
        if experts.kind != "external":
            raise InvalidError(f"probabilities are for experts evaluated elsewhere, these are of kind {experts.kind}")
        if probabilities is not None:
            return None, reals("probabilities", probabilities, (n, len(experts)))
        if experts.models is None:
            raise InvalidError("probabilities is missing: each expert's probability of the action")
        if not hasattr(context, "__len__") or len(context) != n:
            raise InvalidError(f"context must be {n} contexts")
        if n and not (v.min() >= 0 and v.max() < experts.actions):
            raise InvalidError(f"action must be from 0 to {experts.actions - 1}")
        pi = experts._evaluate(context) if n else np.empty((len(experts), 0, experts.actions))
        return None, np.ascontiguousarray(pi[:, np.arange(n), v].T)

    def index(self) -> np.ndarray:
        """Every expert's index; infinite for one about which nothing is known yet."""
        u = np.empty(len(self._experts))
        long.roster_python_index(self._handle, at(u))
        return u

    def insight(self) -> dict[str, np.ndarray]:
        """What the indices rest on, by expert: estimate, width, samples (worth of its own), clipped share."""
        out = np.empty((len(self._experts), 4))
        long.roster_python_insight(self._handle, at(out))
        return dict(zip(("estimate", "width", "samples", "clipped"), out.T.copy()))

    def evidence(self) -> Evidence:
        """What is known of every expert: value, low, high at every time, who leads, and whether it is the best.

        >>> experts = Experts([[[0.9, 0.1]], [[0.2, 0.8]]], names=["bold", "calm"])
        >>> agent = Agent("d-ucb", experts)
        >>> agent.learn_batch([0] * 2000, [0] * 2000, [0] * 1800 + [1] * 200, [1.0] * 1800 + [0.0] * 200)
        >>> print(agent.evidence().verdict)
        bold is the best of 2 experts (95%, valid at any time).
        """
        return read_evidence(self._handle, self._experts.names)

    def alarms(self) -> list[Alarm]:
        """The changes that were found with `restart="alarm"`; after `restore` the last of each kind."""
        return read_alarms(self._handle)

    def constants(self) -> dict[str, float]:
        """The constants that the theorems' bounds need: C, M, gamma, p_V, clip."""
        found = _native.Constants()
        _native.check(long.roster_python_constants(self._handle, ctypes.byref(found)))
        return {name: getattr(found, name) for name in _native.CONSTANTS}

    def reserve(self, rounds: int) -> None:
        """Allocate now what learning this many rounds needs."""
        _native.check(long.roster_python_reserve(self._handle, _native.count("rounds", rounds, 0, 2**40)))

    def reset(self, run: int = 0) -> None:
        """Forget all events, keep the divergences, take the random numbers of `run`: a new episode."""
        self._run = _native.count("run", run, 0, 2**64 - 1)
        _native.check(long.roster_python_reset(self._handle, self._run))

    def snapshot(self) -> bytes:
        """The state as bytes: portable, checked, and learning goes on from it exactly as from the live agent."""
        size = 0
        while True:
            buffer = ctypes.create_string_buffer(max(size, 1))
            needed = long.roster_python_save(self._handle, buffer, size)
            if needed <= size:
                return buffer.raw[:needed]
            size = needed

    def restore(self, snapshot: bytes) -> None:
        """Take the state of an agent with the same name, experts and settings."""
        if not isinstance(snapshot, (bytes, bytearray, memoryview)):
            raise TypeError(f"snapshot is {type(snapshot).__name__}, must be bytes")
        data = bytes(snapshot)
        _native.check(long.roster_python_load(self._handle, data, len(data)))

    def merge(self, other: Agent) -> None:
        """Add what another agent of the same name, experts and settings has learnt."""
        if not isinstance(other, Agent):
            raise TypeError(f"other is {type(other).__name__}, must be roster.Agent")
        _native.check(long.roster_python_merge(self._handle, other._handle))

    def __reduce__(self) -> Any:
        return _rebuild, (self.name, self._experts, self._seed, self._run, self._p, self._values, self._settings,
                          self.snapshot(), *self._watching)

    def __repr__(self) -> str:
        shown = self.name if self._asked == self.name else f"{self._asked}: {self.name}"
        return f"Agent({shown!r}, {len(self._experts)} experts, {self.rounds} rounds)"


class BatchError(InvalidError):
    """An event of a batch was refused; `round` is its place."""

    def __init__(self, sentence: str, place: int = 0):
        super().__init__(sentence)
        self.round = place


def _rebuild(name: str, experts: Experts, seed: int, run: int, p: Any, values: Any, settings: dict[str, Any],
             snapshot: bytes, level: Optional[float] = None, restart: str = "never") -> Agent:
    agent = Agent(name, experts, seed=seed, run=run, context_probabilities=p, values=values, level=level,
                  restart=restart, **settings)
    agent.restore(snapshot)
    return agent


def _explained(error: Exception, **given: Any) -> Exception:
    """Which argument of `learn` is not a number."""
    for what, value in given.items():
        try:
            _native.number(f"event.{what}", value)
        except (TypeError, Error) as cause:
            return cause
    return TypeError(str(error))


# Without its indentation: some versions of Python have taken that away already, others have not.
Agent.__doc__ = inspect.cleandoc(Agent.__doc__ or "") + "\n\nThe agents and their parameters:\n\n" + "\n\n".join(
    map(str, agents.values())) + "\n"

"""Worlds to play in: a loop in the style of Gymnasium, and agents written in Python in a study."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Optional, Protocol

import numpy as np

from . import _native
from ._native import InvalidError, short

if TYPE_CHECKING:
    from .results import Case
    from .study import Study

_step = short.roster_python_environment_step
RUNS_MOST = 2**48 - 1


class Player(Protocol):
    """An agent written in Python; `roster.Agent` is one too."""

    def choose(self) -> int:
        """The expert to play in the next round."""
        ...

    def learn(self, expert: int, context: int, action: int, reward: float, propensity: float = 0.0) -> None:
        """Learn what the round earned."""
        ...


class Discrete:
    """The whole numbers 0..n-1, where Gymnasium is not installed."""

    def __init__(self, n: int):
        self.n = n

    def contains(self, k: Any) -> bool:
        """Whether it is one of these numbers."""
        return isinstance(k, (int, np.integer)) and bool(0 <= k < self.n)

    def sample(self) -> int:
        """A random one."""
        return int(np.random.default_rng().integers(self.n))


def _spaces(experts: int, contexts: int, actions: int) -> tuple[Any, Any]:
    """(action space, observation space)."""
    try:
        from gymnasium import spaces
    except ImportError:
        return Discrete(experts), None
    return spaces.Discrete(experts), spaces.Box(-1, max(contexts, actions) - 1, (2,), np.int64)


class Environment:
    """The worlds of an experiment, round by round.

    `reset()` starts an episode, `step(expert)` lets an expert act, as in Gymnasium: (observation, reward, terminated,
    truncated, info). An observation is [context, action] of the last round, [-1, -1] before the first. `truncated` is
    set in an episode's last round; the next `reset()` starts the next episode, and after the last one the next run.
    `info` has everything: episode, round, expert, context, action, reward, propensity, regret (of all rounds of the
    run).

    >>> from roster import environment
    >>> world = environment({
    ...     "name": "toy", "contexts": 1, "actions": 2,
    ...     "experts": [{"table": [[0.9, 0.1]]}, {"table": [[0.2, 0.8]]}],
    ...     "episodes": [{"rounds": 3, "reward_means": [[0.8, 0.2]]}], "agents": [{"agent": "d-ucb"}], "runs": 1})
    >>> observation, info = world.reset()
    >>> over = False
    >>> while not over:
    ...     observation, reward, terminated, over, info = world.step(1)
    >>> info["round"], round(info["regret"], 2)
    (3, 1.26)

    Every round is a function of (seed, run, episode, round): what one agent does never shifts the world of another. One
    thread at a time.
    """

    metadata: dict[str, Any] = {"render_modes": []}
    render_mode: Optional[str] = None
    spec: Any = None

    def __init__(self, study: Study, case: int, run: int = 0):
        self._study, self.case = study, case
        self._handle = _native.own(short.roster_python_environment_create(study._handle, case),
                                   short.roster_python_environment_free, study._handle)
        self.experts = study.experts(case)
        self.about: dict[str, Any] = study.about["cases"][case]
        self.seed: int = study.about["seed"]
        self.run = _native.count("run", run, 0, RUNS_MOST)
        self.episode = -1
        self.rounds = 0
        self._buffer = _native.Step()
        self._reference = ctypes.byref(self._buffer)
        self.action_space, self.observation_space = _spaces(len(self.experts), self.experts.contexts,
                                                            self.experts.actions)

    @property
    def unwrapped(self) -> Environment:
        """Itself."""
        return self

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> tuple[np.ndarray, dict]:
        """Start the next episode. With a seed, or options {"run": number}, the first episode of that run."""
        if seed is not None:
            self.seed = _native.count("seed", seed, 0, 2**64 - 1)
        if options is not None and "run" in options:
            self.run = _native.count("run", options["run"], 0, RUNS_MOST)
        afresh = seed is not None or (options is not None and "run" in options)
        self.episode = 0 if afresh else self.episode + 1
        if self.episode >= len(self.about["episodes"]):
            self.episode, self.run = 0, (self.run + 1) % (RUNS_MOST + 1)
        self.rounds = short.roster_python_environment_start(self._handle, self.seed, self.run, self.episode)
        return np.array([-1, -1]), {"run": self.run, "episode": self.episode, "rounds": self.rounds}

    def step(self, expert: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """One round, in which this expert acts."""
        _native.check(_step(self._handle, _native.number("expert", expert), self._reference))
        s = self._buffer
        info = {"episode": s.episode, "round": s.t, "expert": s.expert, "context": s.context, "action": s.action,
                "reward": s.reward, "propensity": s.propensity, "regret": s.regret}
        return np.array([s.context, s.action]), s.reward, False, s.t >= self.rounds, info

    def close(self) -> None:
        """Nothing is open."""


def play_episode(world: Environment, player: Player, record: Callable[[int, int, float], None]) -> None:
    """One episode of one run; `record` is told (expert, round, regret) after every round."""
    handle, reference, step = world._handle, world._reference, world._buffer
    for _ in range(world.rounds):
        _native.check(_step(handle, _native.number("choose()", player.choose()), reference))
        player.learn(step.expert, step.context, step.action, step.reward, step.propensity)
        record(step.expert, step.t, step.regret)


class Record:
    """What a player's runs came to, at the points of the study's curves."""

    def __init__(self, case: Case, episodes: int, experts: int):
        self.points = case.points
        self.curve = np.zeros((case.runs, len(case.point_round)))
        self.by_episode = np.zeros((case.runs, episodes))
        self.total = np.zeros(case.runs)
        self.plays = np.zeros((len(case.point_round), experts), np.uint64)
        self.rounds = self.best_rounds = 0
        self._regret, self._reached = 0.0, 0

    def play(self, world: Environment, run: int, make: Callable[..., Player]) -> None:
        """One run, all episodes."""
        self._regret, self._reached = 0.0, 0
        for e in range(len(world.about["episodes"])):
            before = self._regret
            world.reset(options={"run": run} if e == 0 else None)
            player = make(world.experts, episode=e, run=run, seed=world.seed)
            play_episode(world, player, self._noting(world, run, e))
            self.rounds += world.rounds
            self._pass(run, (e, world.rounds))
            self.by_episode[run, e] = self._regret - before
        self.curve[run, self._reached:] = self._regret
        self.total[run] = self._regret

    def _noting(self, world: Environment, run: int, e: int) -> Callable[[int, int, float], None]:
        """What is to be done after every round of an episode."""
        values = np.array(world.about["episodes"][e]["values"])
        best, last = values.max() - values <= 1e-12, len(self.points) - 1

        def note(k: int, t: int, regret: float) -> None:
            self._pass(run, (e, t - 1))
            self.plays[min(self._reached, last), k] += 1
            self.best_rounds += int(best[k])
            self._regret = regret
        return note

    def _pass(self, run: int, now: tuple[int, int]) -> None:
        """The points of the curve up to now have the regret so far."""
        while self._reached < len(self.points) and self.points[self._reached] <= now:
            self.curve[run, self._reached] = self._regret
            self._reached += 1


def play(study: Study, case: int, label: str, make: Callable[..., Player], of: Case) -> Record:
    """All runs of a case by an agent written in Python."""
    if label in of.agents:
        raise InvalidError(f"the study has an agent {label!r} already")
    world = Environment(study, case)
    record = Record(of, len(world.about["episodes"]), len(world.experts))
    for run in range(of.runs):
        record.play(world, run, make)
    return record

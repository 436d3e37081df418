"""Experiments: from a file or a dict to results."""
from __future__ import annotations

import ctypes
import json
import os
import threading
from typing import Any, Callable, Mapping, Optional, Union

import numpy as np

from . import _native
from ._arrays import at
from ._native import InvalidError, long, short
from .environment import Environment, Player, play
from .experts import Experts
from .progress import Bar, Progress
from .results import Results

Experiment = Union[str, "os.PathLike[str]", Mapping[str, Any]]
POLL_SECONDS = 0.05
THREADS_MOST = 1024


def _plain(value: Any) -> Any:
    """What json does not know: experts, arrays, numbers of numpy."""
    if isinstance(value, Experts):
        if value.kind != "tables":
            raise TypeError(f"an experiment needs experts that are tables, these are of kind {value.kind}")
        return [{"name": name, "table": table.tolist()} for name, table in zip(value.names, value.table)]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"an experiment cannot hold {type(value).__name__}")


class Study:
    """An experiment, read and checked."""

    def __init__(self, experiment: Experiment, *, runs: Optional[int] = None, rounds: Optional[int] = None,
                 seed: Optional[int] = None, agents: Optional[Any] = None):
        if isinstance(experiment, Mapping):
            path, body = b"experiment", _native.text("the experiment", json.dumps(experiment, default=_plain))
        else:
            path, body = os.fsencode(experiment), None
            if b"\0" in path:
                raise InvalidError("the path has a NUL in it")
        number = None if seed is None else ctypes.c_uint64(_native.count("seed", seed, 0, 2**64 - 1))
        chosen = ",".join(agents) if isinstance(agents, (list, tuple)) else agents
        changes = _native.Changes(0 if runs is None else _native.count("runs", runs, 1, 10**9),
                                  0 if rounds is None else _native.count("rounds", rounds, 1, 10**12),
                                  None if number is None else ctypes.pointer(number),
                                  None if chosen is None else _native.text("agents", chosen))
        self._handle = _native.own(long.roster_python_study_create(path, body, ctypes.byref(changes)),
                                   short.roster_python_study_free)
        self.about: dict[str, Any] = json.loads(_native.take_text(short.roster_python_study_describe(self._handle)))
        self.name: str = self.about["name"]
        self.cases = len(self.about["cases"])

    def check_case(self, case: int) -> int:
        """A case's number, from 0."""
        return _native.count("case", case, 0, self.cases - 1)

    def experts(self, case: int = 0) -> Experts:
        """The true experts of a case."""
        return Experts._borrow(short.roster_python_study_experts(self._handle, self.check_case(case)), self._handle)

    def agent_number(self, agent: Union[int, str]) -> int:
        """An agent's place in the list, by its label, or by its name where only one has it."""
        listed = self.about["cases"][0]["agents"]
        if not isinstance(agent, str):
            return _native.count("agent", agent, 0, len(listed) - 1)
        for key in ("label", "agent"):
            found = [i for i, entry in enumerate(listed) if entry[key] == agent]
            if len(found) == 1:
                return found[0]
        labels = ", ".join(entry["label"] for entry in listed)
        raise InvalidError(f"{self.name} has no agent {agent!r}, or several; its labels are {labels}")

    def total_rounds(self) -> int:
        """Rounds of all agents, runs and cases."""
        listed = len(self.about["cases"][0]["agents"])
        return sum(e["rounds"] for case in self.about["cases"] for e in case["episodes"]) * listed * self.about["runs"]

    def run(self, threads: int, bar: Bar) -> None:
        """All of it, while this thread looks after the bar and Ctrl-C."""
        failures: list[BaseException] = []

        def work() -> None:
            try:
                _native.check(long.roster_python_study_run(self._handle, threads))
            except BaseException as error:  # to be raised in the thread that called
                failures.append(error)

        worker = threading.Thread(target=work, name="roster.run")
        worker.start()
        try:
            while worker.is_alive():
                worker.join(POLL_SECONDS)
                bar.show(short.roster_python_study_rounds(self._handle))
        finally:
            if worker.is_alive():
                short.roster_python_study_stop(self._handle)
                worker.join()
            bar.end()
        if failures:
            raise failures[0]


def count_threads(threads: Optional[int]) -> int:
    """As many as asked for, else one per core."""
    if threads is None:
        threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return _native.count("threads", threads, 1, THREADS_MOST)


def run(experiment: Experiment, *, runs: Optional[int] = None, rounds: Optional[int] = None, seed: Optional[int] = None,
        agents: Any = None, threads: Optional[int] = None, progress: Progress = None,
        players: Optional[Mapping[str, Callable[..., Player]]] = None) -> Results:
    """Run an experiment, a file or a dict of the same form, on all cores and without the interpreter.

    runs, rounds, seed, agents (labels or names) replace those of the experiment. The results do not depend on threads.
    `progress`: a bar (True), none (False), a bar where stderr is a terminal (None), or a function of (done, total).
    Ctrl-C ends the runs and raises KeyboardInterrupt.

    `players` are agents written in Python, by label: functions that make one for an episode from
    `(experts, episode=, run=, seed=)`. They play the same worlds and stand behind the library's agents in the results.

    >>> results = run({
    ...     "name": "toy", "contexts": 1, "actions": 2, "runs": 20, "seed": 1,
    ...     "experts": [{"table": [[0.9, 0.1]]}, {"table": [[0.2, 0.8]]}],
    ...     "episodes": [{"rounds": 500, "reward_means": [[0.8, 0.2]]}],
    ...     "agents": [{"agent": "d-ucb"}, {"agent": "ucb"}]})
    >>> results.agents
    ['d-ucb', 'ucb']
    >>> bool(results.regret[0] < results.regret[1])
    True
    """
    threads = count_threads(threads)
    study = Study(experiment, runs=runs, rounds=rounds, seed=seed, agents=agents)
    study.run(threads, Bar(progress, study.name, study.total_rounds()))
    results = Results(study)
    for label, make in (players or {}).items():
        for case in range(study.cases):
            played = play(study, case, label, make, results.cases[case])
            results.cases[case].add_player(label, played)
    return results


def environment(experiment: Experiment, *, case: int = 0, run: int = 0, rounds: Optional[int] = None,
                seed: Optional[int] = None) -> Environment:
    """The worlds of an experiment, for agents of your own: see `Environment`."""
    study = Study(experiment, rounds=rounds, seed=seed)
    return Environment(study, study.check_case(case), run)


STEP = np.dtype([("episode", np.uint64), ("t", np.uint64), ("expert", np.uint64), ("context", np.uint64),
                 ("action", np.uint64), ("reward", np.float64), ("propensity", np.float64), ("regret", np.float64)])


def trace(experiment: Experiment, agent: Union[int, str], *, run: int = 0, rounds: Optional[int] = None,
          seed: Optional[int] = None, case: int = 0) -> np.ndarray:
    """Every round of one run of one agent, as `roster trace` prints it: a structured array.

    Its fields: episode, t (from 1), expert, context, action, reward, propensity, regret (of all rounds so far).
    """
    study = Study(experiment, rounds=rounds, seed=seed)
    episodes = study.about["cases"][study.check_case(case)]["episodes"]
    steps = np.empty(sum(episode["rounds"] for episode in episodes), STEP)
    n = ctypes.c_size_t()
    _native.check(long.roster_python_study_trace(study._handle, case, study.agent_number(agent),
                                                 _native.count("run", run, 0, 2**48 - 1), len(steps), at(steps),
                                                 ctypes.byref(n)))
    return steps[:n.value]

"""What can be said about an experiment before it is run."""
from __future__ import annotations

import json
from typing import Any, Optional

from . import _native
from ._native import long
from .study import Experiment, Study, count_threads

RUNS_MOST = 10000


class Explanation(dict):
    """The contents of `roster explain --json`; printed, its sentences."""

    def __str__(self) -> str:
        lines = []
        for number, episode in enumerate(self["episodes"], 1):
            lines.append(f"episode {number}: {episode.get('sentence', '')}")
        return "\n".join(lines + [f"warning: {warning}" for warning in self.get("warnings", [])])


def explain(experiment: Experiment, *, case: int = 0, runs: Optional[int] = None, rounds: Optional[int] = None,
            seed: Optional[int] = None, agents: Any = None, threads: Optional[int] = None) -> Explanation:
    """Play the agents of an experiment a few hundred times: when the best expert has the traffic, what is lost.

    Also values, gaps, divergences, and the bounds that the theorems prove. Numbers that are infinite are None, as in
    `roster explain --json`. Cases are numbered from 0; `runs`: how often to play, 300 or, of long experiments, fewer;
    rounds, seed, agents (labels or names) replace those of the experiment.

    >>> found = explain({
    ...     "name": "toy", "contexts": 1, "actions": 2, "runs": 1,
    ...     "experts": [{"table": [[0.9, 0.1]]}, {"table": [[0.2, 0.8]]}],
    ...     "episodes": [{"rounds": 500, "reward_means": [[0.8, 0.2]]}], "agents": [{"agent": "d-ucb"}]})
    >>> found["episodes"][0]["best"]
    0
    >>> found["episodes"][0]["simulated"][0]["lost"]["high"] < 40
    True
    """
    study = Study(experiment, rounds=rounds, seed=seed, agents=agents)
    times = 0 if runs is None else _native.count("runs", runs, 1, RUNS_MOST)
    return Explanation(json.loads(_native.take_text(
        long.roster_python_study_explain(study._handle, study.check_case(case), times, count_threads(threads)))))

"""What theory predicts about an experiment before it is run."""
from __future__ import annotations

import json

from . import _native
from ._native import long
from .study import Experiment, Study


class Explanation(dict):
    """The contents of `roster explain --json`; printed, its sentences."""

    def __str__(self) -> str:
        lines = []
        for number, episode in enumerate(self["episodes"], 1):
            lines.append(f"episode {number}: {episode.get('sentence', '')}")
        return "\n".join(lines + [f"warning: {warning}" for warning in self.get("warnings", [])])


def explain(experiment: Experiment, *, case: int = 0) -> Explanation:
    """Values, gaps, divergences, times and regret bounds of an experiment, and in a sentence how much traffic it takes.

    Numbers that are infinite are None, as in `roster explain --json`. Cases are numbered from 0.

    >>> found = explain({
    ...     "name": "toy", "contexts": 1, "actions": 2, "runs": 1,
    ...     "experts": [{"table": [[0.9, 0.1]]}, {"table": [[0.2, 0.8]]}],
    ...     "episodes": [{"rounds": 500, "reward_means": [[0.8, 0.2]]}], "agents": [{"agent": "d-ucb"}]})
    >>> found["episodes"][0]["best"]
    0
    """
    study = Study(experiment)
    return Explanation(json.loads(_native.take_text(
        long.roster_python_study_explain(study._handle, study.check_case(case)))))

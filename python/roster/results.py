"""The results of a study, as arrays."""
from __future__ import annotations

import ctypes
import json
import os
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from . import _native
from ._arrays import at
from ._native import long, short

if TYPE_CHECKING:
    from .environment import Record
    from .study import Study

FORMS = {"json": 0, "csv": 1, "html": 2, "table": 3}


class Case:
    """One case of a study: every array's first index is the agent.

    regret, sd [agents]: at the end, mean and standard deviation over the runs; paired: less that of the first agent,
    run by run. curve, curve_sd [agents][points]: up to each point. by_episode, by_episode_sd [agents][episodes]. plays
    [agents][points][experts]: rounds played since the point before. best [agents]: share of rounds played by an
    episode's best expert. nanoseconds [agents]: of a round.
    """

    def __init__(self, about: dict[str, Any], raw: _native.ResultsStruct):
        agents, points, episodes, experts = raw.agents, raw.points, raw.episodes, raw.experts
        self.about: dict[str, Any] = about
        self.title: str = about["title"]
        self.value: float = about["value"]
        self.agents: list[str] = [entry["label"] for entry in about["agents"]]
        self.experts: list[str] = about["experts"]
        self.runs: int = raw.runs
        self.point_episode = _counts(raw.point_episode, (points,))
        self.point_round = _counts(raw.point_round, (points,))
        self.regret, self.sd = _moments(raw.total, (agents,), raw.runs)
        self.paired, self.paired_sd = _moments(raw.paired, (agents,), raw.runs)
        self.curve, self.curve_sd = _moments(raw.curve, (agents, points), raw.runs)
        self.by_episode, self.by_episode_sd = _moments(raw.episode, (agents, episodes), raw.runs)
        self.plays = _counts(raw.plays, (agents, points, experts))
        self.rounds = _counts(raw.rounds, (agents,))
        self.best_rounds = _counts(raw.best_rounds, (agents,))
        spent = _counts(raw.nanoseconds, (agents,))
        self.nanoseconds = spent / np.maximum(self.rounds, 1)

    def half(self, sd: Any) -> Any:
        """Half the width of the 95% interval of a mean over the runs, from its standard deviation (Student's t)."""
        return short.roster_python_t95(self.runs) * sd / self.runs ** 0.5

    @property
    def points(self) -> list[tuple[int, int]]:
        """(episode, round) of every point of the curves."""
        return list(zip(self.point_episode.tolist(), self.point_round.tolist()))

    @property
    def x(self) -> np.ndarray:
        """Rounds from the beginning of the first episode to every point."""
        lengths = np.array([0] + [episode["rounds"] for episode in self.about["episodes"]], np.uint64)
        return np.cumsum(lengths)[self.point_episode.astype(np.int64)] + self.point_round

    @property
    def best(self) -> np.ndarray:
        """Share of an agent's rounds that were played by an episode's best expert."""
        return self.best_rounds / np.maximum(self.rounds, 1)

    def add_player(self, label: str, played: Record) -> None:
        """A row more in every array, for an agent written in Python."""
        self.agents.append(label)
        for name, values in (("regret", played.total), ("curve", played.curve), ("by_episode", played.by_episode)):
            spread = "sd" if name == "regret" else name + "_sd"
            setattr(self, name, _stack(getattr(self, name), values.mean(axis=0)))
            setattr(self, spread, _stack(getattr(self, spread), _sd(values)))
        self.paired = _stack(self.paired, self.regret[-1] - self.regret[0])
        self.paired_sd = _stack(self.paired_sd, np.nan)  # the first agent's regret run by run is not kept
        self.plays = _stack(self.plays, played.plays)
        self.rounds = _stack(self.rounds, played.rounds)
        self.best_rounds = _stack(self.best_rounds, played.best_rounds)
        self.nanoseconds = _stack(self.nanoseconds, np.nan)


def _stack(rows: np.ndarray, row: Any) -> np.ndarray:
    return np.concatenate([rows, np.asarray(row, rows.dtype)[None]])


def _sd(values: np.ndarray) -> np.ndarray:
    return values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1:])


def _counts(address: Optional[int], shape: tuple[int, ...]) -> np.ndarray:
    n = int(np.prod(shape))
    flat = (ctypes.c_uint64 * n).from_address(address) if n and address else (ctypes.c_uint64 * n)()
    return np.array(flat, np.uint64).reshape(shape)


def _moments(address: Optional[int], shape: tuple[int, ...], runs: int) -> tuple[np.ndarray, np.ndarray]:
    mean, sd = np.full(shape, np.nan), np.full(shape, np.nan)
    if runs:
        long.roster_python_moments(address, mean.size, runs, at(mean), at(sd))
    return mean, sd


class Results:
    """The results of `roster.run`. `cases` holds one `Case` per case of a sweep; the first one's arrays are also here.

    `print(results)` shows the table that the program prints.
    """

    def __init__(self, study: Study):
        self._study = study
        self.name, self.runs, self.seed = study.name, study.about["runs"], study.about["seed"]
        self.sweep: Optional[str] = study.about["sweep"]
        self.cases = [Case(about, short.roster_python_study_results(study._handle, i).contents)
                      for i, about in enumerate(study.about["cases"])]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "cases":
            raise AttributeError(name)
        return getattr(self.cases[0], name)

    def _text(self, form: str) -> str:
        command = b"roster.run(" + self.name.encode("utf-8", "replace") + b")"
        return _native.take_text(long.roster_python_study_text(self._study._handle, FORMS[form], command))

    def to_json(self) -> str:
        """results.json, to the byte what `roster run` writes. Without players."""
        return self._text("json")

    def to_dict(self) -> dict[str, Any]:
        """The same as a dict."""
        return json.loads(self.to_json())

    def to_csv(self) -> str:
        """curves.csv. Without players."""
        return self._text("csv")

    def save(self, folder: Any) -> None:
        """results.json, curves.csv and report.html, as `roster run` writes them. Without players."""
        os.makedirs(folder, exist_ok=True)
        for name, form in (("results.json", "json"), ("curves.csv", "csv"), ("report.html", "html")):
            body = self._text(form)
            with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
                file.write(body)

    def to_pandas(self) -> Any:
        """The curves as a DataFrame: case, agent, episode, round, x, regret, sd. Needs pandas."""
        import pandas
        frames = []
        for case in self.cases:
            for i, agent in enumerate(case.agents):
                frames.append(pandas.DataFrame({
                    "case": case.title, "agent": agent, "episode": case.point_episode, "round": case.point_round,
                    "x": case.x, "regret": case.curve[i], "sd": case.curve_sd[i]}))
        return pandas.concat(frames, ignore_index=True)

    def summary(self) -> Any:
        """Final regrets as a DataFrame: case, agent, regret, ci95, sd, best, ns. Needs pandas."""
        import pandas
        rows = [{"case": case.title, "agent": agent, "regret": case.regret[i], "ci95": case.half(case.sd[i]),
                 "sd": case.sd[i], "best": case.best[i], "ns": case.nanoseconds[i]}
                for case in self.cases for i, agent in enumerate(case.agents)]
        return pandas.DataFrame(rows)

    def plot(self, path: Any = None, *, case: int = 0, ax: Any = None, band: bool = True) -> Any:
        """Regret curves in the style of the paper. `path` ends with .pdf, .svg or .png. Needs matplotlib."""
        from .plot import plot_case, plot_sweep
        if self.sweep is not None and case == 0 and len(self.cases) > 1:
            return plot_sweep(self, path, ax)
        return plot_case(self, self.cases[_native.count("case", case, 0, len(self.cases) - 1)], path, ax, band)

    def __str__(self) -> str:
        players = [f"{agent}: regret {case.regret[i]:.1f} ±{case.half(case.sd[i]):.1f}" for case in self.cases
                   for i, agent in enumerate(case.agents) if i >= len(case.about["agents"])]
        return "\n".join([self._text("table").rstrip(), *players])

    def __repr__(self) -> str:
        return f"Results({self.name!r}, {self.runs} runs, agents {', '.join(self.cases[0].agents)})"

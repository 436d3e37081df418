"""Figures of results with matplotlib, for papers: vector formats, fonts that can be searched, colours all can tell
apart."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .evaluation import Evaluation
    from .results import Case, Results

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
STYLE: dict[Any, Any] = {
         "font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "pdf.fonttype": 42, "ps.fonttype": 42,
         "svg.fonttype": "none", "svg.hashsalt": "roster", "axes.linewidth": 0.6, "lines.linewidth": 1.3}
SIZE = (4.2, 2.8)


def _axes(ax: Any, path: Any) -> Any:
    """The axes to draw on: given ones, or a figure of its own (without a window where it goes to a file)."""
    if ax is not None:
        return ax
    if path is None:
        from matplotlib import pyplot
        return pyplot.subplots(figsize=SIZE, constrained_layout=True)[1]
    from matplotlib.figure import Figure
    return Figure(figsize=SIZE, layout="constrained").subplots()


def _finish(ax: Any, path: Any) -> Any:
    ax.legend(frameon=False)
    if path is not None:
        kind = str(path).rsplit(".", 1)[-1].lower()
        dateless = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
        ax.figure.savefig(path, dpi=300, metadata=dateless.get(kind))
    return ax


def plot_case(results: Results, case: Case, path: Any, ax: Any, band: bool) -> Any:
    """Regret against rounds, with 95% bands of the mean; dotted lines where episodes begin."""
    import matplotlib
    with matplotlib.rc_context(STYLE):
        ax = _axes(ax, path)
        x = case.x.astype(float)
        for i, agent in enumerate(case.agents):
            colour = COLOURS[i % len(COLOURS)]
            ax.plot(x, case.curve[i], color=colour, label=agent)
            half = case.half(case.curve_sd[i])
            if band:
                ax.fill_between(x, case.curve[i] - half, case.curve[i] + half, color=colour, alpha=0.2, linewidth=0)
        starts = np.cumsum([episode["rounds"] for episode in case.about["episodes"]])[:-1]
        for start in starts if len(starts) < 50 else ():
            ax.axvline(start, color="0.6", linewidth=0.5, linestyle=":")
        ax.set(xlabel="round", ylabel="cumulative regret", title=" ".join(filter(None, (results.name, case.title))))
        ax.margins(x=0)
        return _finish(ax, path)


def plot_sweep(results: Results, path: Any, ax: Any) -> Any:
    """Final regret against what varies, with 95% intervals."""
    import matplotlib
    with matplotlib.rc_context(STYLE):
        ax = _axes(ax, path)
        values = [case.value for case in results.cases]
        for i, agent in enumerate(results.cases[0].agents):
            regret = [case.regret[i] for case in results.cases]
            half = [case.half(case.sd[i]) for case in results.cases]
            ax.errorbar(values, regret, half, color=COLOURS[i % len(COLOURS)], label=agent, marker="o", markersize=3,
                        capsize=2)
        if min(values) > 0 and max(values) > 20 * min(values):
            ax.set_xscale("log")
        ax.set(xlabel=results.sweep, ylabel="regret", title=results.name)
        return _finish(ax, path)


def plot_evaluation(found: Evaluation, path: Any, ax: Any) -> Any:
    """Values with their intervals, a line per policy; dashed: what was served."""
    import matplotlib
    with matplotlib.rc_context(STYLE):
        ax = _axes(ax, path)
        columns = found.columns
        value, low, high = (np.array(columns[name], float) for name in ("value", "low", "high"))
        places = np.arange(len(value))[::-1]
        ax.hlines(places, low, high, color=COLOURS[0], label="interval")
        ax.plot(value, places, "o", color=COLOURS[0], markersize=4, label="value")
        ax.axvline(found.served["value"], color="0.4", linewidth=0.8, linestyle="--", label="served")
        ax.set_yticks(places, columns["policy"])
        ax.set(xlabel="reward per event", ylim=(-0.5, len(value) - 0.5))
        return _finish(ax, path)

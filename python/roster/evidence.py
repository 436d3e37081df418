"""What the events say about the experts: intervals that hold at every time, alarms, and the test of the model."""
from __future__ import annotations

import ctypes
import html
import math
from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np

from . import _native
from ._native import long

SENTENCE_SIZE = 480
KINDS = {1: "contexts", 2: "rewards"}


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known of each expert; arrays have an entry per expert.

    At the level, all of `low` and `high` hold, at all times at once: one may look as often as one likes and stop when
    one likes. At the same level the best expert is never `excluded`.
    """

    names: list[str]
    level: float
    rounds: int  #: that it rests on
    value: np.ndarray  #: estimated mean rewards
    low: np.ndarray  #: of the interval
    high: np.ndarray
    behind: np.ndarray  #: the leader's value less its own, estimated
    worse: np.ndarray  #: than the best by at least this
    excluded: np.ndarray  #: it is not the best
    leader: int
    known: bool  #: all but the leader are excluded: it is the best
    own: bool  #: from each expert's own rounds alone
    until: Optional[tuple[float, float, float]]  #: rounds left until the best is known: estimate, low, high
    from_past: np.ndarray  #: above 0: it came later, and its value also rests on so many rounds before; its interval
    # holds unless the expert was made with a look at their rewards
    retired: list[str]  #: names of experts that never act again
    remarks: list[str] = field(default_factory=list)  #: experts that earn more or less than their actions explain

    @property
    def verdict(self) -> str:
        """One sentence for people."""
        n, percent = len(self.names) - len(self.retired), f"{100 * self.level:g}%"
        if self.known:
            return f"{self.names[self.leader]} is the best of {n} experts ({percent}, valid at any time)."
        if self.rounds == 0:
            return "Nothing is known yet: no round was learnt."
        others = [d for k, d in enumerate(self.behind) if k != self.leader and not math.isnan(d)
                  and self.names[k] not in self.retired]
        lead = f" by an estimated {min(others):.3g}" if others else ""
        text = (f"Not known yet: {self.names[self.leader]} leads{lead}; {int(self.excluded.sum())} of {n} experts are "
                f"excluded ({percent}, valid at any time)")
        if self.until is not None and math.isfinite(self.until[2]):
            text += f"; about {self.until[0]:,.0f} rounds more, between {self.until[1]:,.0f} and {self.until[2]:,.0f}"
        return text + "."

    @property
    def table(self) -> Any:
        """A pandas DataFrame by expert."""
        import pandas

        columns = {name: getattr(self, name) for name in ("value", "low", "high", "behind", "worse", "excluded")}
        return pandas.DataFrame(columns, index=pandas.Index(self.names, name="expert"))

    def _rows(self) -> list[list[str]]:
        rows = [["expert", "value", "low", "high", "behind", "not the best"]]
        for k, name in enumerate(self.names):
            rows.append([name] + [f"{array[k]:.4f}" for array in (self.value, self.low, self.high, self.behind)]
                        + [self._remark(k)])
        return rows

    def _remark(self, k: int) -> str:
        if self.names[k] in self.retired:
            return "retired"
        return f"by at least {self.worse[k]:.4f}" if self.excluded[k] else ""

    def __str__(self) -> str:
        rows = self._rows()
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        lines = ["  ".join(cell.ljust(w) if i in (0, 5) else cell.rjust(w)
                           for i, (cell, w) in enumerate(zip(row, widths))).rstrip() for row in rows]
        return "\n".join([self.verdict, *lines, *self.remarks])

    def _repr_html_(self) -> str:
        head, *body = [[html.escape(cell) for cell in row] for row in self._rows()]
        cells = "".join(f"<th>{cell}</th>" for cell in head)
        lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in body)
        said = "".join(f"<p>{html.escape(text)}</p>" for text in (self.verdict, *self.remarks))
        return f"{said}<table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>"


@dataclass(frozen=True)
class Alarm:
    """The world has changed. If nothing changes, an alarm is ever raised with probability 0.001 at most."""

    kind: str  #: "contexts" come otherwise than before, or "rewards" do
    round: int  #: in which it was raised
    since: int  #: the rounds after this one differ most from those before
    context: int  #: whose share changed most, or where the action pays otherwise; finite contexts only
    action: int  #: of a reward alarm in finite contexts
    expert: int  #: whose rewards changed, where contexts are not finite
    before: float  #: share of that context, or mean reward there
    after: float


def read_evidence(handle: Any, names: list[str], retired: list[str]) -> Evidence:
    """The evidence of a native agent."""
    n = len(names)
    findings, summary = (_native.Finding * n)(), _native.Judgement()
    _native.check(long.roster_python_evidence(handle, findings, ctypes.byref(summary)))
    columns = np.array([[f.value.value, f.value.low, f.value.high, f.behind, f.worse] for f in findings])
    until = summary.until
    return Evidence(names, summary.level, summary.rounds, *columns.T.copy(), np.array([f.excluded for f in findings]),
                    summary.leader, summary.known, summary.own,
                    None if math.isnan(until.value) else (until.value, until.low, until.high),
                    np.array([f.from_past for f in findings]), retired, _read_remarks(handle, n))


def _read_remarks(handle: Any, n: int) -> list[str]:
    found, text = [], ctypes.create_string_buffer(SENTENCE_SIZE)
    for k in range(n):
        _native.check(long.roster_python_sentence(handle, k, text, SENTENCE_SIZE))
        if text.value:
            found.append(text.value.decode("utf-8", "replace"))
    return found


def read_alarms(handle: Any) -> list[Alarm]:
    """The alarms of a native agent, in order."""
    room = 0
    while True:
        raw = (_native.AlarmStruct * room)()
        n = long.roster_python_alarms(handle, raw, room)
        if n < 0:
            raise _native.last_error()
        if n <= room:
            return [Alarm(KINDS[a.kind], a.round, a.since, a.context, a.action, a.expert, a.before, a.after)
                    for a in raw[:n]]
        room = n

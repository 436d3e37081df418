"""What came of `evaluate`."""
from __future__ import annotations

import html
import json
import math
import re
from typing import Any, Optional

ESTIMATES = ("ips", "snips", "clipped", "dm", "dr", "switch_dr", "dros")
FIGURES = ("value", "low", "high", "difference", "difference_low", "difference_high", "effective_samples",
           "largest_weight", "mean_weight", "clipped_share", "unlogged_share")
FORMS = {"json": "json", "csv": "csv", "html": "html", "txt": "table"}


def in_python_words(sentence: str) -> str:
    """A sentence of the command, with its options as `evaluate` calls them."""
    sentence = sentence.replace("--range LOW,HIGH", "range=(LOW, HIGH)").replace("--skip-bad", "skip_bad=True")
    return re.sub(r"(?<![\w'-])--([a-z]+(?:-[a-z]+)*)", lambda found: found[1].replace("-", "_"), sentence)


def _number(value: Optional[float]) -> float:
    return math.nan if value is None else value


class Evaluation:
    """What each policy would have earned, by name: `found["greedy"]["value"]`.

    `events`: how many there were. `served`: value, low, high of what was served. `verdicts`, `warnings`: by policy.
    `notes`: on the log's health. `segments`: the same for each value of the column `by`. All figures are those of
    `roster evaluate --json`, which `to_json()` gives to the byte. It holds nothing but texts and numbers, and can be
    pickled.
    """

    def __init__(self, forms: dict[str, str], found: Optional[dict[str, Any]] = None):
        self._forms = forms
        self._found: dict[str, Any] = json.loads(forms["json"]) if found is None else found
        self.events: float = self._found["events"]
        self.served: dict[str, float] = {name: _number(value) for name, value in self._found["served"].items()}
        self.verdicts: dict[str, str] = {one["name"]: one["verdict"] for one in self._found["policies"]}
        self.warnings: dict[str, list[str]] = {one["name"]: [in_python_words(text) for text in one["warnings"]]
                                               for one in self._found["policies"]}
        self.notes: list[str] = [in_python_words(text) for text in self._found.get("notes", ())]
        self.segments: dict[str, Evaluation] = {one["name"]: Evaluation({}, one)
                                                for one in self._found.get("segments", ())}

    def __getitem__(self, name: str) -> dict[str, Any]:
        """The figures of a policy, as in the JSON."""
        for one in self._found["policies"]:
            if one["name"] == name:
                return one
        raise KeyError(name)

    @property
    def columns(self) -> dict[str, list[Any]]:
        """A list per figure, an entry per policy."""
        rows = [self._row(one) for one in self._found["policies"]]
        return {name: [row[name] for row in rows] for name in ("policy", "estimator", *FIGURES, *ESTIMATES)}

    @staticmethod
    def _row(one: dict[str, Any]) -> dict[str, Any]:
        difference = one["difference"]
        row = {**one, "policy": one["name"], "difference": difference["value"], "difference_low": difference["low"],
               "difference_high": difference["high"]}
        return {name: value if isinstance(value, str) else _number(value) for name, value in row.items()
                if not isinstance(value, list)}

    @property
    def table(self) -> Any:
        """A pandas DataFrame by policy; where pandas is not installed, `columns`."""
        try:
            import pandas
        except ImportError:
            return self.columns
        return pandas.DataFrame(self.columns).set_index("policy")

    def plot(self, path: Any = None, *, ax: Any = None) -> Any:
        """Each policy's value with its interval; dashed: what was served. `path` ends with .pdf, .svg or .png. Needs
        matplotlib."""
        from .plot import plot_evaluation
        return plot_evaluation(self, path, ax)

    def _text(self, form: str) -> str:
        if form not in self._forms:
            raise ValueError("a segment has no text of its own: the whole evaluation's has it")
        return self._forms[form]

    def to_json(self) -> str:
        """What `roster evaluate --json` prints."""
        return self._text("json")

    def to_dict(self) -> dict[str, Any]:
        """The same as a dict."""
        return json.loads(json.dumps(self._found))

    def to_csv(self) -> str:
        """What `roster evaluate --csv` prints."""
        return self._text("csv")

    def to_html(self) -> str:
        """The page that `roster evaluate --report` writes."""
        return self._text("html")

    def save(self, path: Any) -> None:
        """To a file, by its ending: .json, .csv, .html, or .txt for the table."""
        ending = str(path).rsplit(".", 1)[-1].lower()
        if ending not in FORMS:
            raise ValueError(f"{path} must end with .{', .'.join(FORMS)}")
        body = self._text(FORMS[ending])
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(body)

    def __str__(self) -> str:
        return in_python_words(self._forms["table"].rstrip()) if self._forms else "\n".join(self.verdicts.values())

    def __repr__(self) -> str:
        return f"Evaluation({self.events:.0f} events, policies {', '.join(self.verdicts)})"

    def _repr_html_(self) -> str:
        names = ("policy", *FIGURES[:-3])
        head = "".join(f"<th>{html.escape(name.replace('_', ' '))}</th>" for name in names)
        columns = self.columns
        rows = "".join("<tr>" + "".join(f"<td>{_shown(columns[name][i])}</td>" for name in names) + "</tr>"
                       for i, _ in enumerate(columns["policy"]))
        said = [*self.verdicts.values(), *(f"{name}: {text}" for name, texts in self.warnings.items()
                                           for text in texts), *self.notes]
        return ("".join(f"<p>{html.escape(text)}</p>" for text in said)
                + f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>")


def _shown(cell: Any) -> str:
    return html.escape(cell) if isinstance(cell, str) else "" if math.isnan(cell) else f"{cell:.5g}"

"""A line on the terminal in the style of tqdm: how far something has got, and how long it will still take."""
from __future__ import annotations

import sys
import time
from typing import Callable, Optional, TextIO, Union

Progress = Union[bool, None, Callable[[int, int], None]]
WIDTH = 20


def duration(seconds: float) -> str:
    """'01:05', '1:00:00'.

    >>> duration(65), duration(3600)
    ('01:05', '1:00:00')
    """
    minutes, s = divmod(int(seconds + 0.5), 60)
    hours, m = divmod(minutes, 60)
    return f"{hours}:{m:02d}:{s:02d}" if hours else f"{m:02d}:{s:02d}"


def short_count(n: float) -> str:
    """'950', '1.50k', '12.0M'.

    >>> short_count(950), short_count(1500), short_count(12e6)
    ('950', '1.50k', '12.0M')
    """
    for unit in ("", "k", "M", "G"):
        if n < 999.5:
            return f"{n:.0f}" if unit == "" else f"{n:.3g}" + unit if n >= 100 else f"{n:#.3g}" + unit
        n /= 1000
    return f"{n:.3g}T"


class Bar:
    """`progress` is a function of (rounds played, rounds in all), True, False, or None: where stderr is a terminal."""

    def __init__(self, progress: Progress, what: str, total: int, stream: Optional[TextIO] = None):
        self.stream = stream or sys.stderr
        self.tell = progress if callable(progress) else None
        self.drawn = self.tell is None and (progress if progress is not None else self.stream.isatty())
        self.what, self.total, self.started = what, total, time.monotonic()

    def show(self, done: int) -> None:
        """Show that this many rounds were played."""
        if self.tell is not None:
            self.tell(done, self.total)
        elif self.drawn:
            self.stream.write("\r" + self.line(done, time.monotonic() - self.started) + "\033[K")
            self.stream.flush()

    def line(self, done: int, spent: float) -> str:
        """'quickstart:  40%|########            | 1.60M/4.00M [00:12<00:18, 133k rounds/s]'"""
        share = min(done / self.total, 1.0) if self.total else 1.0
        left = duration(spent * (1 - share) / share) if share > 0 else "?"
        pace = short_count(done / spent) if spent > 0 else "?"
        return (f"{self.what}: {100 * share:3.0f}%|{'#' * int(share * WIDTH):{WIDTH}}| {short_count(done)}/"
                f"{short_count(self.total)} [{duration(spent)}<{left}, {pace} rounds/s]")

    def end(self) -> None:
        """Leave the line as it is."""
        if self.drawn:
            self.stream.write("\n")

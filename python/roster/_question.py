"""What is asked about a log, for `evaluate` and `learn_log` alike: its files or its table, and what its columns are."""
from __future__ import annotations

import ctypes
import errno
import os
from typing import Any, Optional, Sequence

from . import _native
from ._columns import Array, Table, native_table


def listed(what: str, value: Any) -> list[str]:
    """Names: one, or a list."""
    names = [value] if isinstance(value, str) else [] if value is None else value
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"{what} is {value!r}, must be a name or a list of names")
    return list(names)


def _one(what: str, name: Any) -> str:
    _native.text(what, name)
    return str(name)


def paths_of(log: Any) -> Optional[list[str]]:
    """The files of a log; None: it is a table."""
    if isinstance(log, (str, os.PathLike)):
        log = [log]
    if not isinstance(log, (list, tuple)) or not log or not all(isinstance(one, (str, os.PathLike)) for one in log):
        return None
    return [there(path) for path in log]


def there(path: Any) -> str:
    """The path of a file that is there."""
    if not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
    return os.fspath(path)


class Asking:
    """The question as it grows, and what C borrows meanwhile. `roles`: the column of each; None: it is guessed."""

    def __init__(self, roles: dict[str, Optional[str]], context: Any, features: Any = None):
        self.roles = {role: _one(role, name) for role, name in roles.items() if name is not None}
        self.contexts, self.features = listed("context", context), listed("features", features)
        self.question = question = _native.Question()
        question.roles = _native.c_names(list(self.roles))
        question.columns = _native.c_names(list(self.roles.values()))
        question.n_roles = len(self.roles)
        self.name("contexts", self.contexts)
        self.name("features", self.features)

    def name(self, field: str, names: Sequence[str]) -> None:
        """A list of names, into the question."""
        setattr(self.question, field, _native.c_names(list(names)))
        setattr(self.question, "n_" + field, len(names))

    def take_paths(self, paths: list[str]) -> None:
        """The log is in files."""
        self.question.paths = (ctypes.c_char_p * len(paths))(*map(os.fsencode, paths))
        self.question.n_paths = len(paths)

    def take_columns(self, columns: dict[str, Array], rows: int) -> None:
        """The log is a table."""
        native, self._kept = native_table(columns, rows)
        self.question.table = ctypes.pointer(native)

    def check_names(self, table: Table, **more: Sequence[str]) -> None:
        """The columns that the caller names must be there."""
        for role, column in self.roles.items():
            table.check(role, column)
        for what, names in {"context": self.contexts, "features": self.features, **more}.items():
            for name in names:
                table.check(what, name)

"""The C library through ctypes: its functions, its structures, and its errors as exceptions.

Functions that may take long are called through `long`, which lets go of the interpreter; short ones through `short`,
which does not, since letting go costs more than they do.
"""
from __future__ import annotations

import ctypes
import os
from ctypes import (
    POINTER,
    c_bool,
    c_char_p,
    c_double,
    c_int,
    c_int64,
    c_size_t,
    c_uint,
    c_uint64,
    c_void_p,
)
from typing import Any, Optional

_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_roster.so")
long = ctypes.CDLL(_PATH)
short = ctypes.PyDLL(_PATH)

OK, ENOMEM, EINVAL, EDAMAGED = range(4)
BUSY = -1
MOST = 2**63 - 1


class Error(Exception):
    """An error of the library or the service, with its message."""


class InvalidError(Error, ValueError):
    """A value is wrong; the message names it and what was expected."""


class ColumnError(InvalidError, KeyError):
    """A log has no column of that name."""

    __str__ = Exception.__str__


class DamagedError(Error):
    """A snapshot is cut short, altered, or of another agent, problem or version."""


class NoMemoryError(Error, MemoryError):
    """Out of memory."""


class _Failure(ctypes.Structure):
    _fields_ = [("code", c_int), ("msg", ctypes.c_char * 480)]


class Rng(ctypes.Structure):
    """roster_rng."""

    _fields_ = [("key", c_uint64 * 2), ("block", c_uint64), ("run", c_uint64), ("word", c_uint64 * 4), ("left", c_uint)]


class Setting(ctypes.Structure):
    """roster_setting."""

    _fields_ = [("name", c_char_p), ("number", c_double), ("word", c_char_p)]


class Param(ctypes.Structure):
    """roster_param."""

    _fields_ = [("name", c_char_p), ("help", c_char_p), ("preset", c_double), ("preset_word", c_char_p),
                ("low", c_double), ("high", c_double), ("low_open", c_bool), ("high_open", c_bool),
                ("words", POINTER(c_char_p))]


class AgentInfo(ctypes.Structure):
    """roster_agent_info."""

    _fields_ = [("name", c_char_p), ("source", c_char_p), ("summary", c_char_p), ("params", POINTER(POINTER(Param))),
                ("empirical", c_bool), ("additive", c_bool)]


class Softmax(ctypes.Structure):
    """roster_softmax."""

    _fields_ = [("experts", c_size_t), ("actions", c_size_t), ("features", c_size_t), ("weights", c_void_p),
                ("bias", c_void_p), ("floor", c_double), ("sample", c_void_p), ("samples", c_size_t),
                ("names", POINTER(c_char_p))]


class ErrorBounds(ctypes.Structure):
    """roster_error_bounds."""

    _fields_ = [("xi", c_double), ("p_V", c_double), ("p_X", c_double)]


CONSTANTS = ("C", "M", "gamma", "p_V", "clip")


class Constants(ctypes.Structure):
    """roster_constants."""

    _fields_ = [(name, c_double) for name in CONSTANTS]


class Rounds(ctypes.Structure):
    """roster_python_rounds."""

    _fields_ = [("n", c_size_t), ("expert", c_void_p), ("context", c_void_p), ("action", c_void_p),
                ("reward", c_void_p), ("propensity", c_void_p), ("rows", c_void_p), ("width", c_size_t)]


class Watching(ctypes.Structure):
    """roster_python_watching."""

    _fields_ = [("level", c_double), ("own", c_bool), ("alarm", c_bool)]


class Interval(ctypes.Structure):
    """roster_interval."""

    _fields_ = [("value", c_double), ("low", c_double), ("high", c_double)]


class Finding(ctypes.Structure):
    """roster_finding."""

    _fields_ = [("value", Interval), ("behind", c_double), ("worse", c_double), ("excluded", c_bool)]


class Judgement(ctypes.Structure):
    """roster_python_judgement."""

    _fields_ = [("rounds", c_uint64), ("leader", c_uint64), ("known", c_bool), ("own", c_bool), ("level", c_double),
                ("until", Interval)]


class AlarmStruct(ctypes.Structure):
    """roster_alarm."""

    _fields_ = [("kind", c_uint), ("round", c_uint64), ("since", c_uint64), ("context", c_size_t), ("action", c_size_t),
                ("expert", c_size_t), ("before", c_double), ("after", c_double), ("rounds_before", c_double),
                ("rounds_after", c_double), ("evidence", c_double)]


class LogArray(ctypes.Structure):
    """log_array."""

    _fields_ = [("name", c_char_p), ("numbers", c_void_p), ("wholes", c_void_p), ("codes", c_void_p),
                ("texts", c_char_p), ("starts", c_void_p)]


class LogTable(ctypes.Structure):
    """log_table."""

    _fields_ = [("columns", POINTER(LogArray)), ("n_columns", c_size_t), ("rows", c_uint64)]


class Question(ctypes.Structure):
    """roster_python_question."""

    _fields_ = [("paths", POINTER(c_char_p)), ("n_paths", c_size_t), ("table", POINTER(LogTable)),
                ("roles", POINTER(c_char_p)), ("columns", POINTER(c_char_p)), ("n_roles", c_size_t),
                ("contexts", POINTER(c_char_p)), ("features", POINTER(c_char_p)), ("n_contexts", c_size_t),
                ("n_features", c_size_t), ("format", c_char_p), ("roster", c_char_p), ("experts", c_void_p),
                ("context_names", POINTER(c_char_p)), ("action_names", POINTER(c_char_p)), ("actions", c_char_p),
                ("labels", POINTER(c_char_p)), ("n_labels", c_size_t), ("policies", POINTER(c_char_p)),
                ("n_policies", c_size_t), ("estimator", c_char_p), ("interval", c_char_p), ("numbers", c_double * 4),
                ("low", c_double), ("high", c_double), ("whole_means", c_bool), ("skip_bad", c_bool)]


class Changes(ctypes.Structure):
    """roster_python_changes."""

    _fields_ = [("runs", c_uint64), ("rounds", c_uint64), ("seed", POINTER(c_uint64)), ("agents", c_char_p)]


class Step(ctypes.Structure):
    """roster_python_step."""

    _fields_ = [("episode", c_uint64), ("t", c_uint64), ("expert", c_uint64), ("context", c_uint64),
                ("action", c_uint64), ("reward", c_double), ("propensity", c_double), ("regret", c_double)]


class ResultsStruct(ctypes.Structure):
    """roster_results."""

    _fields_ = [("agents", c_size_t), ("episodes", c_size_t), ("experts", c_size_t), ("points", c_size_t),
                ("runs", c_uint64), ("point_episode", c_void_p), ("point_round", c_void_p), ("curve", c_void_p),
                ("total", c_void_p), ("paired", c_void_p), ("episode", c_void_p), ("plays", c_void_p),
                ("rounds", c_void_p), ("best_rounds", c_void_p), ("nanoseconds", c_void_p)]


_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "roster_version": (c_char_p, []),
    "roster_rng_init": (None, [POINTER(Rng), c_uint64, c_uint64, c_uint64]),
    "roster_experts_tables": (c_int, [POINTER(c_void_p), c_size_t, c_size_t, c_size_t, c_void_p, POINTER(c_char_p),
                                      c_void_p]),
    "roster_experts_external": (c_int, [POINTER(c_void_p), c_size_t, c_size_t, c_size_t, c_void_p, POINTER(c_char_p),
                                        c_void_p]),
    "roster_experts_softmax": (c_int, [POINTER(c_void_p), POINTER(Softmax), c_void_p]),
    "roster_experts_free": (None, [c_void_p]),
    "roster_experts_count": (c_size_t, [c_void_p]),
    "roster_experts_contexts": (c_size_t, [c_void_p]),
    "roster_experts_actions": (c_size_t, [c_void_p]),
    "roster_experts_name": (c_char_p, [c_void_p, c_size_t]),
    "roster_experts_floor": (c_double, [c_void_p]),
    "roster_estimates_create": (c_int, [POINTER(c_void_p), c_size_t, c_size_t, c_size_t, POINTER(c_char_p), c_void_p]),
    "roster_estimates_free": (None, [c_void_p]),
    "roster_estimates_draw": (c_int, [c_void_p, c_void_p, c_void_p, c_uint64, POINTER(Rng), c_void_p]),
    "roster_estimates_min_samples": (c_uint64, [c_void_p]),
    "roster_estimates_xi_exact": (c_double, [c_void_p, c_double]),
    "roster_estimates_experts": (c_int, [c_void_p, POINTER(c_void_p), c_void_p]),
    "roster_agent_info_at": (POINTER(AgentInfo), [c_size_t]),
    "roster_experts_kind": (c_int, [c_void_p]),
    "roster_experts_features": (c_size_t, [c_void_p]),
    "roster_agent_stand_in": (POINTER(AgentInfo), [c_char_p, c_void_p]),
    "roster_theory_w": (c_double, [c_double]),
    "roster_theory_C": (c_double, [c_double, c_double]),
    "roster_theory_C_empirical": (c_double, [c_double, c_double, c_double]),
    "roster_theory_xi": (c_double, [c_double, c_double, c_bool]),
    "roster_theory_samples_per_context": (c_double, [c_size_t, c_double, c_double]),
    "roster_theory_samples_per_expert": (c_double, [c_double, c_double, c_size_t, c_size_t, c_double, c_double]),
    "roster_theory_tau_1": (c_double, [POINTER(Constants)]),
    "roster_theory_tau": (c_double, [POINTER(Constants), c_double]),
    "roster_theory_T_clip": (c_double, [POINTER(Constants)]),
    "roster_theory_tau_1_empirical": (c_double, [POINTER(Constants)]),
    "roster_theory_tau_empirical": (c_double, [POINTER(Constants), c_double]),
    "roster_theory_play_probability": (c_double, [c_double]),
    "roster_theory_regret": (c_int, [POINTER(Constants), c_void_p, c_size_t, POINTER(c_double), c_void_p]),
    "roster_theory_regret_empirical": (c_int, [POINTER(Constants), c_void_p, c_size_t, POINTER(c_double), c_void_p]),
    "roster_theory_regret_lite": (c_int, [POINTER(Constants), c_void_p, c_size_t, c_double, c_double,
                                          POINTER(c_double), c_void_p]),
    "roster_theory_regret_episodes": (c_double, [c_double, c_double, c_double, c_double, c_size_t]),
    "roster_theory_regret_order": (c_double, [c_double, c_size_t, c_double]),
    "roster_python_error": (POINTER(_Failure), []),
    "roster_python_free": (None, [c_void_p]),
    "roster_python_agent_create": (c_void_p, [c_char_p, c_void_p, c_void_p, c_void_p, POINTER(Setting), c_uint64,
                                              c_uint64, POINTER(Watching)]),
    "roster_python_agent_free": (None, [c_void_p]),
    "roster_python_choose_now": (c_int64, [c_void_p]),
    "roster_python_choose": (c_int64, [c_void_p]),
    "roster_python_learn_now": (c_int, [c_void_p, c_char_p]),
    "roster_python_learn": (c_int, [c_void_p, c_char_p]),
    "roster_python_learn_batch": (c_int, [c_void_p, POINTER(Rounds), POINTER(c_uint64)]),
    "roster_python_learn_tally": (c_int, [c_void_p, c_void_p, c_size_t, c_double]),
    "roster_python_index": (None, [c_void_p, c_void_p]),
    "roster_python_insight": (None, [c_void_p, c_void_p]),
    "roster_python_rounds_learnt": (c_uint64, [c_void_p]),
    "roster_python_setting": (c_double, [c_void_p, c_char_p]),
    "roster_python_constants": (c_int, [c_void_p, POINTER(Constants)]),
    "roster_python_reserve": (c_int, [c_void_p, c_size_t]),
    "roster_python_reset": (c_int, [c_void_p, c_uint64]),
    "roster_python_save": (c_size_t, [c_void_p, c_void_p, c_size_t]),
    "roster_python_load": (c_int, [c_void_p, c_char_p, c_size_t]),
    "roster_python_merge": (c_int, [c_void_p, c_void_p]),
    "roster_python_evidence": (c_int, [c_void_p, POINTER(Finding), POINTER(Judgement)]),
    "roster_python_sentence": (c_int, [c_void_p, c_size_t, c_void_p, c_size_t]),
    "roster_python_alarms": (c_int64, [c_void_p, POINTER(AlarmStruct), c_size_t]),
    "roster_python_table": (None, [c_void_p, c_void_p]),
    "roster_python_distributions": (None, [c_void_p, c_size_t, c_void_p, c_void_p]),
    "roster_python_divergence": (None, [c_void_p, c_void_p, c_bool, c_void_p]),
    "roster_python_divergence_lower": (None, [c_void_p, POINTER(ErrorBounds), c_void_p]),
    "roster_python_estimates_add": (c_int, [c_void_p, c_int64 * 3, c_size_t, c_void_p, c_void_p, c_void_p, c_void_p]),
    "roster_python_estimates_counts": (None, [c_void_p, c_int64 * 3, c_void_p]),
    "roster_python_moments": (None, [c_void_p, c_size_t, c_uint64, c_void_p, c_void_p]),
    "roster_python_t95": (c_double, [c_uint64]),
    "roster_python_study_create": (c_void_p, [c_char_p, c_char_p, POINTER(Changes)]),
    "roster_python_study_free": (None, [c_void_p]),
    "roster_python_study_run": (c_int, [c_void_p, c_size_t]),
    "roster_python_study_rounds": (c_uint64, [c_void_p]),
    "roster_python_study_stop": (None, [c_void_p]),
    "roster_python_study_results": (POINTER(ResultsStruct), [c_void_p, c_size_t]),
    "roster_python_study_experts": (c_void_p, [c_void_p, c_size_t]),
    "roster_python_study_trace": (c_int, [c_void_p, c_size_t, c_size_t, c_uint64, c_size_t, c_void_p,
                                          POINTER(c_size_t)]),
    "roster_python_study_describe": (c_void_p, [c_void_p]),
    "roster_python_study_explain": (c_void_p, [c_void_p, c_size_t, c_uint64, c_size_t]),
    "roster_python_study_text": (c_void_p, [c_void_p, c_int, c_char_p]),
    "roster_python_log_columns": (c_int, [POINTER(Question), c_void_p]),
    "roster_python_evaluate": (c_int, [POINTER(Question), c_void_p * 4]),
    "roster_python_tally": (c_void_p, [POINTER(Question)]),
    "roster_python_environment_create": (c_void_p, [c_void_p, c_size_t]),
    "roster_python_environment_free": (None, [c_void_p]),
    "roster_python_environment_start": (c_uint64, [c_void_p, c_uint64, c_uint64, c_size_t]),
    "roster_python_environment_step": (c_int, [c_void_p, c_double, POINTER(Step)]),
}

for _name, (_result, _arguments) in _SIGNATURES.items():
    for _library in (long, short):
        _function = getattr(_library, _name)
        _function.restype, _function.argtypes = _result, _arguments

version: str = short.roster_version().decode()


class Handle(c_void_p):
    """A pointer to something of the library's, freed when neither Python nor a borrower needs it.

    The collector ends the objects of a cycle in any order, so that references alone do not keep the lender alive for
    long enough: what still has borrowers is freed by the last of them. Sets and lists change atomically,
    whatever the number of threads.
    """

    def __init__(self, address: Optional[int], free: Any, keep: Optional[Handle] = None):
        super().__init__(address)
        self._free, self._keep = free, keep
        self._borrowers: set[int] = set()
        self._left: list[bool] = []
        self._alive = [True]
        if keep is not None:
            keep._borrowers.add(id(self))

    def __del__(self) -> None:
        if hasattr(self, "_alive"):
            self._left.append(True)
            self._release()

    def _release(self) -> None:
        if not self._left or self._borrowers:
            return
        try:
            self._alive.pop()
        except IndexError:
            return
        if self._free is not None:
            self._free(self)
        if self._keep is not None:
            self._keep._borrowers.discard(id(self))
            self._keep._release()


def last_error() -> Error:
    """The exception for the calling thread's last failure."""
    failure = short.roster_python_error().contents
    kinds = {ENOMEM: NoMemoryError, EINVAL: InvalidError, EDAMAGED: DamagedError}
    return kinds.get(failure.code, Error)(failure.msg.decode("utf-8", "replace"))


def check(code: int) -> None:
    """Raise what a code stands for."""
    if code != OK:
        raise last_error()


def failure() -> Any:
    """Where a function of roster.h is to put its sentence, for `check` to find."""
    return short.roster_python_error()


def own(address: Optional[int], free: Any, keep: Any = None) -> Handle:
    """The handle of what was created; raises where nothing was."""
    if not address:
        raise last_error()
    return Handle(address, free, keep)


def borrowed(address: Optional[int], keep: Handle) -> Handle:
    """The handle of what belongs to something else."""
    if not address:
        raise InvalidError("the object does not exist")
    return Handle(address, None, keep)


def take_text(address: Optional[int]) -> str:
    """A text that the library allocated."""
    if not address:
        raise last_error()
    try:
        return ctypes.string_at(address).decode("utf-8", "replace")
    finally:
        short.roster_python_free(address)


def count(what: str, value: Any, least: int = 0, most: int = MOST) -> int:
    """A whole number within bounds."""
    try:
        number = value.__index__()
    except AttributeError:
        raise TypeError(f"{what} is {value!r}, must be a whole number") from None
    if not least <= number <= most:
        raise InvalidError(f"{what} is {number}, must be from {least} to {most}")
    return number


def number(what: str, value: Any) -> float:
    """A real number."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what} is {value!r}, must be a number") from None
    except OverflowError:
        raise InvalidError(f"{what} is too large for a number") from None


def text(what: str, value: Any) -> bytes:
    """A text as C has it."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is {value!r}, must be a text")
    data = value.encode("utf-8", "surrogatepass")
    if b"\0" in data:
        raise InvalidError(f"{what} has a NUL in it")
    return data


def c_names(names: Optional[list[str]]) -> Any:
    """An array of C strings, or None."""
    if names is None:
        return None
    return (c_char_p * len(names))(*[text("a name", name) for name in names])

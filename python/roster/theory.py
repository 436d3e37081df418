"""The paper's sample sizes, times and bounds as functions; what does not exist is infinite.

>>> round(C(M=2.0, gamma=0.1), 1)
320.0
>>> round(xi(p_V=0.1, gamma=0.2), 6) > 0
True
"""
from __future__ import annotations

import ctypes
from typing import Any, Mapping

from . import _native
from ._arrays import at, reals
from ._native import InvalidError, count, number, short


def _constants(given: Mapping[str, float]) -> Any:
    known = _native.CONSTANTS
    unknown = set(given) - set(known)
    if unknown:
        raise InvalidError(f"there is no constant {sorted(unknown)[0]!r}; there are {', '.join(known)}")
    nan = float("nan")
    return ctypes.byref(_native.Constants(*[number(name, given.get(name, nan)) for name in known]))


def w(x: float) -> float:
    """The y with y / ln(2/y) = x."""
    return short.roster_theory_w(number("x", x))


def C(M: float, gamma: float) -> float:
    """C of the theorems for D-UCB: 16 M / gamma."""
    return short.roster_theory_C(number("M", M), number("gamma", gamma))


def C_empirical(M: float, gamma: float, p_V: float) -> float:
    """C of the theorems for ED-UCB: 32 M / (gamma (1 - p_V))."""
    return short.roster_theory_C_empirical(number("M", M), number("gamma", gamma), number("p_V", p_V))


def xi(p_V: float, gamma: float, tight: bool = False) -> float:
    """The error estimates may have: as printed in the paper, or (tight) as its proof needs."""
    return short.roster_theory_xi(number("p_V", p_V), number("gamma", gamma), bool(tight))


def samples_per_context(V: int, T: float, xi: float) -> float:
    """n: samples per expert and context for an error of xi; V actions, horizon T."""
    return short.roster_theory_samples_per_context(count("V", V), number("T", T), number("xi", xi))


def samples_per_expert(n: float, p_X: float, X: int, N: int, T: float, E: float) -> float:
    """A: samples per expert (Lemma 3)."""
    return short.roster_theory_samples_per_expert(number("n", n), number("p_X", p_X), count("X", X), count("N", N),
                                                  number("T", T), number("E", E))


def tau_1(empirical: bool = False, **constants: float) -> float:
    """First round from which the width is below gamma. constants: C, M, gamma, p_V, clip, as `Agent.constants`
    gives."""
    function = short.roster_theory_tau_1_empirical if empirical else short.roster_theory_tau_1
    return function(_constants(constants))


def tau(gap: float, empirical: bool = False, **constants: float) -> float:
    """First round from which an expert with this gap is told apart."""
    function = short.roster_theory_tau_empirical if empirical else short.roster_theory_tau
    return function(_constants(constants), number("gap", gap))


def T_clip(**constants: float) -> float:
    """First round from which no sample is clipped, whatever was played."""
    return short.roster_theory_T_clip(_constants(constants))


def play_probability(t: float) -> float:
    """Probability that a given suboptimal expert is played in round t >= tau_k."""
    return short.roster_theory_play_probability(number("t", t))


def regret(gaps: Any, empirical: bool = False, **constants: float) -> float:
    """Theorem 2 (D-UCB) or 3 (ED-UCB): bound on the regret; gaps of all experts in any order."""
    values, bound = reals("gaps", gaps, (None,)), ctypes.c_double()
    function = short.roster_theory_regret_empirical if empirical else short.roster_theory_regret
    _native.check(function(_constants(constants), at(values), len(values), ctypes.byref(bound), _native.failure()))
    return bound.value


def regret_lite(gaps: Any, beta: float, T: float, **constants: float) -> float:
    """D-UCB-lite: bound on the regret after T rounds."""
    values, bound = reals("gaps", gaps, (None,)), ctypes.c_double()
    _native.check(short.roster_theory_regret_lite(_constants(constants), at(values), len(values), number("beta", beta),
                                                  number("T", T), ctypes.byref(bound), _native.failure()))
    return bound.value


def regret_episodes(E: float, T: float, total: float, A: float = 0.0, N: int = 1) -> float:
    """Theorem 4: E episodes of T rounds whose Theorem 3 bounds add up to `total`; A samples of each of N drawn
    online."""
    return short.roster_theory_regret_episodes(number("E", E), number("T", T), number("total", total), number("A", A),
                                               count("N", N))


def regret_order(M: float, N: int, gap: float) -> float:
    """Many experts, up to a constant factor: M^4 ln(N) ln^2(1/gap) / gap."""
    return short.roster_theory_regret_order(number("M", M), count("N", N), number("gap", gap))

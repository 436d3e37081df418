"""Arrays as the library takes them: checked, contiguous, of 64 bits."""
from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np

from ._native import InvalidError


def unmasked(value: Any) -> np.ndarray:
    """An array. What a mask hides is missing: NaN among numbers with a point, NaT among times, else None."""
    found = np.asarray(value)
    kind = found.dtype.kind
    if not isinstance(value, np.ma.MaskedArray) or kind == "V" or not np.ma.is_masked(value):
        return found
    found = found.copy() if kind in "fmM" else found.astype(object)
    found[np.ma.getmaskarray(value)] = np.nan if kind == "f" else "NaT" if kind in "mM" else None
    return found


def array(what: str, value: Any) -> np.ndarray:
    """The same of what may be no array."""
    try:
        return unmasked(value)
    except ValueError as error:
        raise InvalidError(f"{what} is not an array: {error}") from None


def reals(what: str, value: Any, shape: Sequence[Optional[int]]) -> np.ndarray:
    """An array of real numbers of that shape; None in it stands for any length."""
    found = array(what, value)
    if found.dtype.kind == "O":
        found = _from_objects(what, found)
    if found.dtype.kind not in "fiub":
        raise TypeError(f"{what} has dtype {found.dtype}, must be real numbers")
    return np.ascontiguousarray(_shaped(what, found, shape), dtype=np.float64)


def _from_objects(what: str, found: np.ndarray) -> np.ndarray:
    try:
        return found.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{what} must hold numbers, in lists of equal length") from None


def _shaped(what: str, found: np.ndarray, shape: Sequence[Optional[int]]) -> np.ndarray:
    fits = found.ndim == len(shape) and all(want is None or have == want for have, want in zip(found.shape, shape))
    if not fits:
        wanted = ", ".join("any" if n is None else str(n) for n in shape)
        raise InvalidError(f"{what} has shape {found.shape}, must be ({wanted})")
    return found


def wholes(what: str, value: Any, n: Optional[int] = None) -> np.ndarray:
    """A list of whole numbers."""
    found = array(what, value)
    if found.dtype.kind == "O" and isinstance(value, np.ma.MaskedArray):
        raise InvalidError(f"{what} is missing in entry {int(np.argmax(np.ma.getmaskarray(value)))}")
    if found.size == 0 and found.ndim == 1:
        found = found.astype(np.int64)
    if found.dtype.kind not in "iub":
        raise TypeError(f"{what} has dtype {found.dtype}, must be whole numbers")
    if found.dtype == np.uint64 and found.size and found.max() > np.iinfo(np.int64).max:
        raise InvalidError(f"{what} holds {found.max()}, which is too large")
    return np.ascontiguousarray(_shaped(what, found, (n,)), dtype=np.int64)


def distribution(what: str, value: Any, n: int) -> np.ndarray:
    """n probabilities that sum to 1."""
    p = reals(what, value, (n,))
    if not (np.all(p >= 0) and abs(p.sum() - 1) <= 1e-9):
        raise InvalidError(f"{what} must be {n} probabilities that sum to 1; they sum to {p.sum():.9g}")
    return p


def at(array: Optional[np.ndarray]) -> Optional[int]:
    """The address of an array's first number; the array must be kept while it is used."""
    return None if array is None else array.ctypes.data

"""Find the profile-likelihood bounds of Firth's fit by bisection.

firthmodels searches for both bounds with Newton's method, which occasionally converges to the same
bound twice. Bisection is slower but cannot do that: it starts at the estimate and goes one way. Its
likelihood-ratio test of a shifted coefficient is no way out: it is Newton's method again, and gave
no bound or a wrong one in 7 of 21 such cases.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sessions.statistics.intervals import CONFIDENCE

FARTHEST = 60.0
"""The log odds beyond which a bound counts as infinite."""


def profile_bound(
    design: NDArray[np.float64], success: NDArray[np.int_], place: int, *, start: float, step: float
) -> float:
    """Find where the profile of one coefficient falls to its bound, from ``start`` by ``step``.

    ``design`` has one row per session and one column per coefficient, intercept included. ``start``
    is the fitted coefficient; the sign of ``step`` selects the bound. Infinite if the profile never
    falls that far.
    """
    from scipy.optimize import brentq
    from scipy.stats import chi2

    profile = _Profile(design, success, place)
    target = profile.height(start) - float(chi2.ppf(CONFIDENCE, 1)) / 2

    def above(value: float) -> float:
        return profile.height(value) - target

    inside, outside = start, start + step
    while above(outside) > 0:
        if abs(outside) > FARTHEST:
            return math.copysign(math.inf, step)
        inside, outside, step = outside, outside + 2 * step, 2 * step
    return float(brentq(above, inside, outside, xtol=1e-6))


class _Profile:
    """The highest penalised log likelihood with one coefficient fixed."""

    def __init__(self, design: NDArray[np.float64], success: NDArray[np.int_], place: int) -> None:
        self._design, self._success, self._place = design, success, place
        self._free = [each for each in range(design.shape[1]) if each != place]
        self._best = np.zeros(len(self._free))
        """The other coefficients at the last height, where the search for the next one starts."""

        self._known: dict[float, float] = {}

    def height(self, value: float) -> float:
        """The height with the coefficient fixed at a value; always the same for the same value."""
        if value not in self._known:
            starts = {tuple(self._best), (0.0,) * len(self._free)}
            found = min((self._search(start, value) for start in sorted(starts)), key=_depth_of)
            self._best = found.x
            self._known[value] = -float(found.fun)
        return self._known[value]

    def _search(self, start: tuple[float, ...], value: float) -> Any:
        from scipy.optimize import minimize

        return minimize(self._depth, start, args=(value,), method="Nelder-Mead", options=_FINE)

    def _depth(self, free: NDArray[np.float64], value: float) -> float:
        at = np.full(self._design.shape[1], value)
        at[self._free] = free
        return -_penalised_likelihood(self._design, self._success, at)


def _depth_of(found: Any) -> float:
    return float(found.fun)


_FINE = {"xatol": 1e-6, "fatol": 1e-9, "maxiter": 5_000, "maxfev": 5_000}

_NOWHERE = -1e9
"""Replaces minus infinity if every chance has reached 0 or 1, because the search subtracts heights.
"""


def _penalised_likelihood(
    design: NDArray[np.float64], success: NDArray[np.int_], at: NDArray[np.float64]
) -> float:
    """The log likelihood plus half the log determinant of the information (Firth 1993)."""
    linear = design @ at
    likelihood = np.sum(success * linear - np.logaddexp(0, linear))
    # exp(-|x|) / (1 + exp(-|x|))² equals p (1 - p), but without overflow.
    small = np.exp(-np.abs(linear))
    information = design.T @ (design * (small / (1 + small) ** 2)[:, None])
    sign, logarithm = np.linalg.slogdet(information)
    return float(likelihood + logarithm / 2) if sign > 0 else _NOWHERE

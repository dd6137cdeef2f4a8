"""Measure how far people agree on the same cards: percent, Cohen's κ, Krippendorff's α.

Both κ and α compare the agreement with what chance would give. κ is for two deciders, each with
their own distribution over the categories (Cohen 1960). α is for any number of deciders, any of
whom may have skipped cards, and pools all decisions (Krippendorff 2018, nominal data). Cards of one
session resemble each other, so the bootstrap resamples whole sessions.

Both are written as functions of arrays of tables, 10,000 draws at once, which no library offers:
scikit-learn takes 0.7 ms for the κ of one table, so 7 s for the interval of one pair. Tests compare
them with scikit-learn's κ and krippendorff's α.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from sessions.statistics.intervals import (
    DRAWS,
    SEED,
    Array,
    Estimate,
    Interval,
    statistic_over_sessions,
    wilson,
)
from sessions.views.reviewing import CUSTOMER

Card = Mapping[str, str]
"""The decisions on one card, by decider."""

Sessions = Sequence[Sequence[Card]]
"""The cards of each session."""


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """The agreement of two deciders on the cards that both decided."""

    one: str
    other: str
    percent: Estimate
    """The share of cards on which they decided the same, 0 to 1; `tasks` counts sessions."""

    kappa: Estimate
    """Cohen's κ: 1 is perfect agreement, 0 is agreement by chance."""

    why: str = ""
    """Why κ is undefined, as a sentence; empty if it is defined."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of all deciders in these categories."""

    categories: tuple[str, ...]
    pairs: tuple[PairAgreement, ...]
    """One entry for each two deciders who have a card in common."""

    alpha: Estimate
    """Krippendorff's α over every card that two or more decided; `tasks` counts sessions."""

    why: str = ""
    """Why α is undefined, as a sentence; empty if it is defined."""


def agreement(
    sessions: Sessions, categories: Sequence[str], *, seed: int = SEED, draws: int = DRAWS
) -> Agreement:
    """Compute the agreement of all deciders; every decision must be one of the categories."""
    alpha, why = _alpha(sessions, categories, seed, draws)
    deciders = in_order({each for cards in sessions for card in cards for each in card})
    pairs = (
        _pair(sessions, one, other, categories, seed, draws)
        for one, other in combinations(deciders, 2)
    )
    return Agreement(tuple(categories), tuple(each for each in pairs if each), alpha, why)


def in_order(deciders: Iterable[str]) -> list[str]:
    """The deciders in order: the customer first, then the others by name."""
    return sorted(deciders, key=lambda each: (each != CUSTOMER, each))


def kappa_of(tables: Array) -> Array:
    """Cohen's κ of tables of counts, (k, k, tables): one's choices down, the other's across.

    NaN if a table is empty, or if both deciders always made the same single choice.
    """
    n = tables.sum(axis=(0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = np.trace(tables) / n
        expected = (tables.sum(axis=0) * tables.sum(axis=1)).sum(axis=0) / n**2
        return np.where(1 - expected > _NOTHING, (observed - expected) / (1 - expected), np.nan)


def alpha_of(coincidences: Array) -> Array:
    """Krippendorff's α of coincidence matrices, (k, k, matrices), for unordered categories.

    NaN if there is no pair of decisions, or if all decisions are the same.
    """
    totals = coincidences.sum(axis=0)
    n = totals.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = n - np.trace(coincidences)
        expected = (n**2 - (totals**2).sum(axis=0)) / (n - 1)
        return np.where(expected > _NOTHING, 1 - observed / expected, np.nan)


_NOTHING = 1e-9
"""The rounding error up to which a difference counts as zero."""


def _pair(
    sessions: Sessions, one: str, other: str, categories: Sequence[str], seed: int, draws: int
) -> PairAgreement | None:
    """The agreement of two deciders; None if they have no card in common."""
    common = [[card for card in cards if one in card and other in card] for cards in sessions]
    held = [cards for cards in common if cards]
    if not held:
        return None
    tables = np.stack([_table(cards, one, other, categories) for cards in held], axis=-1)
    percent = _with_wilson(_estimate(tables, _share_of, tables.sum(), seed, draws))
    kappa = _estimate(tables, kappa_of, tables.sum(), seed, draws)
    why = "" if kappa.value is not None else _only(tables.sum(axis=2), categories, "κ")
    return PairAgreement(one, other, percent, kappa, why)


def _alpha(
    sessions: Sessions, categories: Sequence[str], seed: int, draws: int
) -> tuple[Estimate, str]:
    """α with its interval, and the reason if it is undefined."""
    paired = [[card for card in cards if len(card) > 1] for cards in sessions]
    held = [cards for cards in paired if cards]
    if not held:
        return Estimate(None, None, 0, 0), "No card was decided by two people or more."
    matrices = np.stack([_coincidences(cards, categories) for cards in held], axis=-1)
    alpha = _estimate(matrices, alpha_of, sum(map(len, held)), seed, draws)
    why = "" if alpha.value is not None else _only(matrices.sum(axis=2), categories, "α")
    return alpha, why


def _table(cards: Sequence[Card], one: str, other: str, categories: Sequence[str]) -> Array:
    """How often one decider made each choice while the other made each choice, (k, k)."""
    found = np.zeros((len(categories), len(categories)))
    for card in cards:
        found[categories.index(card[one]), categories.index(card[other])] += 1
    return found


def _coincidences(cards: Sequence[Card], categories: Sequence[str]) -> Array:
    """The coincidence matrix of all pairs of decisions on the same card, (k, k).

    The pairs of a card together weigh as much as the number of people who decided it.
    """
    found = np.zeros((len(categories), len(categories)))
    for card in cards:
        counts = np.array([list(card.values()).count(each) for each in categories], dtype=float)
        found += (np.outer(counts, counts) - np.diag(counts)) / (len(card) - 1)
    return found


def _estimate(
    tables: Array, statistic: Callable[[Array], Array], cards: float, seed: int, draws: int
) -> Estimate:
    """Estimate a statistic from one table per session, (k, k, sessions)."""
    k, _, sessions = tables.shape

    def of_sums(sums: Array) -> Array:
        return statistic(sums.reshape(k, k, -1))

    value = float(statistic(tables.sum(axis=2, keepdims=True))[0])
    if not np.isfinite(value):
        return Estimate(None, None, round(cards), sessions)
    rows = tables.reshape(k * k, sessions)
    interval: Interval | None = statistic_over_sessions(rows, of_sums, seed=seed, draws=draws)
    return Estimate(value, interval, round(cards), sessions)


def _with_wilson(percent: Estimate) -> Estimate:
    """The percentage with Wilson's interval over sessions if it is 0 or 1 and has no other.

    If all sessions are alike, resampling them shows no spread.
    """
    if percent.interval is not None or percent.value not in (0.0, 1.0):
        return percent
    return replace(percent, interval=wilson(round(percent.value * percent.tasks), percent.tasks))


def _share_of(tables: Array) -> Array:
    return np.asarray(np.trace(tables) / tables.sum(axis=(0, 1)))


def _only(table: Array, categories: Sequence[str], measure: str) -> str:
    """Why there is nothing to compare with chance: everyone decided the same."""
    only = categories[int(np.argmax(np.diag(table)))]
    return f"Every decision is “{only}”: {measure} compares with chance and has no value here."

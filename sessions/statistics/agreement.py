"""How far people who decided the same cards agree: percent, Cohen's κ, Krippendorff's α.

Both κ and α compare the agreement with what chance would give. κ is for two deciders and lets each
have their own way with the categories (Cohen 1960); α is for any number, any of whom may have left
cards out, and takes all decisions for one lot (Krippendorff 2018, nominal data). Cards of one
session resemble each other, so that intervals draw whole sessions anew.

Both are written as functions of arrays of tables, 10,000 draws at once, which no library offers;
tests hold them to scikit-learn's κ and to krippendorff's α.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sessions.statistics.intervals import (
    DRAWS,
    SEED,
    Estimate,
    Interval,
    statistic_over_sessions,
    wilson,
)
from sessions.views.reviewing import CUSTOMER

Array = NDArray[np.float64]
Card = Mapping[str, str]
"""One card: who decided on it, and what."""

Sessions = Sequence[Sequence[Card]]
"""The cards of each session."""


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """How far two deciders agree on the cards that both decided."""

    one: str
    other: str
    percent: Estimate
    """The share of cards on which they decided the same, 0 to 1; `tasks` counts sessions."""

    kappa: Estimate
    """Cohen's κ: 1 is perfect agreement, 0 what chance gives."""

    why: str = ""
    """Why κ cannot be told, in a sentence; empty where it can."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far deciders agree, in terms of these categories."""

    categories: tuple[str, ...]
    pairs: tuple[PairAgreement, ...]
    """Of deciders who have a card in common."""

    alpha: Estimate
    """Krippendorff's α over every card that two or more decided; `tasks` counts sessions."""

    why: str = ""
    """Why α cannot be told, in a sentence; empty where it can."""


def agreement(
    sessions: Sessions, categories: Sequence[str], *, seed: int = SEED, draws: int = DRAWS
) -> Agreement:
    """How far all who decided agree; every decision has to be one of the categories."""
    alpha, why = _alpha(sessions, categories, seed, draws)
    deciders = in_order({each for cards in sessions for card in cards for each in card})
    pairs = (
        _pair(sessions, one, other, categories, seed, draws)
        for one, other in combinations(deciders, 2)
    )
    return Agreement(tuple(categories), tuple(each for each in pairs if each), alpha, why)


def in_order(deciders: Iterable[str]) -> list[str]:
    """Whoever decided first, then the others by name."""
    return sorted(deciders, key=lambda each: (each != CUSTOMER, each))


def kappa_of(tables: Array) -> Array:
    """Cohen's κ of tables of counts, (k, k, tables): one's decisions down, the other's across.

    NaN where there is no count, or where both always decided the same one thing.
    """
    n = tables.sum(axis=(0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = np.trace(tables) / n
        expected = (tables.sum(axis=0) * tables.sum(axis=1)).sum(axis=0) / n**2
        return np.where(1 - expected > _NOTHING, (observed - expected) / (1 - expected), np.nan)


def alpha_of(coincidences: Array) -> Array:
    """Krippendorff's α of coincidence matrices, (k, k, matrices), for categories without order.

    NaN where there is no pair of decisions, or where all are the same.
    """
    totals = coincidences.sum(axis=0)
    n = totals.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = n - np.trace(coincidences)
        expected = (n**2 - (totals**2).sum(axis=0)) / (n - 1)
        return np.where(expected > _NOTHING, 1 - observed / expected, np.nan)


_NOTHING = 1e-9
"""What rounding may leave of a difference that is none."""


def _pair(
    sessions: Sessions, one: str, other: str, categories: Sequence[str], seed: int, draws: int
) -> PairAgreement | None:
    """None where the two have no card in common."""
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
    """α with its interval, and why there is none."""
    paired = [[card for card in cards if len(card) > 1] for cards in sessions]
    held = [cards for cards in paired if cards]
    if not held:
        return Estimate(None, None, 0, 0), "No card was decided by two people or more."
    matrices = np.stack([_coincidences(cards, categories) for cards in held], axis=-1)
    alpha = _estimate(matrices, alpha_of, sum(map(len, held)), seed, draws)
    why = "" if alpha.value is not None else _only(matrices.sum(axis=2), categories, "α")
    return alpha, why


def _table(cards: Sequence[Card], one: str, other: str, categories: Sequence[str]) -> Array:
    """How often one decided this while the other decided that, (k, k)."""
    found = np.zeros((len(categories), len(categories)))
    for card in cards:
        found[categories.index(card[one]), categories.index(card[other])] += 1
    return found


def _coincidences(cards: Sequence[Card], categories: Sequence[str]) -> Array:
    """Every pair of two deciders' decisions on a card, a card's pairs together weighing as many as
    decided it, (k, k).
    """
    found = np.zeros((len(categories), len(categories)))
    for card in cards:
        counts = np.array([list(card.values()).count(each) for each in categories], dtype=float)
        found += (np.outer(counts, counts) - np.diag(counts)) / (len(card) - 1)
    return found


def _estimate(
    tables: Array, statistic: Callable[[Array], Array], cards: float, seed: int, draws: int
) -> Estimate:
    """A statistic of tables, one for each session, (k, k, sessions)."""
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
    """Where all sessions are alike, drawing them anew shows no spread: then Wilson's over them."""
    if percent.interval is not None or percent.value not in (0.0, 1.0):
        return percent
    return replace(percent, interval=wilson(round(percent.value * percent.tasks), percent.tasks))


def _share_of(tables: Array) -> Array:
    return np.asarray(np.trace(tables) / tables.sum(axis=(0, 1)))


def _only(table: Array, categories: Sequence[str], measure: str) -> str:
    """Why there is nothing to compare with chance: everybody decided the same."""
    only = categories[int(np.argmax(np.diag(table)))]
    return f"Every decision is “{only}”: {measure} compares with chance and has no value here."

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sessions.statistics.agreement import Agreement, Card, Sessions, agreement, kappa_of
from sessions.views.reviewing import CUSTOMER
from tests.effort import tries

pytestmark = pytest.mark.xdist_group("scipy")  # which is imported by one worker

CHOICES = ("approve", "reject", "change")
WHO = (CUSTOMER, "ann", "bo", "cy")

CARDS = st.lists(
    st.dictionaries(st.sampled_from(WHO), st.sampled_from(CHOICES), max_size=4), max_size=4
)
SESSIONS = st.lists(CARDS, max_size=6)


def told(sessions: Sessions, categories: Sequence[str] = CHOICES, draws: int = 200) -> Agreement:
    return agreement(sessions, categories, draws=draws)


def matrix(sessions: Sessions) -> list[list[float]]:
    """Deciders down, cards across, as the library wants them."""
    cards = [card for cards in sessions for card in cards]
    return [
        [CHOICES.index(card[who]) if who in card else math.nan for card in cards] for who in WHO
    ]


def pairs_of(sessions: Sessions, one: str, other: str) -> list[tuple[str, str]]:
    cards = (card for cards in sessions for card in cards)
    return [(card[one], card[other]) for card in cards if one in card and other in card]


def spelt(rows: str) -> list[Card]:
    """Deciders' decisions on the same cards, a line each; a point where there is none."""
    lines = rows.split("\n")
    return [
        {WHO[who]: mark for who, mark in enumerate(column) if mark != "."}
        for column in zip(*lines, strict=True)
    ]


def test_kappa_is_as_worked_out_in_a_textbook() -> None:
    # Two readers of 50 grants, 20 both yes, 15 both no: po 0.7, pe 0.5, κ 0.4.
    assert kappa_of(np.array([[[20], [5]], [[10], [15]]], dtype=float))[0] == pytest.approx(0.4)
    # Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions, table 18.1: κ 0.676.
    table = np.array([[75, 1, 4], [5, 4, 1], [0, 0, 10]], dtype=float)
    assert kappa_of(table[..., None])[0] == pytest.approx(0.676, abs=0.0005)


# The examples of his paper "Computing Krippendorff's Alpha-Reliability" (2011).
@pytest.mark.parametrize(
    ("decided", "alpha"),
    [
        ("0100000010\n1110010000", 0.095),
        ("aabbdcccedda\nbabbbccceddd", 0.692),
        ("123321412...\n1233224125.3\n.3332342251.\n12332441251.", 0.743),
    ],
    ids=["two observers, two values", "two observers, five values", "four observers, some missing"],
)
def test_alpha_is_as_krippendorff_works_it_out(decided: str, alpha: float) -> None:
    cards = spelt(decided)
    categories = sorted({made for card in cards for made in card.values()})
    assert told([cards], categories).alpha.value == pytest.approx(alpha, abs=0.0005)


@given(SESSIONS)
def test_alpha_and_kappa_are_what_the_libraries_make_of_the_same_decisions(
    sessions: list[list[Card]],
) -> None:
    from sklearn.metrics import cohen_kappa_score  # two seconds, for this one law

    found = told(sessions, draws=20)
    if found.alpha.value is not None:
        library = krippendorff.alpha(matrix(sessions), level_of_measurement="nominal")
        assert found.alpha.value == pytest.approx(library)
    else:
        assert found.why
    for pair in found.pairs:
        decided = pairs_of(sessions, pair.one, pair.other)
        assert pair.percent.value == pytest.approx(np.mean([one == two for one, two in decided]))
        assert pair.percent.n == len(decided)
        if pair.kappa.value is None:
            assert len({each for both in decided for each in both}) == 1
            assert "compares with chance" in pair.why
        else:
            assert pair.kappa.value == pytest.approx(cohen_kappa_score(*zip(*decided, strict=True)))


@given(SESSIONS)
def test_who_agrees_on_everything_agrees_perfectly(sessions: list[list[Card]]) -> None:
    alike = [
        [dict.fromkeys(card, min(card.values())) for card in cards if len(card) > 1]
        for cards in sessions
    ]
    found = told(alike, draws=20)
    assert found.alpha.value in (None, pytest.approx(1))
    for pair in found.pairs:
        assert pair.percent.value == 1
        assert pair.percent.interval is not None
        assert pair.percent.interval.low < 1 == pair.percent.interval.high
        assert pair.kappa.value in (None, pytest.approx(1))
        assert pair.kappa.interval is None


@given(SESSIONS, st.permutations(CHOICES))
def test_other_names_for_the_categories_change_nothing(
    sessions: list[list[Card]], others: list[str]
) -> None:
    named = dict(zip(CHOICES, others, strict=True))
    renamed = [
        [{who: named[made] for who, made in card.items()} for card in cards] for cards in sessions
    ]
    before, after = told(sessions), told(renamed)
    assert values(after) == pytest.approx(values(before))


@given(SESSIONS)
def test_it_does_not_matter_who_is_one_and_who_is_the_other(sessions: list[list[Card]]) -> None:
    swapped = {"ann": "bo", "bo": "ann"}
    other = [
        [{swapped.get(who, who): made for who, made in card.items()} for card in cards]
        for cards in sessions
    ]
    before, after = told(sessions), told(other)
    assert values(pair_of(after)) == pytest.approx(values(pair_of(before)))


def pair_of(found: Agreement) -> Agreement:
    """Only what it says of ann and bo."""
    pairs = tuple(each for each in found.pairs if (each.one, each.other) == ("ann", "bo"))
    return replace(found, pairs=pairs)


def values(found: Agreement) -> list[float]:
    """Every number there is; 9 for one that there is not."""
    told = [found.alpha, *(each for pair in found.pairs for each in (pair.percent, pair.kappa))]
    return [9.0 if each.value is None else each.value for each in told]


@settings(max_examples=tries(50))
@given(SESSIONS)
def test_no_number_is_ever_anything_but_a_number(sessions: list[list[Card]]) -> None:
    found = told(sessions)
    for each in (found.alpha, *(m for pair in found.pairs for m in (pair.percent, pair.kappa))):
        assert each.value is None or math.isfinite(each.value)
        assert each.value is not None or each.interval is None
        if each.interval is not None:
            assert math.isfinite(each.interval.low)
            assert each.interval.low <= each.interval.high


def test_sessions_and_not_cards_are_drawn_for_the_intervals() -> None:
    right, wrong = {"ann": "approve", "bo": "approve"}, {"ann": "reject", "bo": "approve"}
    also = {"ann": "reject", "bo": "reject"}
    one_by_one = [[right], [right], [wrong], [also]] * 10
    in_lots = [[right] * 10, [right] * 10, [wrong] * 10, [also] * 10]
    (fine,), (coarse,) = told(one_by_one).pairs, told(in_lots).pairs
    assert fine.kappa.value == coarse.kappa.value
    assert fine.kappa.interval is not None
    assert fine.kappa.interval.method == "bootstrap over sessions"
    assert (fine.percent.tasks, coarse.percent.tasks) == (40, 4)
    assert fine.percent.interval is not None
    assert coarse.percent.interval is not None
    narrow = fine.percent.interval.high - fine.percent.interval.low
    assert coarse.percent.interval.high - coarse.percent.interval.low > 1.5 * narrow


def test_one_session_has_no_interval_and_the_same_decisions_have_the_same_one() -> None:
    cards = [{"ann": "approve", "bo": "reject"}, {"ann": "approve", "bo": "approve"}]
    (pair,) = told([cards]).pairs
    assert pair.percent.interval is None
    assert pair.percent.value == 0.5
    several: Sessions = [cards, [{"ann": "reject", "bo": "reject"}], cards[:1]]
    assert told(several) == told(several)


def test_who_has_no_card_in_common_is_no_pair_and_a_card_of_one_counts_for_nothing() -> None:
    found = told([[{"ann": "approve"}, {"bo": "reject"}]])
    assert found.pairs == ()
    assert found.alpha.value is None
    assert found.why == "No card was decided by two people or more."


def test_whoever_decided_first_stands_first() -> None:
    everybody = {who: "approve" for who in WHO}
    assert [(each.one, each.other) for each in told([[everybody]]).pairs][:3] == [
        (CUSTOMER, "ann"), (CUSTOMER, "bo"), (CUSTOMER, "cy")
    ]  # fmt: skip


def test_of_many_sessions_with_a_card_each_the_interval_is_the_binomial_one() -> None:
    same, other = {"ann": "approve", "bo": "approve"}, {"ann": "approve", "bo": "reject"}
    (pair,) = told([[same]] * 320 + [[other]] * 80, draws=10_000).pairs
    assert pair.percent.interval is not None
    half = 1.96 * math.sqrt(0.8 * 0.2 / 400)
    assert pair.percent.interval.low == pytest.approx(0.8 - half, abs=0.004)
    assert pair.percent.interval.high == pytest.approx(0.8 + half, abs=0.004)

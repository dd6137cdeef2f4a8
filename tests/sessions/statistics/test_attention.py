from __future__ import annotations

import pytest

from console.reports.attention_lines import attention_lines
from sessions.events import AnyEvent
from sessions.statistics.attention import (
    NO_CHECKS,
    Attention,
    AttentionFacts,
    attention,
    attention_facts,
)
from sessions.statistics.card_facts import CardFacts
from sessions.statistics.facts import session_facts
from sessions.statistics.intervals import share
from sessions.statistics.report import report
from tests.sessions.scoring.checks import check_decided, check_shown
from tests.sessions.statistics.rows import row
from tests.sessions.toy import decided, log_of, shown, started


def facts(*events: AnyEvent) -> AttentionFacts:
    return attention_facts(log_of(started(), *events))


def cards(approved: int, rejected: int, *looks: int) -> CardFacts:
    return CardFacts(
        shown=approved + rejected, approved=approved, rejected=rejected, changed=0, withdrawn=0,
        automatic=0, asked=0, twice=0, looks=looks,
    )  # fmt: skip


def test_each_check_counts_once_by_what_became_of_it() -> None:
    words = ("reject", "change", "approve", "approve", "approve", "ask", "withdrawn")
    found = facts(
        *(
            event
            for number, word in enumerate(words)
            for event in (
                check_shown(f"{number}", f"c{number}"),
                check_decided(f"{number}", word, milliseconds=100 * number),
            )
        ),
        check_shown("waiting", "c9"),
    )
    assert (found.caught, found.missed, found.asked, found.withdrawn) == (2, 3, 1, 1)
    assert found.looks == (0, 100, 200, 300, 400, 500)
    assert found.shown_count == 7


def test_only_a_persons_look_is_timed() -> None:
    assert facts(check_shown("a"), check_decided("a", "reject", by="simulated")).looks == ()


def test_checks_are_no_cards_of_a_session() -> None:
    log = log_of(
        started(), check_shown("x"), check_decided("x", "approve"), shown("a"),
        decided("a", "approve"),
    )  # fmt: skip
    found = session_facts(log)
    assert (found.cards.shown, found.cards.approved, found.cards.looks) == (1, 1, (900,))
    assert found.attention == AttentionFacts(missed=1, looks=(700,))
    assert found.writes_without_yes == 0


def test_the_catch_rate_stands_beside_the_approval_rate_of_the_same_sessions() -> None:
    rows = [
        row(session="a", attention=AttentionFacts(caught=2, missed=1, looks=(900, 1_100, 5_000)),
            cards=cards(9, 1, 500, 700)),
        row(session="b", attention=AttentionFacts(caught=1, asked=1, looks=(1_300,)),
            cards=cards(8, 2, 900)),
        row(session="c", cards=cards(0, 10, 9_999)),
        row(session="d", fork=True, attention=AttentionFacts(missed=50)),
    ]  # fmt: skip
    found = report("all", rows).attention
    assert found is not None
    assert (found.caught.count, found.caught.n) == (3, 4)
    assert found.caught.interval is not None
    assert found.caught.interval.method == "wilson"
    assert (found.caught.interval.low, found.caught.interval.high) == pytest.approx(
        (0.3006, 0.9544), abs=1e-4
    )
    assert (found.true_approved.count, found.true_approved.n) == (17, 20)
    assert (found.look_ms, found.true_look_ms, found.looked) == (1_200, 700, 4)
    assert (found.shown, found.asked) == (5, 1)


def test_where_there_was_no_check_there_is_no_line() -> None:
    assert report("all", [row()]).attention is None
    assert attention([NO_CHECKS], [], share(0, 0)) is None
    assert list(attention_lines(None)) == []


def test_the_lines_say_what_was_caught_and_how_long_was_looked() -> None:
    found = attention(
        [AttentionFacts(caught=3, missed=1, withdrawn=1, looks=(1_000, 2_500))],
        [800],
        share(9, 10),
    )
    caught, look, undecided = attention_lines(found)
    assert caught == (
        "checks caught", "75.0 %", "30.1 to 95.4", "4",
        "deliberately wrong cards that were declined; of the other cards 90.0 % were approved",
    )  # fmt: skip
    assert look == (
        "look at checks", "1.8 s", "–", "2",
        "median time a person looked at them; at other cards 0.8 s",
    )  # fmt: skip
    assert undecided[:2] == ("checks undecided", "1")


def test_simulated_customers_have_a_catch_rate_and_no_look_time() -> None:
    found = attention([AttentionFacts(caught=1)], [], share(1, 1))
    assert isinstance(found, Attention)
    assert [line[0] for line in attention_lines(found)] == ["checks caught"]

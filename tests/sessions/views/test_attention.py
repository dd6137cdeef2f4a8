from __future__ import annotations

from functools import partial

import pytest

from sessions.events import AnyEvent, CustomerSaid, Safeguards, SafeguardsChanged
from sessions.statistics.attention import attention_facts
from sessions.views import AttentionCheck, CardOutcome, Note, SessionStatus, status, transcript
from sessions.views.attention import check_rows
from sessions.views.cards import decision_rows
from tests.sessions.scoring.checks import ALTERED, check_decided, check_shown
from tests.sessions.toy import decided, log_of, shown, started

said = partial(CustomerSaid, text="cancel it")


def standing(*events: AnyEvent) -> SessionStatus:
    return status(log_of(started(), *events))


def row(*events: AnyEvent) -> AttentionCheck:
    items = transcript(log_of(started(), *events))
    (found,) = [item for item in items if isinstance(item, AttentionCheck)]
    return found


@pytest.mark.parametrize(
    ("decision", "by", "said"),
    [
        ("reject", "person", "You saw it. Nothing was carried out; the check is over."),
        ("change", "person", "You saw it. Nothing was carried out; the check is over."),
        ("approve", "person", "You approved it. Nothing was carried out; the check is over."),
        ("ask", "person", "You asked about it. Nothing was carried out; the check is over."),
        (
            "reject",
            "simulated",
            "The simulated customer saw it. Nothing was carried out; the check is over.",
        ),
    ],
)
def test_the_person_is_told_what_was_swapped_and_what_became_of_it(
    decision: str, by: str, said: str
) -> None:
    found = row(check_shown("x"), check_decided("x", decision, by=by))
    assert found.text == f"That card was an attention check: it deliberately said {ALTERED}. {said}"


def test_a_check_that_was_left_is_told_as_any_card_until_nobody_can_take_it_up_any_more() -> None:
    left = (said(turn=1), check_shown("x"), check_decided("x", "withdrawn", by="interruption"))
    (shown,) = transcript(log_of(started(), *left))[1:]
    assert isinstance(shown, CardOutcome)
    assert shown.headline == "✗ not decided, so nothing was changed"
    again = (check_shown("y"), check_decided("y", "reject"))
    assert row(*left, *again).text.startswith("That card was an attention check")
    words = f"The card that you left was an attention check: it deliberately said {ALTERED}."
    assert row(*left, said(turn=2)).text == f"{words} Nothing was carried out."


def test_one_that_was_left_and_taken_up_again_is_one_check() -> None:
    left = (said(turn=1), check_shown("x"), check_decided("x", "withdrawn", by="interruption"))
    log = log_of(started(), *left, check_shown("y"), check_decided("y", "reject"))
    assert [row.card.id for row in check_rows(log)] == ["y"]
    assert attention_facts(log).shown_count == attention_facts(log).caught == 1
    assert standing(*left).interrupted_share == 1
    assert standing(*left, said(turn=2)).interrupted_share == 0


def test_nothing_is_told_of_a_check_before_it_is_decided() -> None:
    before = log_of(started(), said(turn=1))
    waiting = log_of(started(), said(turn=1), check_shown("x"))
    assert transcript(waiting) == transcript(before)


def test_while_it_waits_a_check_counts_as_the_card_it_is_taken_for_and_then_for_nothing() -> None:
    waiting = standing(said(turn=1), check_shown("x"))
    assert waiting.card_to_decide == check_shown("x").card
    assert waiting.waiting_card is None
    assert waiting.interrupted_share == 1
    after = standing(said(turn=1), check_shown("x"), check_decided("x", "reject"))
    assert (after.waiting_check, after.card_to_decide) == (None, None)
    assert (after.interrupted_share, after.cards, after.interrupted_turns) == (0, 0, 0)
    settled = standing(said(turn=1), check_shown("x"), check_decided("x", "reject"), shown("a"))
    assert (settled.interrupted_share, settled.cards) == (1, 1)
    both = standing(said(turn=1), shown("a"), decided("a", "reject"), check_shown("x"))
    assert both.interrupted_share == 1


def test_a_check_that_was_left_waiting_waits_no_longer_when_the_customer_goes_on() -> None:
    assert standing(said(turn=1), check_shown("x"), said(turn=2)).waiting_check is None


def test_checks_are_rows_of_their_own_and_never_cards() -> None:
    log = log_of(
        started(), said(turn=1), check_shown("x"), check_decided("x", "approve"),
        shown("a"), decided("a", "approve"), check_shown("y"),
    )  # fmt: skip
    assert [each.card.id for each in decision_rows(log)] == ["a"]
    first, second = check_rows(log)
    assert (first.card.id, first.turn, first.model) == ("x", 1, "clerk")
    assert first.decision is not None
    assert first.decision.is_caught is False
    assert (second.decided, second.decision) == (None, None)


def test_who_may_meet_checks_is_warned_before_anything_is_said() -> None:
    checked = Safeguards(attention_checks=0.2)
    (warning,) = transcript(log_of(started(safeguards=checked)))
    assert isinstance(warning, Note)
    assert warning.text.startswith("Attention checks are on")
    assert transcript(log_of(started())) == []
    on, off = (SafeguardsChanged(safeguards=each) for each in (checked, Safeguards()))
    (switched,) = transcript(log_of(started(), on))
    assert isinstance(switched, Note)
    assert switched.text.startswith("Safeguards from here on: attention checks 20%. Attention")
    (_, ended) = transcript(log_of(started(safeguards=checked), off))
    assert isinstance(ended, Note)
    assert ended.text == "Safeguards from here on: attention checks off."

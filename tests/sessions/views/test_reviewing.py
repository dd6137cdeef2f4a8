from __future__ import annotations

import asyncio
import tempfile
from functools import cache
from pathlib import Path

from hypothesis import given, settings

from sessions.events import (
    AgentSaid,
    AnyEvent,
    AttentionCheckDecided,
    AttentionCheckShown,
    CustomerSaid,
    Labelled,
    Logged,
    Noted,
    Reviewed,
    Scored,
    SessionEnded,
    SessionForked,
)
from sessions.views.cards import decision_rows
from sessions.views.reviewing import (
    BlindCard,
    cards_known_to,
    make_blind_card,
    reviewable_cards,
    undecided_rows,
)
from tests.agent.recorded import TURNS, Turn, recorded
from tests.effort import tries
from tests.sessions.toy import applied, card, decided, log_of, shown, started, toy, used


@cache
def held(turns: tuple[Turn, ...]) -> list[Logged]:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(recorded(Path(folder), turns, end=True))


def reviewed(card_id: str, decision: str = "approve", by: str = "bo") -> Reviewed:
    return Reviewed.model_validate({"card_id": card_id, "decision": decision, "by": by})


def put(*events: AnyEvent) -> list[BlindCard]:
    """Every card of a session as a reviewer is shown it."""
    log = log_of(started(), *events)
    return [make_blind_card(log, row) for row in reviewable_cards(log)]


def ids(log: list[Logged], by: str) -> list[str]:
    return [row.card.id for row in undecided_rows(log, cards_known_to(log, by))]


@settings(max_examples=tries(25), deadline=None)
@given(TURNS)
def test_a_reviewer_sees_what_had_happened_when_the_card_was_shown(turns: list[Turn]) -> None:
    log = held(tuple(turns))
    rows = reviewable_cards(log)
    assert [row.card.id for row in rows] == [row.card.id for row in decision_rows(log)]
    for row in rows:
        told = make_blind_card(log, row)
        prefix = log[: row.shown.seq]
        (waiting,) = [each for each in reviewable_cards(prefix) if each.card.id == row.card.id]
        assert told == make_blind_card(prefix, waiting)
        assert told.card == row.card
        assert all(item.seq < row.shown.seq for item in told.items)


def test_whatever_was_decided_and_came_of_it_the_reviewer_is_shown_the_same() -> None:
    before: tuple[AnyEvent, ...] = (AgentSaid(text="Hi"), CustomerSaid(text="cancel", turn=1))
    endings: tuple[tuple[AnyEvent, ...], ...] = (
        (shown("a"),),
        (shown("a"), decided("a", "reject", "no, not that"), AgentSaid(text="As you wish.")),
        (shown("a"), decided("a", "ask", "why?"), AgentSaid(text="So.", about_card="a")),
        (shown("a"), decided("a", "approve"), used("a"), applied(toy().records(), "a")),
        (shown("a"), decided("a", "withdrawn", by="interruption"), SessionEnded(reason="fault")),
        (shown("a"), reviewed("a"), Labelled(verdict="wrong", by="cy", about="session")),
        (shown("a"), Scored(scenario="one", reward=0, records_match=False, communicated=False)),
    )
    found = [put(*before, *ending) for ending in endings]
    assert all(each == found[0] for each in found)
    assert len(found[0]) == 1


def test_what_became_of_an_earlier_card_is_told_in_the_third_person() -> None:
    _, second = put(
        CustomerSaid(text="cancel", turn=1), shown("a"), decided("a", "reject", "no"), shown("b")
    )
    assert "✗ declined by the customer: no" in str([item.headline for item in second.items[1:]])  # type: ignore[union-attr]


def test_of_cards_that_stood_in_for_each_other_the_last_is_put_and_tells_nothing_of_the_first() -> (
    None
):
    asked = (decided("a", "ask", "why?"), AgentSaid(text="Because.", about_card="a"))
    found = put(
        CustomerSaid(text="cancel", turn=1),
        *(shown("a"), *asked, decided("a", "approve")),
        *(shown("b", replaces="a"), decided("b", "withdrawn")),
        *(shown("c", replaces="b"), decided("c", "approve")),
    )
    assert [each.card.id for each in found] == ["c"]
    assert [type(item).__name__ for item in found[0].items] == ["CustomerWords"]


def test_judgements_and_attention_checks_are_kept_from_reviewers() -> None:
    check = AttentionCheckShown(card=card("x"), words_digest="w", meant={}, altered="another order")
    caught = AttentionCheckDecided(card_id="x", decision="reject", by="person", milliseconds=1)
    label = Labelled(verdict="right", by="cy", note="good")
    (found,) = put(CustomerSaid(text="cancel", turn=1), check, caught, label, shown("a"))
    assert found.card.id == "a"
    assert len(found.items) == 1
    noted = put(Noted(text="Another model."), shown("a"))[0]
    assert len(noted.items) == 1, "what happened in the session itself is told"


def test_cards_that_nobody_decided_are_worth_a_review() -> None:
    log = log_of(
        started(),
        *(shown("auto"), decided("auto", "approve", by="auto")),
        *(shown("gone"), decided("gone", "withdrawn", by="interruption")),
        shown("waits"),
    )
    assert ids(log, "bo") == ["auto", "gone", "waits"]


def test_each_person_goes_on_after_the_last_card_that_they_decided() -> None:
    cards = [each for name in "abc" for each in (shown(name), decided(name, "reject"))]
    log = log_of(started(), *cards)
    assert ids(log, "bo") == ["a", "b", "c"]
    log = log_of(started(), *cards, reviewed("b"), reviewed("a", by="cy"))
    assert ids(log, "bo") == ["c"], "a was passed over, and b told what had become of it"
    assert ids(log, "cy") == ["b", "c"]


def test_a_fork_has_the_cards_that_its_parent_has_not() -> None:
    log = log_of(
        started(), shown("a"), decided("a", "reject"), SessionForked(parent="p", seq=3), shown("b")
    )
    assert ids(log, "bo") == ["b"]
    log = log_of(
        started(), shown("a"), SessionForked(parent="p", seq=2), decided("a", "reject"), shown("b")
    )
    assert ids(log, "bo") == ["b"], "the card that waited where it begins is its parent's"
    assert cards_known_to([*log, *log_of(reviewed("b"))], "bo") == {"a", "b"}

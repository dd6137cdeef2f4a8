from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains.core.tool import ToolCall
from sessions.events import AgentSaid, AnyEvent, CustomerSaid, WriteApplied
from sessions.statistics.consenting import (
    consents,
    count_asked_in_words,
    requests_for_a_yes,
    says_yes,
)
from tests.sessions.toy import CANCEL, decided, log_of, shown, started, used

OTHER = ToolCall("cancel", {"order_id": "#W2"})


def written(card: str, call: ToolCall = CANCEL, *, error: bool = False) -> WriteApplied:
    return WriteApplied(
        card_id=card, call_id="c1", name=call.name, arguments=dict(call.arguments),
        result="", error=error, patch=[], records_digest="d",
    )  # fmt: skip


def given_in(*events: AnyEvent) -> list[str]:
    return [each.given for each in consents(log_of(started(), *events))]


@pytest.mark.parametrize("by", ["person", "simulated", "script"])
def test_an_approved_card_is_a_yes_whoever_plays_the_customer(by: str) -> None:
    log = shown("k"), decided("k", "approve", by=by), used("k"), written("k")
    assert given_in(*log) == ["card"]


@pytest.mark.parametrize("by", ["auto", "rule"])
def test_where_no_card_was_put_to_them_the_customers_words_count(by: str) -> None:
    log = shown("k"), decided("k", "approve", by=by), used("k"), written("k")
    ask, yes = AgentSaid(text="Shall I cancel it?"), CustomerSaid(text="Yes, please do.", turn=1)
    assert given_in(*log) == ["none"]
    assert given_in(ask, yes, *log) == ["words"]
    assert given_in(ask, CustomerSaid(text="No!", turn=1), *log) == ["none"]


@pytest.mark.parametrize("by", ["interruption", "somebody"])
def test_an_approval_by_somebody_else_is_no_yes_whatever_was_said(by: str) -> None:
    said = AgentSaid(text="Shall I cancel it?"), CustomerSaid(text="Yes, please do.", turn=1)
    log = shown("k"), decided("k", "approve", by=by), used("k"), written("k")
    assert given_in(*said, *log) == ["none"]


@pytest.mark.parametrize(
    ("described", "given"),
    [
        ("Hi! How can I help you today?", "none"),
        ("It ships on Monday. Is that fine?", "none"),
        ("I would call off order #w1 for you. Is that fine?", "words"),
        ("I am going to do the cancellation. Is that fine?", "words"),
    ],
)
def test_a_yes_counts_for_the_change_that_was_described(described: str, given: str) -> None:
    yes = CustomerSaid(text="Yes.", turn=1)
    whole = ToolCall("cancel", {"order_id": "order #W1"})
    assert given_in(AgentSaid(text=described), yes, written("a", whole)) == [given]
    later = AgentSaid(text="Anything else?"), CustomerSaid(text="Yes, one thing.", turn=2)
    assert given_in(AgentSaid(text=described), yes, *later, written("a", whole)) == ["none"]


APPROVED = shown("k"), decided("k", "approve"), used("k")


@pytest.mark.parametrize(
    "log",
    [
        (shown("k"), written("k")),
        (shown("k"), decided("k", "reject"), used("k"), written("k")),
        (shown("k"), decided("k", "ask"), used("k"), written("k")),
        (shown("k"), decided("k", "approve"), written("k")),
        (shown("k"), used("k"), decided("k", "approve"), written("k")),
        (*APPROVED, written("k", OTHER)),
        (*APPROVED, shown("l"), written("l")),
    ],
    ids=["undecided", "rejected", "asked", "unused", "too early", "other call", "other card"],
)
def test_a_write_that_the_approval_was_not_for_is_found(log: tuple[AnyEvent, ...]) -> None:
    assert given_in(*log) == ["none"]


def test_an_approval_serves_one_write() -> None:
    assert given_in(*APPROVED, written("k"), written("k")) == ["card", "none"]


def test_a_write_that_failed_changed_nothing_and_needs_no_yes() -> None:
    assert given_in(written("k", error=True)) == []


def test_without_cards_the_yes_is_read_from_the_customers_last_words() -> None:
    ask, yes = AgentSaid(text="Shall I cancel it?"), CustomerSaid(text="Yes, go ahead.", turn=2)
    assert given_in(ask, yes, written("a"), written("b")) == ["words", "words"]
    no = CustomerSaid(text="No, wait.", turn=3)
    assert given_in(ask, yes, written("a"), no, written("b")) == ["words", "none"]
    assert given_in(yes, written("a")) == ["none"]
    assert given_in(ask, written("a")) == ["none"]


@pytest.mark.parametrize(
    "words",
    ["Yes", "yes please", "Yeah, that's right.", "Ok do it", "Sure, proceed!", "Please go ahead",
     "I confirm.", "Sounds good to me", "That’s correct, thank you", "Yes. I have no other wish."],
)  # fmt: skip
def test_words_that_agree(words: str) -> None:
    assert says_yes(words)


@pytest.mark.parametrize(
    "words",
    ["", "No", "I'm not sure", "Is that correct?", "Don't do it", "Cancel order #W1",
     "What would it cost?", "I never said ok", "Wait before you proceed", "I'd like my yesterday"],
)  # fmt: skip
def test_words_that_do_not_agree(words: str) -> None:
    assert not says_yes(words)


@given(st.text())
def test_any_words_can_be_read(words: str) -> None:
    assert says_yes(words) in (True, False)


@pytest.mark.parametrize(
    ("agent", "customer", "twice"),
    [
        ("I will cancel it. Do you confirm?", "yes please", 1),
        ("Shall I proceed with that?", "Sure, go ahead.", 1),
        ("Shall I proceed with that?", "no, the other one", 0),
        ("Which order is it?", "yes, the last one", 0),
        ("Anything else?", "yes, cancel it", 0),
        ("I will go ahead. Anything else?", "yes, cancel it", 0),
        pytest.param("no end " * 30_000, "yes", 0, id="words without end"),
    ],
)
def test_a_card_for_what_was_agreed_in_words_asks_twice(
    agent: str, customer: str, twice: int
) -> None:
    said = AgentSaid(text=agent), CustomerSaid(text=customer, turn=2)
    put = shown("k"), decided("k", "approve")
    found = requests_for_a_yes(log_of(started(), *said, *put))
    assert (found.asked_twice, found.granted) == (twice, twice)
    by_nobody = shown("k"), decided("k", "approve", by="auto")
    found = requests_for_a_yes(log_of(started(), *said, *by_nobody))
    assert (found.asked_twice, found.granted) == (0, twice)


def test_every_question_for_a_go_ahead_is_counted_and_no_other() -> None:
    said = (
        AgentSaid(text="I can cancel it. Shall I go ahead?"),
        AgentSaid(text="Shall I? Do you want me to? Please confirm (yes/no)?"),
        AgentSaid(text="Which one do you mean?"),
        AgentSaid(text="Go ahead and tell me."),
        AgentSaid(text="Shall I go ahead? That is what the card asks.", about_card="k"),
        CustomerSaid(text="Shall I go ahead?", turn=2),
    )
    assert count_asked_in_words(log_of(started(), *said)) == 2

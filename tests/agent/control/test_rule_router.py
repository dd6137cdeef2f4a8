from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import domains
from agent.comparison import Talk
from agent.control.rule_router import features_of
from sessions.events import AgentSaid, AnyEvent, CustomerSaid, DecisionMade, ToolReturned

AIRLINE = [
    "Please cancel my reservation to Denver and book me a flight to Boston instead.",
    "I want to upgrade to business class and add two bags.",
    "If the flight cannot be changed, then please cancel it.",
    "I'd like to cancel all of my reservations.",
]
ALONE = [
    "Hi, I want to cancel my reservation.",
    "My flight was cancelled and I was booked on another one. What happened?",
    "Could you tell me whether I can cancel it and book another?",
    "I want to change my flight. Don't cancel it.",
    "I'd like to make a change of the date, due to a change of plan.",
]


def features(name: str, *happened: AnyEvent) -> tuple[str, ...]:
    talk = Talk()
    for event in happened:
        talk.add(event)
    return features_of(domains.load(name), talk, happened)


def turns(*words: str) -> list[AnyEvent]:
    return [CustomerSaid(text=each, turn=turn) for turn, each in enumerate(words, 1)]


@pytest.mark.parametrize("words", AIRLINE)
def test_what_hangs_together_is_seen_at_once(words: str) -> None:
    assert features("airline", *turns(words))


@pytest.mark.parametrize("words", ALONE)
def test_one_change_and_what_is_only_told_or_asked_stays_routine(words: str) -> None:
    assert features("airline", *turns(words)) == ()


PAID = [
    ("Please exchange the lamp and put the difference on my visa.", 0),
    ("I want to change the colour of my lamp to black, with my gift card.", 0),
    ("Exchange the lamp, please. I'll pay with my paypal.", 0),
    ("Exchange the lamp, please, and switch the payment to my visa.", 1),
    ("Exchange the lamp. And switch my other order to paypal.", 1),
    ("Cancel the lamp. I want to pay the rest with my gift card instead.", 1),
]


@pytest.mark.parametrize(("words", "coupled"), PAID)
def test_what_pays_for_a_change_is_no_second_one(words: str, coupled: int) -> None:
    assert len(features("retail", *turns(words))) == coupled


def test_a_second_change_shows_when_it_is_asked_for() -> None:
    talk = turns("Please cancel my trip to Denver.", "Thanks. Now book me a flight to Boston.")
    assert features("airline", talk[0]) == ()
    assert "cancel and book" in features("airline", *talk)[0]


def test_two_records_that_are_there_count_and_names_like_theirs_do_not() -> None:
    first, second = list(domains.load("retail").base.collections["orders"])[:2]
    said = f"It is about {first}, that is, about {first.lower()}"
    assert features("retail", *turns(f"{said}.")) == ()
    assert features("retail", *turns(f"{said} and #W0000000.")) == ()
    assert first in features("retail", *turns(f"{said} and {second}."))[0]


def test_a_card_sent_back_with_words_is_a_revision_and_without_words_none() -> None:
    sent = DecisionMade(card_id="c", decision="change", words="the blue", by="x", milliseconds=1)
    assert "the blue" in features("retail", *turns("Hi"), sent)[0]
    assert features("retail", *turns("Hi"), sent.model_copy(update={"words": " "})) == ()


def test_a_refused_change_counts_and_a_look_up_that_failed_does_not() -> None:
    failed = ToolReturned(call_id="1", name="get_order_details", text="Error: none", error=True)
    refused = failed.model_copy(update={"name": "cancel_pending_order"})
    assert features("retail", failed) == ()
    assert "cancel pending order" in features("retail", refused)[0]
    assert features("retail", refused.model_copy(update={"ran": False})) == ()


@given(st.lists(st.sampled_from([*AIRLINE, *ALONE]), max_size=6), st.text(max_size=40))
def test_what_the_agent_says_and_the_order_of_turns_change_nothing(
    said: list[str], told: str
) -> None:
    plain = features("airline", *turns(*said))
    spoken = [each for turn in turns(*said) for each in (turn, AgentSaid(text=told or "…"))]
    assert bool(features("airline", *spoken)) == bool(plain)
    assert bool(features("airline", *turns(*reversed(said)))) == bool(plain)


@given(st.lists(st.text(max_size=200), max_size=5))
def test_whatever_is_said_can_be_routed(said: list[str]) -> None:
    for name in ("retail", "airline"):
        assert isinstance(features(name, *turns(*said)), tuple)

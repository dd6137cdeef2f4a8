from __future__ import annotations

import pytest

from agent.gate.trial_answers import answer_from_trial
from domains import load
from domains.core.tool import ToolCall

CANCEL = ToolCall("cancel_pending_order", {"order_id": "#W7181492", "reason": "no longer needed"})


def _answer(domain_name: str, call: ToolCall, question: str) -> str | None:
    domain = load(domain_name)
    preview = domain.records().preview(call)
    assert not preview.result.error, preview.result.text
    tool = domain.tools.get(call.name)
    assert tool is not None
    assert tool.notes is not None
    return answer_from_trial(domain.topics, tool.notes, preview, question)


def _shipping() -> ToolCall:
    domain = load("retail")
    order = next(
        order
        for _, order in domain.records().items("orders")
        if order["status"] == "pending" and order["address"]["zip"] != "10001"
    )
    address = {"address1": "101 Highway", "address2": "", "city": "New York", "state": "NY"}
    return ToolCall(
        "modify_pending_order_address",
        {"order_id": order["order_id"], **address, "country": "USA", "zip": "10001"},
    )


def test_a_part_that_the_trial_leaves_alone_is_answered_with_no() -> None:
    answer = _answer("retail", _shipping(), "does that change my default address too?")
    assert answer == "No. This changes nothing about your default address."


def test_a_part_that_the_trial_changes_is_answered_with_yes_and_how() -> None:
    answer = _answer("retail", _shipping(), "Will it really change the shipping address?")
    assert answer is not None
    assert answer.startswith("Yes. Ship to: ")
    assert "101 Highway" in answer


def test_asked_whether_something_stays_the_answer_turns_round() -> None:
    answer = _answer("retail", _shipping(), "so my default address stays the same?")
    assert answer == "Yes. This changes nothing about your default address."


def test_other_records_are_told_apart_from_the_one_at_hand() -> None:
    answer = _answer("retail", _shipping(), "does this affect my other orders?")
    assert answer == "No. This changes nothing about any other order of yours."


def test_anything_else_is_answered_with_all_there_is() -> None:
    answer = _answer("retail", _shipping(), "is anything else going to change?")
    assert answer is not None
    assert answer.startswith("No. All that would be different: ")
    assert "101 Highway" in answer


@pytest.mark.parametrize(
    "question",
    [
        "why does that change my default address?",
        "how long does the refund take?",
        "is this a good idea?",
        "does the lamp come in red?",
        "what happens to my default address?",
        "does that change my default address or my email?",
        "is there still another default address?",
        "does it change the default address or is it still the old one",
        "is it changed for my default address too?",
        "does it touch my default address and can i still change that?",
        "my default address",
        "",
    ],
)
def test_what_the_trial_cannot_tell_is_left_to_the_agent(question: str) -> None:
    assert _answer("retail", _shipping(), question) is None


BAGS = "are my bags still included?"
FLIGHT = "is the flight still at the same time?"


@pytest.mark.parametrize(
    ("name", "question", "told"),
    [
        ("cancel_reservation", BAGS, "No. Reservation"),
        ("cancel_reservation", FLIGHT, "No. Reservation"),
        ("cancel_reservation", "is the return flight affected?", "Yes. Reservation"),
        ("cancel_reservation", "does my membership stay?", "Yes. This changes nothing"),
        ("update_reservation_flights", BAGS, "Yes. This changes nothing"),
        ("update_reservation_flights", FLIGHT, "Yes. This changes nothing"),
    ],
)
def test_what_is_given_up_does_not_stay_and_a_price_is_no_flight(
    name: str, question: str, told: str
) -> None:
    cancel = ToolCall("cancel_reservation", {"reservation_id": "X2AU8Q"})
    flight = {"flight_number": "LRK115", "date": "2024-05-22"}
    cabin = {"reservation_id": "X2AU8Q", "cabin": "business", "flights": [flight]}
    upgrade = ToolCall("update_reservation_flights", {**cabin, "payment_id": "credit_card_7332402"})
    answer = _answer("airline", cancel if name == cancel.name else upgrade, question)
    assert answer is not None
    assert answer.startswith(told)


@pytest.mark.parametrize("question", ["will i be charged anything?", "do i get a refund?"])
def test_how_money_goes_is_no_question_of_yes_or_no(question: str) -> None:
    assert _answer("retail", _shipping(), question) is None

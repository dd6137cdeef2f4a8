from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import domains
from agent.clerk.airline.dialogue import AirlineDialogue as Travels
from agent.clerk.clerk import Clerk
from agent.clerk.mistakes import MISTAKES
from agent.clerk.retail.intent_data import reader
from agent.clerk.understanding.parsed_message import LONGEST
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import ANYTHING_ELSE, TRANSFER
from agent.models.protocol import CallPiece, Finish, Message, ModelRequest, TextPiece
from tests.agent.clerk.driver import Driver
from tests.effort import examples

GENEROUS = 5.0
"""Seconds; a message takes milliseconds, and the machine may be busy."""

TRADES = ("retail", "airline")
TOOLS = {name: domains.load(name).tools.schemas for name in TRADES}
NAMES = {tool["function"]["name"] for tools in TOOLS.values() for tool in tools}
PHRASES = (
    "book a flight from boston to chicago", "on may 20", "upgrade it", "my trip to dallas",
    "add two bags", "no insurance", "the evening one", "H9EY6R", "one way", "just me", "delayed",
    "compensation", "my wife is ill", "a day later", "the 200 dollar one", "ivo_petrov_2519",
    "cancel", "return", "exchange the keyboard for", "a red one", "my last order", "#W1457422",
    "if not possible,", "otherwise", "yusuf rossi 19122", "all my pending orders", "paypal",
    "no longer needed", "to 12 Main Street, Troy, NY 12180", "the second one", "actually", "only",
    "how much did I pay", "never mind", "yes", "no", "everything except the mouse", "human",
    "change my address", "same size", "bigger", "cheapest", "instead of blue", "and", "then",
)  # fmt: skip
lines = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(PHRASES), max_size=8).map(" ".join),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=12,
)
ITEM = {
    "name": "Keyboard", "product_id": "1", "item_id": "2", "price": 3.5, "options": {"size": "S"},
}  # fmt: skip
ADDRESS = {
    "address1": "12 Main Street", "address2": "", "city": "Troy", "state": "NY", "country": "USA",
    "zip": "12180",
}  # fmt: skip
ORDER = {
    "order_id": "#W1457422", "user_id": "u", "address": ADDRESS, "items": [ITEM],
    "status": "delivered", "fulfillments": [], "payment_history": [],
}  # fmt: skip
USER = {
    "user_id": "u", "payment_methods": {"p": {"source": "paypal", "id": "p"}},
    "orders": ["#W1457422"], "address": ADDRESS, "email": "a@b.cd",
    "name": {"first_name": "A", "last_name": "B"},
}  # fmt: skip
PRODUCT = {
    "name": "Keyboard", "product_id": "1",
    "variants": {"2": {"item_id": "2", "options": {"size": "4"}, "available": True, "price": 1}},
}  # fmt: skip
FLIGHT = {
    "flight_number": "LRK231", "origin": "ORD", "destination": "JFK", "status": "available",
    "scheduled_departure_time_est": "12:30:00", "scheduled_arrival_time_est": "04:45:00+1",
    "date": None, "available_seats": {"basic_economy": 1, "economy": 2, "business": 0},
    "prices": {"basic_economy": 50, "economy": 90, "business": 300},
}  # fmt: skip
RESERVATION = {
    "reservation_id": "F3JM9V", "user_id": "u", "origin": "ORD", "destination": "JFK",
    "flight_type": "round_trip", "cabin": "economy", "created_at": "2024-05-09T16:20:05",
    "flights": [
        {**FLIGHT, "date": "2024-05-24", "price": 152},
        {**FLIGHT, "date": "2024-05-26", "price": 9},
    ],
    "passengers": [{"first_name": "Ivo", "last_name": "Petrov", "dob": "1980-01-01"}],
    "payment_history": [{"payment_id": "p", "amount": 308}], "total_baggages": 0,
    "nonfree_baggages": 0, "insurance": "no", "status": None,
}  # fmt: skip
TRAVELLER = {
    "user_id": "u", "name": {"first_name": "Ivo", "last_name": "Petrov"}, "membership": "gold",
    "address": ADDRESS, "email": "e", "dob": "1980-01-01",
    "payment_methods": {
        "p": {"source": "credit_card", "id": "p", "brand": "visa", "last_four": "1234"},
        "g": {"source": "gift_card", "id": "g", "amount": 30.5},
        "c": {"source": "certificate", "id": "c", "amount": 100},
    },
    "saved_passengers": [{"first_name": "A", "last_name": "B", "dob": "1990-01-01"}],
    "reservations": ["F3JM9V"],
}  # fmt: skip
ON_NO_DAY = {**RESERVATION, "flights": [{**FLIGHT, "date": "x", "price": 9}]}
HALF_KNOWN = {
    **TRAVELLER, "dob": None, "saved_passengers": [*TRAVELLER["saved_passengers"], 3],
    "reservations": ["F3JM9V", 7], "payment_methods": {"p": {"source": "credit_card", "brand": 5}},
}  # fmt: skip
NAMELESS = {
    **USER, "payment_methods": {"p": {"source": "paypal"}}, "address": {}, "name": None, "email": 7,
}  # fmt: skip
BARE = {**ORDER, "address": {}}
SHAPES = (
    ORDER, USER, PRODUCT, FLIGHT, RESERVATION, TRAVELLER, ON_NO_DAY, HALF_KNOWN, NAMELESS, BARE,
)  # fmt: skip
shapes = st.sampled_from(SHAPES)
broken = st.builds(
    lambda shape, key, value: {**shape, key: value},
    shapes, st.sampled_from(sorted({key for shape in SHAPES for key in shape})), json_values,
)  # fmt: skip
results = st.one_of(
    st.text(max_size=80), json_values.map(json.dumps), shapes.map(json.dumps),
    broken.map(json.dumps), st.just("Error: User not found"), st.just("yusuf_rossi_4852"),
    st.just("Not carried out: the customer declined."),
)  # fmt: skip
roles = st.sampled_from(["system", "user", "assistant", "tool", "developer"])


def lines_in(kept: Any) -> Iterator[str]:
    """The lines in scripts, however deep; user ids in them are taken out."""
    if isinstance(kept, dict):
        for key, value in kept.items():
            if key == "lines":
                yield from (re.sub(r"\b[a-z]+_[a-z]+_\d{4}\b", "hello", line) for line in value)
            else:
                yield from lines_in(value)
    elif isinstance(kept, list):
        for value in kept:
            yield from lines_in(value)


@st.composite
def exchanges(draw: st.DrawFn) -> list[Message]:
    name = draw(st.sampled_from(sorted(NAMES)))
    arguments = draw(
        json_values.map(json.dumps) | st.just('{"order_id": "#W1457422"}') | st.text(max_size=20)
    )
    call = {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": draw(results)},
    ]


def looked_up(name: str, arguments: dict[str, Any], result: st.SearchStrategy[Any]) -> Any:
    call = {
        "id": name, "type": "function",
        "function": {"name": name, "arguments": json.dumps(arguments)},
    }  # fmt: skip
    asking = {"role": "assistant", "content": None, "tool_calls": [call]}
    return result.map(
        lambda value: [asking, {"role": "tool", "tool_call_id": name, "content": json.dumps(value)}]
    )


ordinary = st.one_of(
    looked_up("get_user_details", {"user_id": "u"}, st.just(USER) | st.just(NAMELESS)),
    looked_up("get_order_details", {"order_id": "#W1457422"}, st.just(ORDER) | st.just(BARE)),
    looked_up("get_product_details", {"product_id": "1"}, st.just(PRODUCT)),
    looked_up("list_all_product_types", {}, st.just({"Keyboard": "1"})),
    looked_up("find_user_id_by_email", {"email": "a@b.cd"}, st.just("u")),
    looked_up(
        "get_user_details",
        {"user_id": "ivo_petrov_2519"},
        st.just(TRAVELLER) | st.just(HALF_KNOWN) | broken,
    ),
    looked_up(
        "get_reservation_details",
        {"reservation_id": "F3JM9V"},
        st.just(RESERVATION) | st.just(ON_NO_DAY) | broken,
    ),
    looked_up("get_flight_status", {"flight_number": "LRK231", "date": "2024-05-24"}, json_values),
    looked_up(
        "search_direct_flight",
        {"origin": "ORD", "destination": "JFK", "date": "2024-05-24"},
        st.just([FLIGHT]) | st.lists(broken, max_size=2) | json_values,
    ),
)
histories = st.lists(
    st.one_of(
        ordinary,
        lines.map(lambda text: [{"role": "user", "content": text}]),
        lines.map(lambda text: [{"role": "assistant", "content": text}]),
        exchanges(),
        st.builds(lambda role, text: [{"role": role, "content": text}], roles, lines),
    ),
    max_size=12,
).map(lambda groups: [message for group in groups for message in group])


def answer(clerk: Clerk, messages: list[Message], tools: list[dict[str, Any]]) -> list[Any]:
    async def gather() -> list[Any]:
        return [piece async for piece in clerk.stream(ModelRequest(messages, tools))]

    return asyncio.run(gather())


def valid(pieces: list[Any]) -> bool:
    *body, last = pieces
    if not isinstance(last, Finish):
        return False
    calls = [piece for piece in body if isinstance(piece, CallPiece)]
    if calls:
        arguments = json.loads(calls[0].arguments)
        return len(body) == 1 and calls[0].name in NAMES and isinstance(arguments, dict)
    return bool(body) and all(isinstance(each, TextPiece) and each.text for each in body)


@settings(max_examples=examples(400), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories, st.sampled_from([None, *MISTAKES]), st.sampled_from(TRADES))
def test_whatever_the_messages_the_answer_is_words_or_one_known_call(
    messages: list[Message], mistake: str | None, trade: str
) -> None:
    assert valid(answer(Clerk(mistake), messages, TOOLS[trade]))
    assert all(
        isinstance(each, TextPiece | Finish) for each in answer(Clerk(mistake), messages, [])
    )


WHO = {"retail": "yusuf rossi, 19122", "airline": "ivo_petrov_2519"}


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(lines, min_size=1, max_size=6), st.sampled_from(TRADES))
def test_any_customer_can_talk_on_the_real_tools(said: list[str], trade: str) -> None:
    driver = Driver(domains.load(trade))
    driver.say(WHO[trade])
    for line in said:
        if line.strip():
            assert driver.say(line)


OPEN = {
    "retail": "yusuf rossi, 19122, swap my keyboard for a clicky one",
    "airline": "quentin_laval_1251, move my orlando flight to may 20",
}
"""What a customer says so that a question with choices is open."""

READ: dict[str, Callable[[str], Any]] = {
    "retail": lambda line: reader().read(line).requests,
    "airline": lambda line: Travels().reader.read(line).requests,
}


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(lines, min_size=4, max_size=8), st.sampled_from(TRADES))
def test_no_question_comes_more_than_twice_in_a_row(said: list[str], trade: str) -> None:
    driver = Driver(domains.load(trade))
    driver.say(OPEN[trade])
    asks_nothing = (line for line in said if line.strip() and not READ[trade](line))
    answers = [driver.say(line) for line in asks_nothing]
    for one, two, three in zip(answers, answers[1:], answers[2:], strict=False):
        told = one.startswith("Noted.") or one.endswith((ANYTHING_ELSE, TRANSFER))
        assert not one == two == three or told


AGREES = (
    "yes", "yeah", "sure", "ok", "okay", "go ahead", "after all", "anyway", "do it", "also",
    "exchange", "swap", "change", "upgrade",
)  # fmt: skip
"""Words that ask for it again: a yes, or what the change is called."""

PROPOSED = {
    "retail": "yusuf rossi, 19122, swap my keyboard for the clicky tenkeyless rgb one, paypal",
    "airline": "ivo_petrov_2519, upgrade my new york trip to business, mastercard",
}
"""What a customer says so that a card comes up."""


@settings(max_examples=examples(150), deadline=None)
@given(
    st.lists(lines.filter(lambda line: not has(tokens(line), *AGREES)), max_size=5),
    st.sampled_from(TRADES),
)
def test_a_declined_call_is_not_made_again_unasked(said: list[str], trade: str) -> None:
    driver = Driver(domains.load(trade), decisions=["reject"] * 40)
    driver.say(PROPOSED[trade])
    for line in said:
        proposed = len(driver.proposed)
        if line.strip():
            driver.say(line)
            assert driver.proposed[0] not in driver.proposed[proposed:] or proposed == 0


SPOKEN = sorted(
    {
        line
        for name in ("airline_scenarios", "airline_voices", "airline_dialogues")
        for line in lines_in(json.loads(Path(__file__).with_name(f"{name}.json").read_text()))
    }
)
"""Everything that a customer of the airline says in the other tests."""

CUSTOMERS = sorted(domains.load("airline").base.collections["users"])


@settings(max_examples=examples(200), deadline=None)
@given(st.sampled_from(CUSTOMERS), st.lists(st.sampled_from(SPOKEN), min_size=1, max_size=6))
def test_whoever_says_whatever_no_proposal_breaks_a_rule(customer: str, said: list[str]) -> None:
    driver = Driver(domains.load("airline"))
    driver.say(customer)
    for line in said:
        driver.say(line)
    assert driver.failing == []


@settings(max_examples=examples(100), deadline=None)
@given(histories, st.sampled_from(TRADES))
def test_the_same_messages_give_the_same_answer(messages: list[Message], trade: str) -> None:
    first, second = (answer(Clerk(), messages, TOOLS[trade]) for _ in range(2))
    assert [getattr(each, "text", None) or getattr(each, "arguments", None) for each in first] == [
        getattr(each, "text", None) or getattr(each, "arguments", None) for each in second
    ]


@pytest.mark.parametrize(
    "text",
    [
        "exchange the keyboard for a red one and " * 2500,
        "a" * 100_000,
        "if " * 33_000,
        ", and the" * 11_000,
        "no " * 33_000,
        "1 " * 50_000,
        "the size of my " * 7_000,
        "\n" * 100_000,
        "w12345678 " * 10_000,
    ],
)
def test_a_huge_message_is_answered_soon(text: str) -> None:
    messages: list[Message] = [{"role": "user", "content": text}]
    for trade in TRADES:
        started = time.monotonic()
        answer(Clerk(), messages, TOOLS[trade])
        assert time.monotonic() - started < GENEROUS


def test_a_message_that_is_too_long_is_said_to_be() -> None:
    assert reader().read("no " * LONGEST).cut
    assert not reader().read("no").cut


def test_words_are_data() -> None:
    assert has(tokens("send the lamp back"), "lamp back")

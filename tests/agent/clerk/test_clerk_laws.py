from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import domains
from agent.chat import CallPiece, Finish, Message, ModelRequest, TextPiece
from agent.clerk.clerk import Clerk
from agent.clerk.language import LONGEST, SENTENCE, plain, says, sentences, words
from agent.clerk.mistakes import MISTAKES
from agent.clerk.understanding import understand
from agent.clerk.wording import ANYTHING_ELSE, TRANSFER
from tests.agent.clerk.driver import Driver

GENEROUS = 5.0
"""Seconds; a message takes milliseconds, and the machine may be busy."""

TOOLS = domains.load("retail").tools.schemas
NAMES = {tool["function"]["name"] for tool in TOOLS}
PHRASES = (
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
ORDER = {
    "order_id": "#W1457422", "user_id": "u", "address": {}, "items": [ITEM], "status": "delivered",
    "fulfillments": [], "payment_history": [],
}  # fmt: skip
USER = {"user_id": "u", "payment_methods": {"p": {"source": "paypal"}}, "orders": ["#W1457422"],
        "address": {}, "name": None, "email": 7}  # fmt: skip
PRODUCT = {
    "name": "Keyboard", "product_id": "1",
    "variants": {"2": {"item_id": "2", "options": {"size": 4}, "available": True, "price": 1}},
}  # fmt: skip
shapes = st.sampled_from([ORDER, USER, PRODUCT])
broken = st.builds(
    lambda shape, key, value: {**shape, key: value},
    shapes, st.sampled_from(sorted({*ORDER, *USER, *PRODUCT})), json_values,
)  # fmt: skip
results = st.one_of(
    st.text(max_size=80), json_values.map(json.dumps), shapes.map(json.dumps),
    broken.map(json.dumps), st.just("Error: User not found"), st.just("yusuf_rossi_4852"),
    st.just("Not carried out: the customer declined."),
)  # fmt: skip
roles = st.sampled_from(["system", "user", "assistant", "tool", "developer"])


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
    looked_up("get_user_details", {"user_id": "u"}, st.just(USER)),
    looked_up("get_order_details", {"order_id": "#W1457422"}, st.just(ORDER)),
    looked_up("get_product_details", {"product_id": "1"}, st.just(PRODUCT)),
    looked_up("list_all_product_types", {}, st.just({"Keyboard": "1"})),
    looked_up("find_user_id_by_email", {"email": "a@b.cd"}, st.just("u")),
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


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories, st.sampled_from([None, *MISTAKES]))
def test_whatever_the_messages_the_answer_is_words_or_one_known_call(
    messages: list[Message], mistake: str | None
) -> None:
    assert valid(answer(Clerk(mistake), messages, TOOLS))
    assert all(
        isinstance(each, TextPiece | Finish) for each in answer(Clerk(mistake), messages, [])
    )


@settings(max_examples=100, deadline=None)
@given(st.lists(lines, min_size=1, max_size=6))
def test_any_customer_can_talk_on_the_real_tools(said: list[str]) -> None:
    driver = Driver(domains.load("retail"))
    driver.say("yusuf rossi, 19122")
    for line in said:
        if line.strip():
            assert driver.say(line)


@settings(max_examples=60, deadline=None)
@given(st.lists(lines, min_size=4, max_size=8))
def test_no_question_comes_more_than_twice_in_a_row(said: list[str]) -> None:
    driver = Driver(domains.load("retail"))
    driver.say("yusuf rossi, 19122, swap my keyboard for a clicky one")
    asks_nothing = (line for line in said if line.strip() and not understand(line).requests)
    answers = [driver.say(line) for line in asks_nothing]
    for one, two, three in zip(answers, answers[1:], answers[2:], strict=False):
        assert not one == two == three or one.endswith((ANYTHING_ELSE, TRANSFER))


@settings(max_examples=60, deadline=None)
@given(st.lists(lines.filter(lambda line: not says("yes", line)), max_size=5))
def test_a_declined_call_is_not_made_again_unasked(said: list[str]) -> None:
    driver = Driver(domains.load("retail"), decisions=["reject"] * 40)
    driver.say("yusuf rossi, 19122, swap my keyboard for the clicky tenkeyless rgb one, paypal")
    for line in said:
        proposed = len(driver.proposed)
        if line.strip() and not says("after_all", line) and not says("also", line):
            driver.say(line)
            assert driver.proposed[0] not in driver.proposed[proposed:] or proposed == 0


@settings(max_examples=50, deadline=None)
@given(histories)
def test_the_same_messages_give_the_same_answer(messages: list[Message]) -> None:
    first, second = (answer(Clerk(), messages, TOOLS) for _ in range(2))
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
    started = time.monotonic()
    answer(Clerk(), messages, TOOLS)
    assert time.monotonic() - started < GENEROUS


@given(st.text(max_size=3 * LONGEST))
@settings(max_examples=30, deadline=None)
def test_no_sentence_that_is_read_is_long(text: str) -> None:
    read = sentences(plain(text * 3))
    assert sum(map(len, read)) <= LONGEST
    assert all(len(each) <= SENTENCE for each in read)


def test_a_message_that_is_too_long_is_said_to_be() -> None:
    assert understand("no " * LONGEST).cut
    assert not understand("no").cut


def test_words_are_data() -> None:
    assert len(words()["intents"]) >= 20

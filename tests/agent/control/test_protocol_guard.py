"""The protocol guard: what goes back with what to do instead, and what does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import domains
from agent.session.conversation import Conversation
from sessions.events import CardShown, GuardFired, Safeguards, ToolCalled, ToolReturned
from tests.agent.held import conversation, events
from tests.agent.scripted import Answer, ScriptedModel, ScriptedOperator, call

ROUTED = Safeguards(reflection=False, context=False, control="routed", router="rules")
PENDING, DELIVERED, JACKET, RAINWEAR = "#W2325109", "#W2236652", "8830716570", "4010433562"
BELT, SWEATER = "1748939143", "3703100425"
FLIGHTS = [
    {"flight_number": "LRK261", "date": "2024-05-07"},
    {"flight_number": "LRK264", "date": "2024-05-09"},
]

MISUSES: list[tuple[str, str, dict[str, Any], str]] = [
    ("retail", "get_order_details", {"order_id": "W2325109"}, PENDING),
    ("retail", "get_product_details", {"product_id": JACKET}, RAINWEAR),
    ("retail", "get_item_details", {"item_id": RAINWEAR}, "not of an item"),
    (
        "retail",
        "return_delivered_order_items",
        {"order_id": PENDING, "item_ids": [JACKET], "payment_method_id": "x"},
        "cancel_pending_order",
    ),
    (
        "retail",
        "cancel_pending_order",
        {"order_id": DELIVERED, "reason": "no longer needed"},
        "return_delivered_order_items",
    ),
    ("airline", "get_reservation_details", {"reservation_id": "j7ya2b"}, "J7YA2B"),
    (
        "airline",
        "search_direct_flight",
        {"origin": "Boston", "destination": "JFK", "date": "2024-05-20"},
        "BOS for Boston",
    ),
    (
        "airline",
        "search_direct_flight",
        {"origin": "BOS", "destination": "JFK", "date": "May 20"},
        "YYYY-MM-DD",
    ),
    (
        "airline",
        "update_reservation_flights",
        {"reservation_id": "J7YA2B", "cabin": "Business", "flights": FLIGHTS, "payment_id": "x"},
        "basic_economy",
    ),
]


async def held_with(
    folder: Path, name: str, *answers: Answer, coupled: bool = True
) -> tuple[Conversation, ScriptedModel]:
    model = ScriptedModel(*answers, sure=True)
    async with conversation(
        folder, model, ScriptedOperator(), domain=domains.load(name), safeguards=ROUTED
    ) as held:
        if coupled:
            await held.escalate()
        await held.say("please do it")
        return held, model


def fired(held: Conversation) -> list[GuardFired]:
    return [each for each in events(held) if isinstance(each, GuardFired)]


@pytest.mark.parametrize(("name", "tool", "arguments", "told"), MISUSES)
async def test_a_misuse_goes_back_once_with_what_to_do(
    tmp_path: Path, name: str, tool: str, arguments: dict[str, Any], told: str
) -> None:
    held, model = await held_with(tmp_path, name, [(tool, arguments)], [(tool, arguments)], "Hm.")
    (found,) = fired(held)
    assert (found.kind, found.ends_turn) == ("protocol", False)
    assert told in found.why
    first, second = (each for each in events(held) if isinstance(each, ToolReturned))
    assert (first.ran, first.error) == (False, True)
    assert found.why in first.text
    assert found.why in str(model.requests[1].messages)
    assert "not run" not in second.text  # made again as it was, its tool answers it


@pytest.mark.parametrize(("name", "tool", "arguments", "told"), MISUSES)
async def test_a_routine_session_leaves_it_to_the_tool(
    tmp_path: Path, name: str, tool: str, arguments: dict[str, Any], told: str
) -> None:
    held, _ = await held_with(tmp_path, name, [(tool, arguments)], "Hm.", coupled=False)
    assert fired(held) == []


async def test_two_calls_for_what_one_call_takes_both_go_back(tmp_path: Path) -> None:
    method = "paypal_1397278"
    both = [
        ("return_delivered_order_items",
         {"order_id": DELIVERED, "item_ids": [each], "payment_method_id": method})
        for each in (BELT, SWEATER)
    ]  # fmt: skip
    held, _ = await held_with(tmp_path, "retail", both, "Hm.")
    assert [each.arguments for each in fired(held)] == [given for _, given in both]
    assert "make one call with all items" in fired(held)[0].why
    assert not any(isinstance(each, CardShown) for each in events(held))


async def test_two_look_ups_of_one_order_are_not_two_changes(tmp_path: Path) -> None:
    twice = call("get_order_details", order_id=PENDING) * 2
    held, _ = await held_with(tmp_path, "retail", twice, "Hm.")
    assert fired(held) == []
    assert sum(isinstance(each, ToolCalled) for each in events(held)) == 2


@pytest.mark.parametrize("odd", [None, 7, ["x"], {}])
async def test_strange_arguments_are_the_tools_to_answer(tmp_path: Path, odd: object) -> None:
    answers = [
        call("get_order_details", order_id=odd),
        call("get_product_details", product_id=odd),
        call("return_delivered_order_items", order_id=odd, item_ids=odd, payment_method_id=odd),
    ]
    held, _ = await held_with(tmp_path, "retail", *answers, "Hm.")
    assert fired(held) == []
    assert all(each.error for each in events(held) if isinstance(each, ToolReturned))

"""Cards to be looked at: made from the demo's records, with what was said about them added."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import domains
from agent.gate.card import make_card
from console.widgets.card import CardView
from domains.core.tool import ToolCall
from sessions.events import Card, Disagreement, Precondition
from tests.console.stage import Stage

FIVE = [
    {"first_name": first, "last_name": "Lindholm", "dob": f"19{80 + number}-05-21"}
    for number, first in enumerate(("Oskar", "Petra", "Nils", "Freya", "Alma"))
]


def card_of(domain: str, name: str, **arguments: Any) -> Card:
    """The card of a call on the demo's records."""
    opened = domains.load(domain)
    records, tool = opened.records(), opened.tools.get(name)
    assert tool is not None
    preview = records.preview(ToolCall(name, arguments))
    assert not preview.result.error, preview.result.text
    owner = Precondition(
        name="You were identified, and these records are yours", source="policy", verdict="holds"
    )
    card = make_card(tool, preview, records, call_id="call_1", owner=owner)
    return card.model_copy(update={"id": "card_1"})


def right_call(domain: str, name: str, number: int = 0) -> dict[str, Any]:
    """The arguments of a call that one of the demo's roles needs and that works as it stands."""
    opened = domains.load(domain)
    calls = [call for each in opened.scenarios for end in each.ends for call in end]
    fitting = [
        dict(each.arguments)
        for each in calls
        if each.name == name and not opened.records().preview(each).result.error
    ]
    return fitting[number]


def cancellation() -> Card:
    """A plain cancellation, as it was asked for."""
    card = card_of("retail", "cancel_pending_order", **right_call("retail", "cancel_pending_order"))
    return card.model_copy(update={"asked": ("please cancel that order, i don't need it anymore",)})


def disagreeing_exchange() -> Card:
    """An exchange that is not the one that was asked for."""
    name = "exchange_delivered_order_items"
    card = card_of("retail", name, **right_call("retail", name))
    return card.model_copy(
        update={
            "asked": ("i want the clicky one, but full size, and paid with my gift card",),
            "disagreements": (
                Disagreement(
                    kind="option",
                    does="the new Mechanical Keyboard is tenkeyless",
                    said="i want the clicky one, but full size",
                    by="customer",
                ),
                Disagreement(
                    kind="payment method",
                    does="$19.50 go back to Mastercard ending 6031",
                    said="The difference goes to your gift card.",
                    by="agent",
                ),
            ),
            "stays": ("Water Bottle (1000ml, steel, $49.95)", "Desk Lamp (black, $120.10)"),
        }
    )


def booking_for_five() -> Card:
    """A booking for five people, with a question that was answered before."""
    asked = right_call("airline", "book_reservation")
    asked |= {"passengers": FIVE, "total_baggages": 0, "nonfree_baggages": 0}
    opened = domains.load("airline")
    call = ToolCall("book_reservation", asked)
    card_on_file = asked["payment_methods"][-1]["payment_id"]
    asked["payment_methods"] = [{"payment_id": card_on_file, "amount": 1}]
    told = opened.records().preview(call).result.text
    found = re.search(r"total price is ([\d.]+)", told)
    assert found is not None, told
    asked["payment_methods"] = [{"payment_id": card_on_file, "amount": int(float(found[1]))}]
    card = card_of("airline", "book_reservation", **asked)
    before = [
        each.model_copy(update={"said": ("yes, all five of us, and no insurance",)})
        if "insurance" in each.name and each.verdict == "judge"
        else each
        for each in card.before
    ]
    return card.model_copy(
        update={"before": tuple(before), "asked": ("book it for the five of us, no insurance",)}
    )


def with_five_questions() -> Card:
    """A cancellation with more questions than are put at once."""
    card = cancellation()
    asked = [
        Precondition(name=f"Is it so, for the {number} time?", source="policy", verdict="judge")
        for number in ("first", "second", "third", "fourth", "fifth")
    ]
    return card.model_copy(update={"before": (*card.before[:1], *asked)})


def against_the_policy() -> Card:
    """A cancellation that the policy does not allow, with letters to look at twice."""
    opened = domains.load("airline")
    for key in sorted(opened.base.collections["reservations"]):
        if (
            opened.records()
            .preview(ToolCall("cancel_reservation", {"reservation_id": key}))
            .result.error
        ):
            continue
        card = card_of("airline", "cancel_reservation", reservation_id=key)
        if len(card.failing) == 1:
            return card.model_copy(
                update={"asked": ("cancel my trip please",), "non_ascii": ("а U+0430",)}
            )
    raise AssertionError("every reservation of the demo may be cancelled")


def crowded() -> Card:
    """More than fits anywhere: every part of a card, each of them long."""
    long = " ".join(f"and then word {number}" for number in range(60))
    question = Precondition(name=f"Is this so, {long}?", source="policy", verdict="judge")
    fails = Precondition(
        name=f"It must be so, {long}", source="policy", verdict="fails", value=long
    )
    return Card(
        id="card_1",
        call_id="call_1",
        tool="take",
        arguments={"jar": "red", "note": "x" * 3_000},
        sentence=f"Take everything, {long}.",
        asked=(long, long),
        disagreements=tuple(
            Disagreement(kind="amount", does=f"pays ${number},000", said=long, by="customer")
            for number in range(1, 6)
        ),
        before=(*(fails,) * 5, *(question,) * 5),
        after=(long,) * 30,
        stays=(long,) * 5,
        closes=(long,) * 3,
        removed=("U+202E",),
        non_ascii=("а U+0430", "U+200B"),
        call_digest="",
        state_digest="",
        worded_by="another",
        struck=long,
        unsupported=("word 7",),
    )


@asynccontextmanager
async def put_up(held: Stage, card: Card) -> AsyncIterator[CardView]:
    """Put a card before the person, on the conversation's own desk, until the end of the block."""
    asking = asyncio.create_task(held.screen.decide(card))
    try:
        yield await held.ready_card()
    finally:
        asking.cancel()
        with suppress(asyncio.CancelledError):
            await asking
        await held.until(lambda: held.card is None, "the card taken away")

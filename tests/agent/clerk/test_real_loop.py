from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

import domains
from agent.clerk.clerk import Clerk
from agent.conversation import Conversation
from agent.operator import Decision
from sessions.events import Card, Safeguards
from tests.agent.held import conversation, events

SCRIPTS: dict[str, Any] = json.loads(
    Path(__file__).with_name("scenarios.json").read_text(encoding="utf-8")
)
SWAP = (
    "hi, i'm yusuf rossi, zip 19122, swap the keyboard from my last order for the clicky "
    "tenkeyless rgb one, on paypal"
)
REFLECTING = Safeguards(reflection=True)
UNREMINDED = Safeguards(reflection=False)


class Person:
    by = "person"

    def __init__(self, *decisions: str) -> None:
        self._decisions = list(decisions)
        self.cards: list[Card] = []

    async def decide(self, card: Card) -> Decision:
        self.cards.append(card)
        choice, _, words = (self._decisions.pop(0) if self._decisions else "approve").partition(":")
        return Decision(cast(Any, choice), words.strip(), 900)


def said(held: Conversation) -> list[str]:
    return [event.text for event in events(held) if event.type == "agent_said"]


def writes(held: Conversation) -> list[tuple[str, dict[str, Any]]]:
    applied = (event for event in events(held) if event.type == "write_applied")
    return [(event.name, event.arguments) for event in applied]


async def play(
    folder: Path,
    lines: list[str],
    *decisions: str,
    mistake: str | None = None,
    safeguards: Safeguards = UNREMINDED,
) -> tuple[Conversation, Person]:
    person = Person(*decisions)
    async with conversation(
        folder, Clerk(mistake), person, domain=domains.load("retail"), safeguards=safeguards
    ) as held:
        for line in lines:
            await held.say(line)
        return held, person


async def test_a_wrong_item_shows_on_the_card_and_a_reject_keeps_the_records(
    tmp_path: Path,
) -> None:
    held, person = await play(tmp_path, [SWAP, "no"], "reject", mistake="wrong-item")
    assert "tenkeyless, RGB" not in person.cards[0].sentence
    assert person.cards[0].arguments["new_item_ids"] != ["6164516000"]
    assert writes(held) == []


@pytest.mark.parametrize("safeguards", [REFLECTING, UNREMINDED], ids=["reminded", "unreminded"])
async def test_a_wrong_payment_method_shows_on_the_card(
    tmp_path: Path, safeguards: Safeguards
) -> None:
    _, person = await play(
        tmp_path, [SWAP], "reject", mistake="wrong-payment", safeguards=safeguards
    )
    assert "Mastercard" in person.cards[0].sentence
    assert "PayPal" not in person.cards[0].sentence


async def test_the_last_request_is_skipped(tmp_path: Path) -> None:
    lines = SCRIPTS["coffee-and-lamp"]["lines"][:1]
    held, _ = await play(tmp_path, lines, mistake="skips-last-request")
    assert [name for name, _ in writes(held)] == ["cancel_pending_order"]


async def test_no_request_is_skipped_by_a_clerk_that_makes_no_mistake(tmp_path: Path) -> None:
    held, _ = await play(tmp_path, SCRIPTS["coffee-and-lamp"]["lines"][:1])
    assert len(writes(held)) == 2


async def test_without_a_reminder_the_forgetful_clerk_gets_a_card_with_a_failed_check(
    tmp_path: Path,
) -> None:
    lines = SCRIPTS["same-skillet"]["lines"]
    _, person = await play(tmp_path, lines, "reject", mistake="forgets-policy")
    assert [check.name for check in person.cards[0].before if check.verdict == "fails"]


async def test_a_reminder_keeps_the_forgetful_clerk_to_the_policy_and_no_card_is_shown(
    tmp_path: Path,
) -> None:
    lines = SCRIPTS["same-skillet"]["lines"]
    held, person = await play(tmp_path, lines, mistake="forgets-policy", safeguards=REFLECTING)
    assert person.cards == []
    assert any(event.type == "reflection_written" for event in events(held))
    assert any("very same item" in text for text in said(held))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how much do I get back?", "$19.50 back to PayPal"),
        ("which card is that?", "PayPal"),
        ("can I still cancel it later?", "Nothing in this order can be exchanged or returned"),
        ("why?", "That is how I understood your request"),
        ("is it the clicky one?", "clicky, tenkeyless, RGB"),
        ("what happens next?", "exchange requested"),
        ("when do i get the money", "no money moves before"),
        ("hrmpf", "You can approve it, reject it, or say what should be different"),
    ],
)
async def test_a_question_about_a_waiting_card_is_answered_from_the_card(
    tmp_path: Path, question: str, answer: str
) -> None:
    held, person = await play(tmp_path, [SWAP], f"ask: {question}")
    about = [event for event in events(held) if event.type == "agent_said" and event.about_card]
    assert answer in about[0].text
    assert person.cards[0] == person.cards[1]


async def test_what_was_asked_at_the_card_does_not_change_what_is_said_after_it(
    tmp_path: Path,
) -> None:
    held, _ = await play(tmp_path, [SWAP], "ask: how much is it?", "ask: cancel what?", "approve")
    assert "exchange in order #W1457422 is requested" in said(held)[-1]


async def test_after_a_question_the_change_that_is_wanted_comes_on_a_new_card(
    tmp_path: Path,
) -> None:
    held, person = await play(
        tmp_path, [SWAP], "ask: which card is that?", "change: use the credit card", "approve"
    )
    assert "Mastercard" in person.cards[-1].sentence
    assert [arguments["payment_method_id"] for _, arguments in writes(held)] == [
        "credit_card_8263198"
    ]

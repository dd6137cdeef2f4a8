"""Questions at a card: what is not known of it is never answered with something else.

``card_questions.json`` has what a customer says to get each card, and per question what is told
about it, and what is never.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import domains
from agent.clerk.airline.skills import AIRLINE
from agent.clerk.card_questions.answering import answer_about_card
from agent.clerk.card_questions.money_answers import amount
from agent.clerk.card_questions.waiting_card import WaitingCard
from agent.clerk.retail.skills import RETAIL
from agent.models.protocol import Message
from domains.core.canonical import canonical
from domains.core.tool import ToolCall
from domains.text.one_line import quotation
from tests.agent.clerk.driver import Driver
from tests.generators.clerk_card_questions.train import (
    DOMAINS,
    count_right,
    kept_apart,
    questions_of,
)

SKILLS = {"retail": RETAIL, "airline": AIRLINE}

KEPT = json.loads((Path(__file__).parent / "card_questions.json").read_text(encoding="utf-8"))
CARDS = KEPT["cards"]


@cache
def waiting(line: str, domain: str) -> tuple[tuple[Message, ...], ToolCall]:
    """The messages up to a card, which is then declined."""
    driver = Driver(domains.load(domain), decisions=["reject"])
    driver.say(line)
    (proposed,) = driver.proposed
    place = next(n for n, m in enumerate(driver.messages) if "Not carried" in str(m["content"]))
    return tuple(driver.messages[: place - 1]), proposed


def answer(line: str, question: str, of: str = "retail") -> str:
    """What the clerk says to a question at the card that a first line leads to."""
    messages, proposed = waiting(line, of)
    domain = domains.load(of)
    tool = domain.tools.get(proposed.name)
    assert tool is not None
    assert tool.notes is not None
    records = domain.records()
    preview = records.preview(proposed)
    notes, given = tool.notes, proposed.arguments
    lines = [
        "Console note: A card is waiting: the customer is looking at this change.",
        f"The call: {proposed.name}({canonical(given)})",
        f"The card says: {notes.sentence(records.draft(), given)}",
        *(f"Afterwards: {e.text}" for e in notes.effects(preview.after, given, preview.changes)),
        *(f"Afterwards no longer possible: {e}" for e in notes.closes(preview.after, given)),
    ]
    note: Message = {"role": "user", "content": "\n".join(lines)}
    return answer_about_card([*messages, note, {"role": "user", "content": question}], SKILLS[of])


@pytest.mark.parametrize(
    "row", KEPT["questions"], ids=lambda row: f"{row['card']}: {row['ask'][0]}"
)
def test_a_question_is_answered_by_what_it_is_about_or_not_at_all(row: dict[str, Any]) -> None:
    for question in row["ask"]:
        said = answer(CARDS[row["card"]], question, row["domain"])
        assert [each for each in row["told"] if each not in said] == []
        assert [each for each in row.get("never", ()) if each in said] == []


@pytest.mark.parametrize("question", ["is that both of us", "is everyone on it?"])
def test_who_flies_is_told_to_who_asks_if_all_of_them_do(question: str) -> None:
    people = [
        {"first_name": first, "last_name": "Visser", "dob": "1990-01-01"}
        for first in ("Anneke", "Joost")
    ]
    lines = (
        "Console note: A card is waiting: the customer is looking at this change.",
        f"The call: book_reservation({canonical({'passengers': people})})",
        "The card says: Book a flight from Boston to Chicago for 2.",
    )
    messages: list[Message] = [
        {"role": "user", "content": "\n".join(lines)},
        {"role": "user", "content": question},
    ]
    said = answer_about_card(messages, AIRLINE)
    assert "Anneke Visser" in said
    assert "Joost Visser" in said
    assert "does not say" not in said


def test_what_a_certificate_can_be_used_for_is_told() -> None:
    lines = (
        "Console note: A card is waiting: the customer is looking at this change.",
        f"The call: send_certificate({canonical({'user_id': 'x', 'amount': 100})})",
        "The card says: Give Linnea Sandberg a travel certificate worth $100.00.",
    )
    note: Message = {"role": "user", "content": "\n".join(lines)}

    def told(question: str) -> str:
        return answer_about_card([note, {"role": "user", "content": question}], AIRLINE)

    assert "Yes, it can be spent on any flight that you book" in told(
        "can I spend that on any flight?"
    )
    assert "No, bags, upgrades and changes" in told("can I use it for bags?")


@pytest.mark.heavy
@pytest.mark.parametrize("domain", DOMAINS)
def test_questions_that_nothing_was_learned_from_are_told_by_topic(domain: str) -> None:
    kept = kept_apart(questions_of(domain))
    assert len(kept) > 200
    assert count_right(kept) >= 0.85 * len(kept)


def test_an_unchanged_price_is_no_answer_to_what_it_costs() -> None:
    line = "Task Chair: as before; same: seat leather; $336.00 as before"
    card = WaitingCard(None, "will this cost me anything?", told={"after": [line]})
    assert amount(card) == "The card gives no amount."


def test_an_answer_is_quoted_on_the_card_without_a_code_point() -> None:
    line = "tobias keller, zip 53703. Ship my pending order to 12 O'Neil Street, Madison, WI 53703"
    for question in ("why?", "what will happen next?", "do you gift wrap", "where does it go?"):
        assert "U+" not in quotation(answer(line, question), 1_000)

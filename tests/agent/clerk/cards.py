"""Cards that the clerk's own proposals lead to, and questions at them."""

from __future__ import annotations

from functools import cache

import domains
from agent.clerk.airline.skills import AIRLINE
from agent.clerk.domain_skills import DomainSkills
from agent.clerk.questions.at_card import answer_about_card, read_card
from agent.clerk.questions.known_facts import facts_at_card
from agent.clerk.questions.waiting_card import WaitingCard
from agent.clerk.retail.skills import RETAIL
from agent.clerk.state.messages import policy_of
from agent.models.protocol import Message
from domains.core.canonical import canonical
from domains.core.tool import ToolCall
from tests.agent.clerk.driver import Driver

SKILLS: dict[str, DomainSkills] = {"retail": RETAIL, "airline": AIRLINE}


@cache
def card_after(domain: str, *lines: str, approved: int = 0) -> tuple[Message, ...]:
    """The messages up to a card that these lines lead to, and the note about it.

    It is the first card after those that are ``approved``.
    """
    driver = Driver(domains.load(domain), decisions=["approve"] * approved + ["reject"] * 9)
    for line in lines:
        driver.say(line)
        if len(driver.proposed) > approved:
            break
    place = next(n for n, m in enumerate(driver.messages) if "Not carried" in str(m["content"]))
    return *driver.messages[: place - 1], _note(driver, driver.proposed[approved])


def _note(driver: Driver, proposed: ToolCall) -> Message:
    tool = driver.domain.tools.get(proposed.name)
    assert tool is not None
    assert tool.notes is not None
    records = driver.records
    preview = records.preview(proposed)
    notes, given = tool.notes, proposed.arguments
    lines = [
        "Console note: A card is waiting: the customer is looking at this change.",
        f"The call: {proposed.name}({canonical(given)})",
        f"The card says: {notes.sentence(records.draft(), given)}",
        *(f"Afterwards: {e.text}" for e in notes.effects(preview.after, given, preview.changes)),
        *(f"Afterwards no longer possible: {e}" for e in notes.closes(preview.after, given)),
    ]
    return {"role": "user", "content": "\n".join(lines)}


def ask(domain: str, question: str, *lines: str, approved: int = 0) -> str:
    """What the clerk says to a question at the card that these lines lead to."""
    asked: Message = {"role": "user", "content": question}
    messages = card_after(domain, *lines, approved=approved)
    return answer_about_card([*messages, asked], SKILLS[domain])


def card_and_facts(domain: str, *lines: str) -> tuple[WaitingCard, list[str]]:
    """The card that these lines lead to, and the facts that questions at it are answered from."""
    messages = [*card_after(domain, *lines), {"role": "user", "content": "?"}]
    card = read_card(messages, SKILLS[domain])
    assert card is not None
    return card, facts_at_card(card, SKILLS[domain], policy_of(messages))

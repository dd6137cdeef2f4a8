"""Answers to questions about a change that waits on a card, from the card's own words.

What the customer reads on the card comes to the clerk in the console's note; what that leaves out
(a card's last digits, how long a refund takes) comes from the records that were read before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agent.chat import Message
from agent.clerk.folding import ABOUT_CARD, CARD_WAITS, fold, text_of
from agent.clerk.language import corrected, meanings, plain
from agent.clerk.memory import Json, Memory
from agent.clerk.wording import address, method, refund_time

_DECIDE = "You can approve it, reject it, or say what should be different."
_NOTHING_WAITS = f"I can't change anything right now. {_DECIDE}"
_LINES = {
    "The card says": "sentence",
    "Afterwards": "after",
    "Afterwards no longer possible": "closes",
}


@dataclass
class Waiting:
    """The card as the console's note tells of it, and what was read before."""

    memory: Memory
    arguments: dict[str, Any] = field(default_factory=dict)
    told: dict[str, list[str]] = field(default_factory=dict)
    """The card's sentence, its effects and what it rules out, by the names in ``_LINES``."""

    @property
    def sentence(self) -> str:
        """What is about to happen."""
        return " ".join(self.told.get("sentence", ()))

    def after(self, words: str) -> list[str]:
        """The effects that speak of something."""
        return [line for line in self.told.get("after", ()) if re.search(words, line.lower())]

    @property
    def method(self) -> tuple[str, Json | None]:
        """The payment method that money goes to or comes from, with its record."""
        chosen = str(self.arguments.get("payment_method_id") or "")
        if not chosen:
            record = self.memory.orders.get(str(self.arguments.get("order_id")), {})
            history = record.get("payment_history") or []
            chosen = str(history[0]["payment_method_id"]) if history else ""
        return chosen, self.memory.methods.get(chosen)


def answer_about_card(messages: list[Message]) -> str:
    """What the card and the records say on the question that the last message asks."""
    card = _waiting(messages)
    if card is None:
        return _NOTHING_WAITS
    asked = corrected(plain(text_of(messages[-1])))
    found = [_TOPICS[topic](card) for topic in meanings("about_card", asked)]
    known = list(dict.fromkeys(each for each in found if each))
    return ABOUT_CARD + (" ".join(known) or f"{card.sentence} {_DECIDE}")


def _waiting(messages: list[Message]) -> Waiting | None:
    note = next((text_of(m) for m in reversed(messages) if CARD_WAITS in text_of(m)), None)
    if note is None:
        return None
    read = [each for each in messages if each.get("role") != "user"]
    card = Waiting(fold(read).memory)
    for line in note.splitlines():
        name, _, words = line.partition(": ")
        if name in _LINES:
            card.told.setdefault(_LINES[name], []).append(words.strip())
        elif name == "The call":
            card.arguments = _arguments(words)
    return card


def _arguments(call: str) -> dict[str, Any]:
    try:
        found = json.loads(call[call.index("(") + 1 : call.rindex(")")])
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _amount(card: Waiting) -> str:
    money = card.sentence.rpartition("; ")[2].rstrip(".")
    if "$" in money:
        return f"{money}."
    return _sentence(card.after(r"\$")) or f"The card names no amount. {card.sentence}".strip()


def _when(card: Waiting) -> str:
    lines = card.after(r"\b(?:days?|at once|once they|immediately|no money)\b")
    how = card.method[1]
    if lines or how is None:
        return _sentence(lines)
    return f"Money comes back to your {_name(card)} {refund_time(how)}."


def _name(card: Waiting) -> str:
    chosen, how = card.method
    return method(how, chosen)


def _payment(card: Waiting) -> str:
    return f"That is your {_name(card)}." if card.method[0] else ""


def _place(card: Waiting) -> str:
    if "address1" in card.arguments:
        return f"The new address would be {address(card.arguments)}."
    record = card.memory.orders.get(str(card.arguments.get("order_id")))
    return f"The order goes to {address(record['address'])}." if record else ""


def _later(card: Waiting) -> str:
    closes = card.told.get("closes", [])
    if closes:
        return f"{_sentence(closes)} Nothing has been changed yet."
    return "The card names nothing that would no longer be possible afterwards."


def _why(card: Waiting) -> str:
    return f"That is how I understood your request: {card.sentence} {_DECIDE}"


def _next(card: Waiting) -> str:
    return f"If you approve: {_sentence(card.told.get('after', []))}"


def _sentence(lines: list[str]) -> str:
    text = "; ".join(line.rstrip(".") for line in lines)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


_TOPICS: dict[str, Callable[[Waiting], str]] = {
    "amount": _amount,
    "when": _when,
    "payment": _payment,
    "place": _place,
    "later": _later,
    "why": _why,
    "next": _next,
    "what": lambda card: card.sentence,
}

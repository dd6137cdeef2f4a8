"""Answers to questions about a change that waits on a card, from the card's own words.

What the customer reads on the card comes to the clerk in the console's note; what that leaves out
comes from the records that were read before, where a trade knows how.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.clerk.folding import fold
from agent.clerk.state.messages import ABOUT_CARD, CARD_WAITS, text_of
from agent.clerk.state.records import as_object
from agent.clerk.trade import Trade
from agent.clerk.understanding.tokens import has, tokens
from agent.models.protocol import Message

_DECIDE = "You can approve it, reject it, or say what should be different."
_SAYS_NOTHING = "As far as I can tell, the card does not say that. What it says:"
_NOTHING_TO_PAY = "The card names nothing to pay: "
_MARKS = (
    "On the card ✗ stands beside a check that does not hold, with what was found; ≠ beside what "
    "differs from what was said. I don't see the marks myself."
)
_NOTHING_WAITS = f"I can't change anything right now. {_DECIDE}"
_RULING = ("marks", "total", "balance", "before", "keep")
"""Topics that a question is about alone, whatever other words stand in it."""

_PAYS = (
    "cost", "charge", "charged", "fee", "fees", "pay", "extra", "penalty", "free", "for free",
)  # fmt: skip
_SEVERAL = ("both of us", "all of us", "each of us", "both of them", "all of them", "everyone")
_STRAIGHT = str.maketrans("“”", "''")
"""The card stands an answer in curly quotes: within it they would be spelled by code point."""

_LINES = {
    "The card says": "sentence",
    "Afterwards": "after",
    "Afterwards no longer possible": "closes",
}


@dataclass
class Waiting:
    """The card as the console's note tells of it, and what was read before."""

    memory: Any
    """What the trade's own memory holds."""

    question: str = ""
    """What is asked about it."""

    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    told: dict[str, list[str]] = field(default_factory=dict)
    """The card's sentence, its effects and what it rules out, by the names in ``_LINES``."""

    @property
    def sentence(self) -> str:
        """What is about to happen."""
        return " ".join(self.told.get("sentence", ()))

    @property
    def moves_money(self) -> bool:
        """Whether it tells of money that is paid or comes back."""
        return "$" in self.sentence or bool(self.after(r"\$"))

    def after(self, words: str) -> list[str]:
        """The effects that speak of something."""
        return [line for line in self.told.get("after", ()) if re.search(words, line.lower())]


def answer_about_card(messages: list[Message], trade: Trade) -> str:
    """What the card and the records say on the question that the last message asks."""
    card = _waiting(messages, trade)
    if card is None:
        return _NOTHING_WAITS
    card.question = text_of(messages[-1])
    found = [trade.card_topics[topic](card) for topic in _topics(card.question, trade)]
    known = list(dict.fromkeys(each for each in found if each))
    told = " ".join(known) or f"{_SAYS_NOTHING} {card.sentence} {_DECIDE}"
    return ABOUT_CARD + told.translate(_STRAIGHT)


def _topics(text: str, trade: Trade) -> list[str]:
    """What a question about a card is about; how much it is includes all that is asked of it."""
    words = tokens(text)
    found = [name for name, cues in trade.asked_of_cards.items() if has(words, *cues)]
    ruling = next((each for each in _RULING if each in found), "")
    if ruling:
        return [ruling]
    return ["amount"] if found[:1] == ["amount"] and "payment" not in found else found


def _waiting(messages: list[Message], trade: Trade) -> Waiting | None:
    note = next((text_of(m) for m in reversed(messages) if CARD_WAITS in text_of(m)), None)
    if note is None:
        return None
    read = [each for each in messages if each.get("role") != "user"]
    card = Waiting(fold(read, trade).memory)
    for line in note.splitlines():
        name, _, words = line.partition(": ")
        if name in _LINES:
            card.told.setdefault(_LINES[name], []).append(words.strip())
        elif name == "The call":
            tool, _, rest = words.partition("(")
            card.tool, card.arguments = tool.strip(), as_object(rest.rpartition(")")[0]) or {}
    return card


def _amount(card: Waiting) -> str:
    money = card.sentence.rpartition("; ")[2].rstrip(".")
    if "$" in money:
        comes_back = re.search(r"\bback\b", money) and "more" not in money
        asks_to_pay = has(tokens(card.question), *_PAYS)
        return f"{_NOTHING_TO_PAY if comes_back and asks_to_pay else ''}{money}."
    if re.search(r"\bprice\b|\bno money\b", money):
        return sentence([money])
    amounts = [line for line in card.after(r"\$") if "as before" not in line]
    return sentence(amounts) or f"The card names no amount. {card.sentence}".strip()


def _later(card: Waiting) -> str:
    closes = card.told.get("closes", [])
    if closes:
        return f"{sentence(closes)} Nothing has been changed yet."
    return "The card does not say what would still be possible afterwards."


def _what(card: Waiting) -> str:
    several = has(tokens(card.question), *_SEVERAL)
    return "" if several else f"The card says: {card.sentence}"


def _why(card: Waiting) -> str:
    return f"That is how I understood your request: {card.sentence} {_DECIDE}"


def _next(card: Waiting) -> str:
    return f"If you approve: {sentence(card.told.get('after', []))}"


def sentence(lines: list[str]) -> str:
    """Lines of the card as one sentence."""
    text = "; ".join(line.rstrip(".") for line in lines)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


TOPICS: Mapping[str, Callable[[Waiting], str]] = {
    "amount": _amount,
    "later": _later,
    "why": _why,
    "next": _next,
    "what": _what,
    "marks": lambda card: _MARKS,
}
"""What every card can tell of itself, by topic."""

"""Answers questions about a change that waits on a card, using the card's own words.

The clerk learns from the console's note what the customer reads on the card. Anything that the note
leaves out comes from records that were read before, if the domain has a function for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.clerk.domain_skills import DomainSkills
from agent.clerk.rebuilding import rebuild_dialogue
from agent.clerk.state.messages import ABOUT_CARD, CARD_WAITS, policy_of, text_of
from agent.clerk.state.records import as_object
from agent.clerk.understanding.tokens import has, tokens
from agent.models.protocol import Message

_DECIDE = "You can approve it, reject it, or say what should be different."
_SAYS_NOTHING = "As far as I can tell, the card does not say that."
_NOTHING_TO_PAY = "The card lists nothing to pay: "
_MARKS = (
    "On the card, ✗ marks a check that failed, with what was found; ≠ marks what differs from what "
    "was said. I can't see the marks myself."
)
_NOTHING_WAITS = f"I can't change anything right now. {_DECIDE}"
_SURELY = 7.0
"""How well an answer about rules must fit a question that the card does not answer."""

_EXCLUSIVE_TOPICS = ("marks", "total", "balance", "before", "keep")
"""Topics that exclude all others: a question that mentions one is about that one alone."""

_PAYS = (
    "cost", "charge", "charged", "fee", "fees", "pay", "extra", "penalty", "free", "for free",
)  # fmt: skip
_SEVERAL = ("both of us", "all of us", "each of us", "both of them", "all of them", "everyone")
_STRAIGHT = str.maketrans("“”", "''")
"""Replaces curly quotes with straight ones.

The card shows an answer in curly quotes, and curly quotes inside it would be spelled out as code
points.
"""

_LINES = {
    "The card says": "sentence",
    "Afterwards": "after",
    "Afterwards no longer possible": "closes",
}


@dataclass
class WaitingCard:
    """A waiting card as described by the console's note, with the records read before it."""

    records: Any
    """The records of the domain's dialogue."""

    question: str = ""
    """The customer's question about the card."""

    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    told: dict[str, list[str]] = field(default_factory=dict)
    """The card's sentence, its effects and what it rules out, keyed by the values of ``_LINES``."""

    @property
    def sentence(self) -> str:
        """The sentence that says what is about to happen."""
        return " ".join(self.told.get("sentence", ()))

    @property
    def moves_money(self) -> bool:
        """Whether the card mentions money that is paid or refunded."""
        return "$" in self.sentence or bool(self.after(r"\$"))

    def after(self, words: str) -> list[str]:
        """The effects that match a regular expression."""
        return [line for line in self.told.get("after", ()) if re.search(words, line.lower())]


def answer_about_card(messages: list[Message], skills: DomainSkills) -> str:
    """Answer the question in the last message from the card and the records."""
    card = _waiting(messages, skills)
    if card is None:
        return _NOTHING_WAITS
    card.question = text_of(messages[-1])
    found = [skills.card_topics[topic](card) for topic in _topics(card.question, skills)]
    known = list(dict.fromkeys(each for each in found if each))
    rule = "" if known else skills.rules.find(card.question, policy_of(messages), _SURELY)
    told = " ".join(known) or f"{_SAYS_NOTHING} {rule or f'It says: {card.sentence} {_DECIDE}'}"
    return ABOUT_CARD + told.translate(_STRAIGHT)


def _topics(text: str, skills: DomainSkills) -> list[str]:
    """The topics of a question about a card: one of ``_EXCLUSIVE_TOPICS`` alone, or all that match.

    If the first match is the amount, the question is about nothing else, unless it also asks about
    the payment.
    """
    words = tokens(text)
    found = [name for name, cues in skills.card_topic_cues.items() if has(words, *cues)]
    ruling = next((each for each in _EXCLUSIVE_TOPICS if each in found), "")
    if ruling:
        return [ruling]
    return ["amount"] if found[:1] == ["amount"] and "payment" not in found else found


def _waiting(messages: list[Message], skills: DomainSkills) -> WaitingCard | None:
    note = next((text_of(m) for m in reversed(messages) if CARD_WAITS in text_of(m)), None)
    if note is None:
        return None
    read = [each for each in messages if each.get("role") != "user"]
    card = WaitingCard(rebuild_dialogue(read, skills).records)
    for line in note.splitlines():
        name, _, words = line.partition(": ")
        if name in _LINES:
            card.told.setdefault(_LINES[name], []).append(words.strip())
        elif name == "The call":
            tool, _, rest = words.partition("(")
            card.tool, card.arguments = tool.strip(), as_object(rest.rpartition(")")[0]) or {}
    return card


def _amount(card: WaitingCard) -> str:
    money = card.sentence.rpartition("; ")[2].rstrip(".")
    if "$" in money:
        comes_back = re.search(r"\bback\b", money) and "more" not in money
        asks_to_pay = has(tokens(card.question), *_PAYS)
        return f"{_NOTHING_TO_PAY if comes_back and asks_to_pay else ''}{money}."
    if re.search(r"\bprice\b|\bno money\b", money):
        return sentence([money])
    amounts = [line for line in card.after(r"\$") if "as before" not in line]
    if not card.after(r"\$") and has(tokens(card.question), *_PAYS):
        return f"{_NOTHING_TO_PAY.rstrip(': ')}."
    return sentence(amounts) or f"The card gives no amount. {card.sentence}".strip()


def _later(card: WaitingCard) -> str:
    closes = card.told.get("closes", [])
    return f"After this: {sentence(closes)} Nothing has been changed yet." if closes else ""


def _what(card: WaitingCard) -> str:
    several = has(tokens(card.question), *_SEVERAL)
    return "" if several else f"The card says: {card.sentence}"


def _why(card: WaitingCard) -> str:
    return f"That is how I understood your request: {card.sentence} {_DECIDE}"


def _next(card: WaitingCard) -> str:
    return f"If you approve: {sentence(card.told.get('after', []))}"


def sentence(lines: list[str]) -> str:
    """The lines of a card joined into one sentence with semicolons."""
    text = "; ".join(line.rstrip(".") for line in lines)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


TOPICS: Mapping[str, Callable[[WaitingCard], str]] = {
    "amount": _amount,
    "later": _later,
    "why": _why,
    "next": _next,
    "what": _what,
    "marks": lambda card: _MARKS,
}
"""The functions that answer questions about any card, by topic."""

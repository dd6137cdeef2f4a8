"""What is answered about any card, by topic: what comes next, what is possible later."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from agent.clerk.card_questions.asked import (
    _NUMBER,
    asks_of_methods,
    asks_of_money,
    denies,
    is_yes_or_no,
    numbers_of,
    reply,
)
from agent.clerk.card_questions.money_answers import payment, total
from agent.clerk.card_questions.topics import PHRASES, tells
from agent.clerk.card_questions.waiting_card import WaitingCard, as_sentence, likeness
from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import Tokens, has, tokens
from agent.clerk.wording import LONGEST, join_parts, quote

DECIDE = "You can approve it, reject it, or say what should be different."

SAY = "If you want it instead, tell me so."

WHY = f"I can't tell you why; the card is how I understood your request. {DECIDE}"

_MARKS = (
    "On the card, ✗ marks a check that failed, with what was found; ≠ marks what differs from what "
    "was said. I can't see the marks myself."
)

_OF_TRIP = ("flights", "cabin", "bags", "passengers", "insurance")

_ACTS = ("cancelling", "items", "address", "method", *_OF_TRIP)
"""What can still be done to an order or a reservation, or no longer."""

_OF_CARD = frozenset({"amount", "total", "payment", "balance", "split", "when", "next", "why"})
"""Topics of questions that are about the card, whatever else they mention."""

_CLEARLY = 0.1
"""How much more a question must be like what is possible than like what is not, or vice versa."""

_LIKE, _MORE = 0.28, 0.07
"""How like a text a question must be to be about it, and how much more than like the card."""


def why(card: WaitingCard, paid: str) -> str:
    """Why money is due, or goes where it does: what comes back was ``paid`` in that way."""
    if not asks_of_methods(card):
        asks = asks_of_money(card) or has(tokens(card.question), "more", "extra", "paying")
        due = asks and "more" in tokens(card.money)
        return f"What you pay is the new price less the old one: {card.money}." if due else ""
    same = card.tool.startswith("cancel") or card.after("^refund .*paid for this")
    return f"That is how it was paid: {paid}." if paid and same else WHY


def later(card: WaitingCard) -> str:
    """What will no longer be possible, and what still will be; to a yes or no, the nearest."""
    closes = [f"afterwards {re.sub(' (after this|later)$', '', each)}" for each in card.closes]
    known = [card.tool, *(f"{name} {value}" for name, value in card.arguments.items())]
    still = [text for each in known for text in PHRASES.by_name.get(f"still {each}", ())]
    closes += PHRASES.by_name.get(f"never {card.tool}", ())
    words, like = tokens(card.question), {e: likeness(card.question, e) for e in [*closes, *still]}
    asks = (GENERAL.tell(words, "may") or "able" in words) and not tells(words, "nothing")
    if named := _of_acts(words, like):
        answers = {None if tells(tokens(each), "only") else each in still for each in named}
        return reply(card, "; ".join(named), answers.pop() if asks and len(answers) == 1 else None)
    best = max(like, key=lambda line: like[line], default="")
    rival = max((like[e] for e in (closes if best in still else still)), default=0.0)
    if not like or tells(words, "asks which") or like[best] < max(_LIKE, rival + _CLEARLY):
        return " ".join(as_sentence([each]) for each in like)
    told = "; ".join(still) if best in still else best  # "can I change it?" is about any change
    return reply(card, told, best in still if asks else None)


def _of_acts(words: Tokens, like: Mapping[str, float]) -> list[str]:
    """The texts on what is or is not possible later that are about what a question names.

    For each thing named, it is the text that is about least else, and most like the question.
    """
    asked = {act for act in _ACTS if tells(words, act)}
    acts = {text: {act for act in _ACTS if tells(tokens(text), act)} for text in like}

    def fits(text: str) -> tuple[int, float]:
        return -len(acts[text] - asked), like[text]

    pools = ([text for text in like if act in acts[text]] for act in _ACTS if act in asked)
    return [*dict.fromkeys(max(pool, key=fits) for pool in pools if pool)]


def other_wishes(card: WaitingCard, topic: str) -> str:
    """Which other wishes come next, if a question on a topic is about any."""
    at_card = likeness(card.question, card.sentence)
    like = {each: likeness(card.question, each) for each in card.others}
    near = [each for each in like if like[each] >= max(_LIKE, at_card + _MORE)]
    asks = card.asks_of_others and at_card < max([_LIKE, *like.values()]) + _MORE
    if not (like and asks) and not (near and topic not in _OF_CARD):
        return ""
    told = f"comes next: {join_parts(map(_quoted, near or like))}"
    if topic == "contents" and not asks and is_yes_or_no(card.question):
        return reply(card, f"that is not part of this; it {told}", denies(tokens(card.question)))
    return reply(card, f"that {told}", True if asks else None)


def _quoted(wish: str) -> str:
    """A wish in the customer's words; a long one up to the end of a clause."""
    words = wish.split()
    while words[1:] and tells(tokens(words[0]), "joint"):
        del words[0]
    ends = [n for n in range(2, len(words)) if tells(tokens(words[n]), "joint")]
    ends += [n for n, word in enumerate(words, 1) if word[-1] in ",;:."]
    short = [n for n in ends if len(" ".join(words[:n])) <= LONGEST]
    fits = len(wish) <= LONGEST or not short
    return quote(" ".join(words if fits else words[: max(short)]))


def why_first(card: WaitingCard) -> str:
    """Why this comes before the other wishes, if a question is about that."""
    words = tokens(card.question)
    if not (card.others and tells(words, "why") and tells(words, "first")):
        return ""
    keys = [f"{card.tool} before {each}" for each in card.tools_to_come]
    known = [text for each in keys for text in PHRASES.by_name.get(each, ())]
    reason = "".join(known[:1]) or "I make one change at a time"
    return f"{reason}. What comes next: {join_parts(map(_quoted, card.others))}."


def lines_with_number(card: WaitingCard) -> str:
    """The lines of the card with a number that the question names, such as a balance."""
    asked = {each for each in _NUMBER.findall(card.question) if len(each) > 1}
    return as_sentence([e for e in [*card.after(), *card.closes] if asked & {*numbers_of(e)}])


SHARED_TOPICS: Mapping[str, Callable[[WaitingCard], str]] = {
    "sum": lambda card: as_sentence([card.money]),
    "total": total,
    "later": later,
    "use": lambda card: later(replace(card, tool="spending")),
    "payment": payment,
    "next": lambda card: f"If you approve: {as_sentence(card.after())}" if card.after() else "",
    "marks": lambda card: _MARKS,
    "wish": lambda card: DECIDE,
    "approve": lambda card: DECIDE,
}
"""The functions that answer questions about any card, by topic."""

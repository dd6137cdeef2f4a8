"""What is answered about any card, by topic: money, what comes next, what is possible later."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping

from agent.clerk.card_questions.waiting_card import WaitingCard, as_sentence
from agent.clerk.understanding.phrases import tells
from agent.clerk.understanding.tokens import has, tokens

DECIDE = "You can approve it, reject it, or say what should be different."
_MARKS = (
    "On the card, ✗ marks a check that failed, with what was found; ≠ marks what differs from what "
    "was said. I can't see the marks myself."
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_UNMOVED = re.compile(r"\bprice\b|\bno money\b")


def amount(card: WaitingCard) -> str:
    """What is paid or comes back; whether it is the sum that the question names, if it does."""
    if "$" in card.money:
        paid = _pays(card) and re.search(r"\bback\b", card.money) and "more" not in card.money
        lead = "The card lists nothing to pay: " if paid else _yes(card)
        return f"{lead}{card.money}."
    if _UNMOVED.search(card.money):
        return as_sentence([card.money])
    amounts = [line for line in card.after(r"\$") if "as before" not in line]
    if not card.after(r"\$") and _pays(card):
        return "The card lists nothing to pay."
    return as_sentence(amounts) or f"The card gives no amount. {card.sentence}".strip()


def total(card: WaitingCard) -> str:
    """A yes or no on whether the total goes up, down or stays, with the amount on the card."""
    words = tokens(card.question)
    same = has(words, "stay", "stays", "same", "unchanged")
    if "$" not in card.money:
        unmoved = card.money if _UNMOVED.search(card.money) else "no money is moved by this"
        return f"{'Yes' if same else 'No'}: {unmoved}."
    moved = "goes down" if has(tokens(card.money), "back", "less") else "goes up"
    asked = [way for way in ("goes up", "goes down") if tells(words, way)]
    if not same and not asked and not has(words, "change", "changes", "different"):
        return f"{card.money}."
    return f"{'No' if same or (asked and moved not in asked) else 'Yes'}: {card.money}."


def later(card: WaitingCard, still: Mapping[str, str]) -> str:
    """What will no longer be possible, and what still will be, by the tool."""
    closes = "; ".join(each.removesuffix(" after this") for each in card.closes)
    told = [f"Afterwards {closes}."] if closes else []
    told += [still[card.tool]] if card.tool in still else []
    return " ".join([*told, "This card has changed nothing yet."]) if told else ""


def not_used(card: WaitingCard, kinds: Collection[str]) -> str:
    """What the card says of payment methods that are not used, if the question asks about them."""
    return as_sentence(card.after("^not used")) if has(tokens(card.question), *kinds) else ""


def lines_with_number(card: WaitingCard) -> str:
    """The lines of the card with a number that the question names, such as a balance."""
    asked = {each for each in _NUMBER.findall(card.question) if len(each) > 1}
    lines = (line for line in [*card.after(), *card.closes] if asked & {*_numbers(line)})
    return as_sentence([*lines])


def _numbers(text: str) -> Iterator[str]:
    return (each.removesuffix(".00") for each in _NUMBER.findall(text))


def is_yes_or_no(question: str) -> bool:
    """Whether a question asks whether something is so."""
    words = tokens(question)
    tagged = has(words[-2:], "right", "correct", "yes", "yeah", "no")
    return tagged or tells(words[:1], "asks whether")


def _pays(card: WaitingCard) -> bool:
    return tells(tokens(card.question), "paying")


def names_sum(card: WaitingCard) -> bool:
    """Whether a question names a sum that the card moves."""
    sums = " ".join(re.findall(r"\$[\d.,]*\d", card.money))
    return not {*_numbers(card.question)}.isdisjoint(_numbers(sums))


def _yes(card: WaitingCard) -> str:
    return "Yes: " if names_sum(card) and is_yes_or_no(card.question) else ""


def _why(card: WaitingCard) -> str:
    return f"That is how I understood your request: {card.sentence} {DECIDE}"


def _next(card: WaitingCard) -> str:
    return f"If you approve: {as_sentence(card.after())}" if card.after() else ""


SHARED_TOPICS: Mapping[str, Callable[[WaitingCard], str]] = {
    "amount": amount,
    "total": total,
    "why": _why,
    "next": _next,
    "marks": lambda card: _MARKS,
    "wish": lambda card: DECIDE,
    "approve": lambda card: DECIDE,
}
"""The functions that answer questions about any card, by topic."""

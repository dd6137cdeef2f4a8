"""Facts about where the conversation stands: what waits for a decision, was done, or comes next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent.clerk.questions.asking import PHRASES
from agent.clerk.questions.waiting_card import WaitingCard
from agent.clerk.state.steps import Question
from agent.clerk.wording import join_parts, quote

_AGAIN = re.compile(r" (?:after this|later)$")
"""What says once more that something is so afterwards."""

_TIMES = re.compile(r"(\d+) × (\$[\d.,]*\d) = (\$[\d.,]*\d)")
"""How a card multiplies: ``2 × $17.00 = $34.00``."""

_OWN_LEADS = frozenset({"instead", "no longer", "as before", "not used"})
"""What a line of a card begins with that needs nothing before it."""

AFTERWARDS = "Afterwards: "
"""How a fact begins that is a line of the card, in the card's short words."""

DECIDE = "You can approve it, reject it, or say what should be different."


_SHORT = 3
"""A line with no more words tells nothing by itself."""

UNTOUCHED = "Nothing was changed about"
"""How a fact begins on a record that stands as it did before the conversation."""

WAITING = "I am waiting for your answer to this:"
"""How the fact on a question that is open begins."""

NOTHING_ELSE = "Nothing else is noted."

SENDS_BACK = (
    "You get an email that explains how to send it back; I know no more than that about it."
)
"""The fact on something that the customer has to send back."""

WHY = "I can't tell you why it is so: I only see the records and the rules."
_SETTLED = "All of that is done and settled: there is nothing more for you to do or to confirm."
_EMAIL = "Whether you get a confirmation by email is not in my records."


def tell_said(last: str) -> Iterator[str]:
    """Yield what the clerk said last, a line each, without what it asked."""
    for line in last.splitlines():
        told = line.strip().removeprefix("- ")
        if len(told.split()) > _SHORT and told[-1] in ".;)" and not told[0].isdigit():
            yield told


def tell_asked(question: Question | None) -> Iterator[str]:
    """Yield which question waits for the customer's answer, if one does."""
    if question is not None:
        choices = join_parts((each.words for each in question.choices), "or")
        among = f" The choices are: {choices}." if choices else ""
        yield f"{WAITING} {quote(question.text.splitlines()[0])}{among}"


def tell_waiting(card: WaitingCard) -> Iterator[str]:
    """Yield what a waiting card says, what becomes possible and impossible, and what comes next."""
    yield card.sentence
    yield f"Nothing has been changed yet: this waits for your decision. {DECIDE}"
    yield "Nothing happens without your approval: if you reject it, all stays as it is."
    ids = card.dialogue.records.methods
    for line in card.after:
        if any(key in line for key in ids):
            continue  # a certificate is told by what it is worth
        told = line.replace("the customer's", "your").rstrip(".")
        own = told.partition(": ")[0] in _OWN_LEADS
        yield f"{told[:1].upper()}{told[1:]}." if own else f"{AFTERWARDS}{told}."
    for line in card.closes:
        yield f"Afterwards {_AGAIN.sub('', line)}."
    if not any("You get an email" in each for each in card.after):
        yield _EMAIL
    if not card.moves_money:
        yield "This costs nothing: no money is moved by it."
    yield from _tell_each(card)
    yield from tell_possible(card)
    for wish in card.others:
        yield f"That comes next, once you have decided on this: {quote(wish)}."
    if not card.others:
        yield f"{NOTHING_ELSE} If there is more, tell me once you have decided on this."
    yield (
        "The card shows how I understood your request; ≠ marks what differs from what was said, "
        "✗ a check that failed. I can't see these marks myself."
    )
    yield WHY


def _tell_each(card: WaitingCard) -> Iterator[str]:
    """Yield what each of several costs or gets, if the card multiplies one sum."""
    told = {
        each.groups() for line in [card.sentence, *card.after] for each in _TIMES.finditer(line)
    }
    for many, one, total in told if len(told) == 1 else ():
        yield f"That is {one} each, {many} times: {total} in all."


def tell_possible(card: WaitingCard) -> Iterator[str]:
    """Yield what can still be done after a change."""
    known = [card.tool, *(f"{name} {value}" for name, value in card.arguments.items())]
    for each in known:
        for line in PHRASES.by_name.get(f"still {each}", ()):
            yield f"{line[:1].upper()}{line[1:]}."


def tell_settled(done: Sequence[str], waiting: Sequence[str], *, sends_back: bool) -> Iterator[str]:
    """Yield what was changed in this conversation, and what was asked for and is not done yet.

    ``sends_back`` is whether the customer still has something to send back.
    """
    yield from done
    if sends_back:
        yield "All of that is requested: what is left for you is to send back what you return."
    elif done:
        if not waiting:
            yield _SETTLED
        yield "Nothing else has been changed."
    else:
        yield "Nothing has been changed so far in this conversation."
    for each in waiting:
        yield f"Not yet: {quote(each)} is still open, and nothing of it is done."
    yield WHY
    yield _EMAIL

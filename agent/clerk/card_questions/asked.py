"""What the words of a question about a card tell: its topic, and what it takes to be so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent.clerk.card_questions.topics import tells
from agent.clerk.card_questions.waiting_card import WaitingCard, as_sentence
from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import Tokens, has, tokens

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")

STORED = ("gift", "certificate")

KINDS = ("paypal", "visa", "mastercard", "express", "ending", *STORED)
"""The words that tell kinds of payment methods apart in their names on a card."""

_SHORT = 3
"""How many words a question has at most that has no verb, such as "and the lamp?"."""

_TIMED = frozenset({"rules", "times"})
"""Topics that a question when money comes is mistaken for: "when does the money arrive?"."""


def reply(card: WaitingCard, fact: str, holds: bool | None = None) -> str:
    """A fact as a sentence, after a yes or a no if the question asks whether something is so.

    ``holds`` is whether the fact bears it out; None if that cannot be told.
    """
    says = holds is not None and is_yes_or_no(card.question)
    return as_sentence([f"{('Yes, ' if holds else 'No, ') if says else ''}{fact}"])


def is_yes_or_no(question: str) -> bool:
    """Whether a question asks whether something is so."""
    words = tokens(question)
    if tells(words[-2:], "tag"):
        return True
    parts = [tokens(each) for each in re.split(r",|[.!?]\s", question)]
    parts = [each for each in parts if not tells(each, "what of")]
    words = tuple(word for each in parts for word in each)
    asks = any(GENERAL.tell(e[:1], "asks whether") or tells(e[:1], "short") for e in parts)
    asks = asks or (question.rstrip().endswith("?") and len(words) > _SHORT)
    return asks and not tells(words, "asks which")


def is_kept(card: WaitingCard) -> bool | None:
    """What is true of something that stays: that it does, or that it changes; None if neither."""
    words = tokens(card.question)
    if tells(words, "same"):
        return True
    return denies(words) if tells(words, "changed") else None


def denies(words: Tokens) -> bool:
    """Whether a question says that something is not so: "not the lamp, right?", not "isn't it?"."""
    return bool(_after_denial(words))


def denied(words: Tokens, kinds: Sequence[str]) -> str:
    """The first of some kinds of payment methods that is named after a denial; empty if none is.

    "My Visa pays nothing" denies what is named before it.
    """
    after = _after_denial(words)
    found = (named_kinds(after[:n], kinds) for n in range(len(after) + 1))
    before = words[: words.index("nothing")] if "nothing" in words else ()
    return next((each[0] for each in (*found, named_kinds(before, kinds)) if each), "")


def _after_denial(words: Tokens) -> Tokens:
    places = [n for n in range(len(words)) if tells(words[n : n + 1], "denied")]
    after = [n + 1 for n in places if n or has(words[:1], "not", "nothing")]
    return words[after[0] :] if after else ()


def named_kinds(words: Tokens, kinds: Sequence[str]) -> list[str]:
    """The kinds of payment methods, out of some, that a text names."""
    return [kind for kind in kinds if tells(words, kind)]


def of_kinds(lines: Sequence[str], kinds: Sequence[str]) -> list[str]:
    """The lines that name any of some kinds of payment methods."""
    return [line for line in lines if named_kinds(tokens(line), kinds)]


def numbers_of(text: str) -> Iterator[str]:
    """The numbers in a text, whole dollars without their cents."""
    return (each.removesuffix(".00") for each in _NUMBER.findall(text))


def sums_of(text: str) -> list[float]:
    """The sums of money in a text, in dollars, without what they are made up of."""
    told = re.findall(r"\$([\d.,]*\d)", text.rpartition("=")[2])
    return [float(each.replace(",", "")) for each in told]


def topic_by_words(card: WaitingCard, learned: str) -> str:
    """The topic of a question: the one that its words tell for sure, or else the ``learned`` one.

    If none was learned either, it is told by what the question names.
    """
    words, moves, unsure = tokens(card.question), card.moves_money, learned in {"", "none"}
    enough = tells(words, "enough") and {*named_kinds(words, KINDS)} <= {*STORED}
    lasts = enough or tells(words, "the other one") or tells(words, "still good")
    unused = {*numbers_of(" ".join(card.after("^not used")))} & {*numbers_of(card.question)}
    soon = tells(words, "how soon")
    told = (
        ("why", moves and tells(words, "why") and asks_of_methods(card)),
        ("use", "certificate" in card.tool and tells(words, "spent") and not soon),
        ("arrival", "order_id" in card.arguments and asks_of_parcels(card)),
        ("sending", "delivered" in card.tool and _asks_of_sending(words, learned)),
        ("balance", moves and (unused or (lasts and named_kinds(words, STORED)))),
        ("balance", enough and learned in {"amount", "total", "payment"}),
        ("payment", learned == "balance" and tells(words, "goes") and is_yes_or_no(card.question)),
        ("rules", learned in {"amount", "total"} and tells(words, "shipping")),
        ("when", moves and (unsure or learned in _TIMED) and soon and tells(words, "money")),
        ("amount", moves and unsure and tells(words, "free")),
        ("amount", not moves and named_kinds(words, KINDS) and GENERAL.tell(words, "paying")),
        (learned, learned),
        ("sum", names_sum(card)),
        ("keep", tells(words, "same") and not tells(words, "asks which")),
        ("payment", named_kinds(words, KINDS)),
    )
    return next((topic for topic, so in told if so), "none")


def asks_of_methods(card: WaitingCard) -> bool:
    """Whether a question names a payment method of the card, or how money is divided."""
    words, here = tokens(card.question), tokens(" ".join(card.after()))
    return bool(named_kinds(here, named_kinds(words, KINDS))) or tells(words, "in part")


def _asks_of_sending(words: Tokens, learned: str) -> bool:
    """Whether a question is about how items are sent back."""
    return tells(words, "sending back") and learned not in {"later", "payment", "rules", "when"}


def asks_if_only(card: WaitingCard) -> bool:
    """Whether a question is whether nothing beyond the card changes."""
    return tells(tokens(card.question), "only")


def asks_of_parcels(card: WaitingCard) -> bool:
    """Whether a question is in how many packages an order is sent."""
    return tells(tokens(card.question), "in one package") and not asks_of_money(card)


def asks_of_money(card: WaitingCard) -> bool:
    """Whether a question speaks of money at all."""
    words = tokens(card.question)
    return tells(words, "money") or GENERAL.tell(words, "paying") or "$" in card.question


def names_sum(card: WaitingCard) -> bool:
    """Whether a question names a sum that the card moves."""
    sums = " ".join(re.findall(r"\$[\d.,]*\d", card.money))
    return not {*numbers_of(card.question)}.isdisjoint(numbers_of(sums))

"""Finds amounts of money in what was said, which way each goes, and the limits that are set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from agent.comparison.sentences import Sentence
from agent.comparison.utterance import Utterance
from domains.text.phrasing import BARE_LIMIT

Way = Literal["due", "back"]
"""Whether an amount is to be paid or is paid back."""

CENT = 0.005
"""Half a cent: amounts in dollars that differ by less are the same."""

_KEPT = 512
"""How many texts are cached: each card is compared with the same messages as the last."""

_AMOUNT = re.compile(
    r"(?<![\w#])\$\s?(\d[\d,]*(?:\.\d{1,2})?)"
    r"|(?<![\w.#$])(\d[\d,]*(?:\.\d{1,2})?)\s?(?:dollars?|bucks|usd)\b",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![\w.#$/:-])(\d[\d,]*(?:\.\d{1,2})?)(?![\w%:/-])")
_ABOUT_MONEY = re.compile(
    r"\b(?:pay|spend|budget|cost|price|extra|charge|difference|total)\b", re.IGNORECASE
)
_BACK = re.compile(
    r"\b(?:refund\w*|credit(?:ed)? back|back to|get back|(?<=\d )back|return(?:ed)? to|receive"
    r"|sav(?:e|ing)|cheaper|less(?! what\b| the\b| than\b))\b",
    re.IGNORECASE,
)
_DUE = re.compile(
    r"\b(?:additional|extra|difference|charg\w+|pay(?:ment|ing)?|total|cost\w*|owe\w*|due|more|fee"
    r"|upgrade)\b",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"\b(?:each|per (?:passenger|person|ticket|travell?er|item|bag)|apiece|a person)\b",
    re.IGNORECASE,
)
_TARIFF = re.compile(
    r"\b(?:each|every|any|per) (?:further|additional|extra|other|more)\b"
    r"|\b(?:further|additional|extra) (?:ones?|bags?|pieces?|items?) (?:costs?|is|are|would be)\b",
    re.IGNORECASE,
)
"""Prices for one more of something, which may never be bought and is not in this change."""

_IN_ALL = re.compile(r"\b(?:total|in all|altogether|comes? to)\b", re.IGNORECASE)
_CEILING = re.compile(
    r"\b(?:up ?to|at most|no more than|not more than|(?:not|never) (?:above|over|beyond)"
    r"|max(?:imum)?|under|below|less than|within|budget|limit|exceed\w*|afford|spend"
    r"|(?:don['’]?t|do not|won['’]?t|not) (?:want to |going to )?(?:pay|spend))\b",
    re.IGNORECASE,
)
_ABOVE = re.compile(r"\b(?:more than|over|above)\b", re.IGNORECASE)
_NO_MORE_WORDS = frozenset(
    ("cent", "penny", "dime", "nothing", "extra", "additional", "free", "cheaper")
)
_NO_MORE = re.compile(
    r"(?:\bnot|n['’]t|\bnever|\bwithout)\b[^.;]{0,30}\b(?:cent|penny|dime)s?\b"
    r"|\b(?:costs? (?:me |us )?|pay(?:ing)? |for )nothing (?:extra|more|additional|on top)\b"
    r"|\bnothing (?:extra|more) to pay\b"
    r"|\b(?:at|for|with|if (?:it['’]s|there['’]s|there is)) no"
    r" (?:extra|additional) (?:cost|charge|fee)s?\b"
    r"|(?:\bnot|n['’]t|\bnever|\bwithout) (?:want to |going to )?pay(?:ing)?"
    r" (?:any ?(?:thing|more) )?(?:extra|additional)\b"
    r"|\bonly (?:if|when) [^.,;]{0,20}\bcheaper\b(?! than)",
    re.IGNORECASE,
)
"""Phrases that accept a change only if it costs nothing extra."""

ELSE = re.compile(
    r"\b(?:otherwise|or else|if (?:it['’]s |it is |that['’]s )?not|if (?:it|that) isn['’]?t"
    r"|if (?:it['’]?s|it is|that['’]?s) (?:less|under|below|lower|cheaper)\b(?![^,;]*\d))\b",
    re.IGNORECASE,
)
"""Phrases that introduce what to do if a condition does not hold."""

_STOPS = re.compile(
    r"\b(?:if|forget|don['’]?t|do not|leave|skip|never ?mind|no deal|cancel|won['’]?t|not)\b",
    re.IGNORECASE,
)


_PART = re.compile(r",(?!\d)|[;()]|[–—]")


@dataclass(frozen=True, slots=True)
class StatedAmount:
    """An amount in dollars that was stated, which way it goes, and the sentence that states it."""

    amount: float
    way: Way
    for_each: bool
    """Whether it is the price for one of several."""

    sentence: Sentence

    def total_for(self, people: int) -> float:
        """The total for this many people."""
        return self.amount * people if self.for_each else self.amount


@lru_cache(maxsize=_KEPT)
def amounts(text: str) -> tuple[float, ...]:
    """Every amount of money in a text, in dollars."""
    return tuple(_number(found[1] or found[2]) for found in _AMOUNT.finditer(text))


def _number(digits: str) -> float:
    return float(digits.replace(",", ""))


def stated_amounts(said: Utterance) -> Iterator[StatedAmount]:
    """Yield the amounts that a message says are paid or paid back."""
    for sentence in said.own if said.has_digit else ():
        moving = _moving_amounts(sentence.text) if sentence.has_digit else ()
        for_each = bool(moving) and _EACH.search(sentence.text) is not None
        yield from (StatedAmount(amount, way, for_each, sentence) for amount, way in moving)


@lru_cache(maxsize=_KEPT)
def _moving_amounts(text: str) -> tuple[tuple[float, Way], ...]:
    """The amounts of a sentence that are paid or paid back, each with its direction.

    If a part of the sentence states a direction, only that part's amounts count: *the silver one
    ($481.50), with $20.78 back* pays back $20.78.
    """
    whole = _way(text) if amounts(text) else None
    if whole is None:
        return ()
    parts = ((part, _way(part)) for part in _PART.split(text))
    moving = tuple((each, way) for part, way in parts if way is not None for each in amounts(part))
    return moving or tuple((each, whole) for each in amounts(text))


@lru_cache(maxsize=_KEPT)
def _way(text: str) -> Way | None:
    if _TARIFF.search(text) and not _IN_ALL.search(text):
        return None
    if _BACK.search(text):
        return "back"
    return "due" if _DUE.search(text) else None


def limit_in(said: Iterable[Utterance]) -> StatedAmount | None:
    """The limit that the customer set last, or None; ``said`` is newest first."""
    for utterance in said:
        for sentence in reversed(utterance.own) if utterance.has_digit else ():
            limit = _limit(sentence) if sentence.has_digit else None
            if limit is not None:
                return limit
    return None


def no_extra_cost_in(said: Iterable[Utterance]) -> StatedAmount | None:
    """The customer's last statement that nothing may be added: *I won't pay a cent more*."""
    for utterance in said:
        if utterance.has_any(_NO_MORE_WORDS):
            for sentence in reversed(utterance.own):
                if not sentence.is_question and _NO_MORE.search(sentence.text):
                    return StatedAmount(0.0, "due", for_each=False, sentence=sentence)
    return None


@lru_cache(maxsize=_KEPT)
def _limit(sentence: Sentence) -> StatedAmount | None:
    """The limit that a sentence sets: *up to $600*; *if it is more than 30 bucks, forget it*."""
    text = sentence.text
    found = _CEILING.search(text) or (_ABOVE.search(text) if _STOPS.search(text) else None)
    if found is None or (sentence.is_question and _CEILING.search(text) is None):
        return None
    other = ELSE.search(text)
    if other is not None and not _STOPS.search(text, other.end()):
        return None  # a choice, no limit: "the gift card if it is under $50, otherwise the Visa"
    # in "$1,786 is below my limit", the amount before the phrase is not the limit itself
    after = text[found.start() :]
    listed = amounts(after)
    if not listed:
        bare = (_BARE if _ABOUT_MONEY.search(text) else BARE_LIMIT).finditer(text)
        listed = tuple(_number(each[1]) for each in bare if each.end() > found.start())[:1]
    if not listed:
        return None
    return StatedAmount(min(listed), "due", _EACH.search(text) is not None, sentence)

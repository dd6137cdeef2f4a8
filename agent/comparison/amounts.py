"""Amounts of money in what was said: what the agent told, and the limits that a customer set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from agent.comparison.scope import Scope
from agent.comparison.sentences import Sentence
from agent.comparison.talk import Utterance
from domains.facts import Money
from sessions.events import Disagreement

Direction = Literal["due", "back"]

_AMOUNT = re.compile(
    r"(?<![\w#])(-?)\$\s?(\d[\d,]*(?:\.\d{1,2})?)"
    r"|(?<![\w.#$])(\d[\d,]*(?:\.\d{1,2})?)\s?(?:dollars?|bucks|usd)\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:refund\w*|credit(?:ed)? back|back to|get back|return(?:ed)? to|receive|sav(?:e|ing)"
    r"|cheaper|less)\b",
    re.IGNORECASE,
)
_DUE = re.compile(
    r"\b(?:additional|extra|difference|charg\w+|pay(?:ment|ing)?|total|cost\w*|owe\w*|due|more|fee|"
    r"upgrade)\b",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"\b(?:each|per (?:passenger|person|ticket|traveler|traveller|item|bag)|apiece|a person)\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:up ?to|at most|no more than|not more than|max(?:imum)?|under|below|less than|within"
    r"|budget|limit|exceed\w*|more than|over|above|afford|spend)\b",
    re.IGNORECASE,
)
_CEILING = re.compile(
    r"\b(?:up ?to|at most|no more than|not more than|max(?:imum)?|under|below|less than|within"
    r"|budget|limit|exceed\w*|afford|(?:don['’]?t|do not|won['’]?t|not) (?:want to |going to )?"
    r"(?:pay|spend)|spend)\b",
    re.IGNORECASE,
)
_STOPS = re.compile(
    r"\b(?:if|forget|don['’]?t|do not|leave|skip|never ?mind|no deal|cancel|won['’]?t|not)\b",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![\w.#$/:-])(\d[\d,]*(?:\.\d{1,2})?)(?![\w%:/-])")

CENT = 0.005


@dataclass(frozen=True, slots=True)
class Told:
    """An amount that was told, which way it goes, and in which words."""

    amount: float
    way: Direction
    for_each: bool
    quote: str


def amounts(text: str) -> list[float]:
    """Every amount of money in a text, in dollars."""
    return [_number(found[2] or found[3]) for found in _AMOUNT.finditer(text)]


def _number(digits: str) -> float:
    return float(digits.replace(",", ""))


def compare_money(scope: Scope) -> Iterator[Disagreement]:
    """Where the change costs more, or brings less, than was told; and where it passes a limit."""
    money = scope.facts.money
    if money is None:
        return
    limit = limit_of(scope.talk.newest)
    if limit is not None and money.due > limit.amount * (money.people if limit.for_each else 1):
        yield Disagreement(kind="limit", does=money.does, said=limit.quote, by="customer")
        return
    said = _last_told(scope)
    if said is None or scope.concerns_several(said):
        return
    told = list(_told(said))
    if not _bears_out(money, said, told):
        worst = _worse_than(money, told)
        if worst is not None:
            yield Disagreement(kind="amount", does=_worked_out(money), said=worst.quote, by="agent")


def _worked_out(money: Money) -> str:
    """With how it comes about, where a price for one was multiplied."""
    if money.people > 1 and money.due > 0:
        each = money.due / money.people
        return f"{money.does}, {money.people} × ${each:,.2f}"
    return money.does


def _last_told(scope: Scope) -> Utterance | None:
    """The agent's last message that told of an amount that moves."""
    for said in scope.said:
        if said.speaker == "agent" and next(_told(said), None) is not None:
            return said
    return None


def _told(said: Utterance) -> Iterator[Told]:
    for sentence in said.own:
        found = amounts(sentence.text) if sentence.has_digit else []
        way = _direction(sentence.text) if found else None
        if way is not None:
            for_each = _EACH.search(sentence.text) is not None
            for amount in found:
                yield Told(amount, way, for_each, sentence.text)


def _direction(text: str) -> Direction | None:
    if _BACK.search(text):
        return "back"
    return "due" if _DUE.search(text) else None


def _bears_out(money: Money, said: Utterance, told: Iterable[Told]) -> bool:
    """Whether the amount that moves is among what was told, in whatever words."""
    listed = (abs(each - abs(money.due)) < CENT for each in amounts(said.text))
    return any(listed) or any(_same(money, each) for each in told)


def _same(money: Money, told: Told) -> bool:
    amount = told.amount * (money.people if told.for_each else 1)
    return abs(amount - abs(money.due)) < CENT or abs(told.amount - abs(money.due)) < CENT


def _worse_than(money: Money, told: Iterable[Told]) -> Told | None:
    """What was told that is better for the customer than what happens; None where nothing is.

    A price that is only a part of the whole (a flight's, an item's) is not what was told of it.
    """
    whole = [each for each in told if not _is_part(money, each)]
    if money.due > CENT:
        due = [each for each in whole if each.way == "due"]
        back = [each for each in whole if each.way == "back"]
        most = max(due, key=lambda each: _in_all(money, each), default=None)
        if most is None:
            return back[0] if back else None
        return most if money.due > _in_all(money, most) + CENT else None
    back = [each for each in whole if each.way == "back"]
    least = max(back, key=lambda each: _in_all(money, each), default=None)
    return least if least is not None and -money.due < _in_all(money, least) - CENT else None


def _in_all(money: Money, told: Told) -> float:
    return told.amount * (money.people if told.for_each else 1)


def _is_part(money: Money, told: Told) -> bool:
    if told.way == "due" and money.people > 1 and not told.for_each:
        # the whole, told as if for all, may equal the price for one
        if abs(told.amount * money.people - abs(money.due)) < CENT:
            return False
    return any(abs(told.amount - part) < CENT for part in money.parts)


def limit_of(said: Iterable[Utterance]) -> Told | None:
    """The last limit that the customer set, in the newest of utterances first."""
    for utterance in said:
        if utterance.speaker == "customer":
            for sentence in reversed(utterance.own):
                limit = _limit(sentence) if sentence.has_digit else None
                if limit is not None:
                    return limit
    return None


def _limit(sentence: Sentence) -> Told | None:
    text = sentence.text
    found = _LIMIT.search(text)
    if found is None or (sentence.is_question and not _CEILING.search(text)):
        return None
    ceiling = _CEILING.search(text) is not None
    if not ceiling and not _STOPS.search(text):
        return None
    listed = amounts(text) or [_number(bare[1]) for bare in _BARE.finditer(text, found.end())][:1]
    if not listed or (not amounts(text) and not _speaks_of_money(text)):
        return None
    return Told(min(listed), "due", _EACH.search(text) is not None, sentence.quoted)


def _speaks_of_money(text: str) -> bool:
    return (
        re.search(r"\b(?:pay|spend|budget|cost|price|extra|charge|difference)\b", text, re.I)
        is not None
    )

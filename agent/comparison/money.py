"""Whether a change costs more, or brings less, than the customer was told or would pay."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, combinations

from agent.comparison.amounts import CENT, Told, amounts, amounts_told_in, limit_in, no_more_in
from agent.comparison.assent import agrees
from agent.comparison.mentions import speaks_of
from agent.comparison.scope import Scope
from agent.comparison.sentences import words
from agent.comparison.utterance import Utterance
from domains.core.facts import Money
from sessions.events import Disagreement

_JUDGED = re.compile(r"\b(?:below|under|within) my (?:limit|budget)\b", re.IGNORECASE)

_NOT_ALL = frozenset(words("plus without before excluding except flights"))
"""Words by which a total is one of a part."""

_PARTS = 20
"""How many amounts are tried together for what came on top of a total."""


def compare_money(scope: Scope) -> Iterator[Disagreement]:
    """A line where a limit is passed, or else where it is dearer than was told.

    What turns out better for the customer than they were told costs no line.
    """
    money = scope.facts.money
    if money is None:
        return
    limit = limit_in(scope.talk.last_of_customer)
    if limit is not None and _passes(scope, money, limit):
        yield Disagreement(
            kind="limit", does=_sum_in_words(money), said=limit.sentence.text, by="customer"
        )
        return
    nothing = no_more_in(scope.customers) if money.is_difference and money.due > CENT else None
    if nothing is not None and _passes(scope, money, nothing):
        yield Disagreement(
            kind="limit", does=_sum_in_words(money), said=nothing.sentence.text, by="customer"
        )
        return
    worst = _dearer_than(scope, money)
    if worst is not None:
        yield Disagreement(
            kind="amount", does=_sum_in_words(money), said=worst.sentence.text, by="agent"
        )


def _passes(scope: Scope, money: Money, limit: Told) -> bool:
    """Whether it costs more than a limit, and the customer has not agreed to just that since, nor
    held what they were told against their limit themselves.

    A limit that names a card is one on what that card pays; which it is, amounts do not tell.
    """
    cost = min(money.payments) if _is_on_one_card(scope, limit, money) else money.due
    if cost <= limit.in_all(money.people) + CENT:
        return False
    if any(_JUDGED.search(each.text) and agrees(each) for each in scope.answer):
        return False
    said = _last_told(scope)
    agreed = said is not None and any(agrees(each) for each in scope.answer)
    return not (agreed and said is not None and _bears_out(money, said))


def _is_on_one_card(scope: Scope, limit: Told, money: Money) -> bool:
    return len(money.payments) > 1 and any(
        speaks_of(limit.sentence.words, choice.ways, choice.lookup)
        for choice in scope.facts.choices
        if choice.kind == "payment method"
    )


def _sum_in_words(money: Money) -> str:
    """With how it comes about, where a price for one was multiplied."""
    if money.people > 1 and money.due > 0:
        return f"{money.does}, {money.people} × ${money.due / money.people:,.2f}"
    return money.does


def _dearer_than(scope: Scope, money: Money) -> Told | None:
    """What the agent told last that is better for the customer; None where nothing is."""
    said = _last_told(scope)
    if said is None or _is_borne_out_since(scope, money, said):
        return None
    told = list(amounts_told_in(said))
    if scope.concerns_several(said):  # then only what is said of this record counts
        mine = scope.of_this_alone(said)
        told = [each for each in told if each.sentence in mine]
    if any(_same(each.in_all(money.people), money) for each in told):
        return None
    return _better(money, [each for each in told if not _is_part(money, each)]) or _total_before(
        scope, money, said
    )


def _total_before(scope: Scope, money: Money, said: Utterance) -> Told | None:
    """*Total $106*, where something costs $50 on top of which nobody ever spoke."""
    for told in () if scope.concerns_several(said) else amounts_told_in(said):
        more = money.due - told.in_all(money.people)
        whole = "total" in told.sentence.words and _NOT_ALL.isdisjoint(told.sentence.words)
        if whole and more > CENT and not told.for_each:
            spoken = {amount for each in scope.said for amount in amounts(each.text)}
            return None if _adds_up(more, spoken) else told
    return None


def _adds_up(more: float, spoken: Collection[float]) -> bool:
    """Whether it is so many times an amount, or a few together: two bags at $50, an insurance."""
    parts = [each for each in spoken if CENT < each <= more + CENT][:_PARTS]
    times = (more / each for each in parts)
    if any(abs(each - round(each)) < CENT for each in times):
        return True
    few = chain(combinations(parts, 2), combinations(parts, 3))
    return any(abs(sum(each) - more) < CENT for each in few)


def _last_told(scope: Scope) -> Utterance | None:
    """The agent's last message that told of an amount that moves."""
    for said in scope.said:
        if (
            said.speaker == "agent"
            and said.has_digit
            and next(amounts_told_in(said), None) is not None
        ):
            return said
    return None


def _is_borne_out_since(scope: Scope, money: Money, said: Utterance) -> bool:
    """Whether a message of the agent's, or one after it, has what this costs or brings."""
    return any(
        each.speaker == "agent" and each.has_digit and _bears_out(money, each)
        for each in scope.said
        if each.place >= said.place
    )


def _bears_out(money: Money, said: Utterance) -> bool:
    """Whether a message has the very amount, or all the payments that make it up."""
    listed = amounts(said.text)
    if any(_same(each, money) for each in listed):
        return True
    several = len(money.payments) > 1
    return several and all(
        any(abs(each - part) < CENT for each in listed) for part in money.payments
    )


def _same(amount: float, money: Money) -> bool:
    return abs(amount - abs(money.due)) < CENT


def _better(money: Money, told: Sequence[Told]) -> Told | None:
    due = [each for each in told if each.way == "due"]
    back = [each for each in told if each.way == "back"]
    if money.due > CENT:
        if not due:
            return back[0] if back else None
        most = max(due, key=lambda each: each.in_all(money.people))
        return most if money.due > most.in_all(money.people) + CENT else None
    if not back:
        return None
    most = max(back, key=lambda each: each.in_all(money.people))
    return most if -money.due < most.in_all(money.people) - CENT else None


def _is_part(money: Money, told: Told) -> bool:
    """Whether it is but a part of the whole: a flight's price, an item's.

    A price for one that was told as if it were for all is not: it is what misleads.
    """
    for_one = money.people > 1 and not told.for_each and told.way == "due"
    if for_one and _same(told.amount * money.people, money):
        return False
    return any(abs(told.amount - part) < CENT for part in money.parts)

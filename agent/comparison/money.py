"""Compares what a change costs or pays back with what the customer was told or would pay."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, combinations

from agent.comparison.amounts import (
    CENT,
    StatedAmount,
    amounts,
    limit_in,
    no_extra_cost_in,
    stated_amounts,
)
from agent.comparison.assent import agrees
from agent.comparison.mentions import speaks_of
from agent.comparison.scope import Scope
from agent.comparison.sentences import words
from agent.comparison.utterance import Utterance
from domains.core.facts import Money
from sessions.events import Disagreement

_JUDGED = re.compile(r"\b(?:below|under|within) my (?:limit|budget)\b", re.IGNORECASE)

_NOT_ALL = frozenset(words("plus without before excluding except flights"))
"""Words that show that a total covers only a part."""

_PARTS = 20
"""How many amounts are tried in combination to explain what comes on top of a total."""


def compare_money(scope: Scope) -> Iterator[Disagreement]:
    """Yield a disagreement if a limit is exceeded, or else if it costs more than the agent said.

    A change that turns out better for the customer than they were told yields nothing.
    """
    money = scope.facts.money
    if money is None:
        return
    limit = limit_in(scope.talk.last_of_customer)
    if limit is not None and _exceeds_limit(scope, money, limit):
        yield Disagreement(
            kind="limit", does=_sum_in_words(money), said=limit.sentence.text, by="customer"
        )
        return
    nothing = (
        no_extra_cost_in(scope.customer_messages)
        if money.is_difference and money.due > CENT
        else None
    )
    if nothing is not None and _exceeds_limit(scope, money, nothing):
        yield Disagreement(
            kind="limit", does=_sum_in_words(money), said=nothing.sentence.text, by="customer"
        )
        return
    worst = _better_amount_stated(scope, money)
    if worst is not None:
        yield Disagreement(
            kind="amount", does=_sum_in_words(money), said=worst.sentence.text, by="agent"
        )


def _exceeds_limit(scope: Scope, money: Money, limit: StatedAmount) -> bool:
    """Whether it costs more than a limit that still applies.

    A limit no longer applies once the customer has agreed to exactly this amount, or has compared
    what they were told with their limit themselves. A limit that names a card applies to what that
    card pays; the amounts do not say which payment that is, so the smallest one is compared.
    """
    cost = min(money.payments) if _is_on_one_card(scope, limit, money) else money.due
    if cost <= limit.total_for(money.people) + CENT:
        return False
    if any(_JUDGED.search(each.text) and agrees(each) for each in scope.answer):
        return False
    said = _last_told(scope)
    agreed = said is not None and any(agrees(each) for each in scope.answer)
    return not (agreed and said is not None and _states_same_amount(money, said))


def _is_on_one_card(scope: Scope, limit: StatedAmount, money: Money) -> bool:
    return len(money.payments) > 1 and any(
        speaks_of(limit.sentence.words, choice.ways, choice.lookup)
        for choice in scope.facts.choices
        if choice.kind == "payment method"
    )


def _sum_in_words(money: Money) -> str:
    """The amount in words, with the multiplication if it is a price for each of several people."""
    if money.people > 1 and money.due > 0:
        return f"{money.does}, {money.people} × ${money.due / money.people:,.2f}"
    return money.does


def _better_amount_stated(scope: Scope, money: Money) -> StatedAmount | None:
    """The amount that the agent stated last if it is better for the customer, else None."""
    said = _last_told(scope)
    if said is None or _is_stated_since(scope, money, said):
        return None
    told = list(stated_amounts(said))
    if scope.concerns_several(said):  # only what is said about this record counts
        mine = scope.sentences_on_this_record(said)
        told = [each for each in told if each.sentence in mine]
    if any(_same(each.total_for(money.people), money) for each in told):
        return None
    return _better_than_actual(
        money, [each for each in told if not _is_part(money, each)]
    ) or _total_without_unmentioned(scope, money, said)


def _total_without_unmentioned(scope: Scope, money: Money, said: Utterance) -> StatedAmount | None:
    """The total that the agent stated, where the change costs more for something never mentioned.

    An example is *Total $106* where something that neither side mentioned costs another $50.
    """
    for told in () if scope.concerns_several(said) else stated_amounts(said):
        more = money.due - told.total_for(money.people)
        whole = "total" in told.sentence.words and _NOT_ALL.isdisjoint(told.sentence.words)
        if whole and more > CENT and not told.for_each:
            spoken = {amount for each in scope.said for amount in amounts(each.text)}
            return None if _adds_up(more, spoken) else told
    return None


def _adds_up(more: float, spoken: Collection[float]) -> bool:
    """Whether it is a multiple of one amount, or the sum of two or three.

    That explains extras such as two bags at $50, or insurance.
    """
    parts = [each for each in spoken if CENT < each <= more + CENT][:_PARTS]
    times = (more / each for each in parts)
    if any(abs(each - round(each)) < CENT for each in times):
        return True
    few = chain(combinations(parts, 2), combinations(parts, 3))
    return any(abs(sum(each) - more) < CENT for each in few)


def _last_told(scope: Scope) -> Utterance | None:
    """The agent's last message that states an amount to be paid or paid back."""
    for said in scope.said:
        if (
            said.speaker == "agent"
            and said.has_digit
            and next(stated_amounts(said), None) is not None
        ):
            return said
    return None


def _is_stated_since(scope: Scope, money: Money, said: Utterance) -> bool:
    """Whether this or a later message of the agent's states what the change costs or pays back."""
    return any(
        each.speaker == "agent" and each.has_digit and _states_same_amount(money, each)
        for each in scope.said
        if each.place >= said.place
    )


def _states_same_amount(money: Money, said: Utterance) -> bool:
    """Whether a message states the exact amount, or all the payments that make it up."""
    listed = amounts(said.text)
    if any(_same(each, money) for each in listed):
        return True
    several = len(money.payments) > 1
    return several and all(
        any(abs(each - part) < CENT for each in listed) for part in money.payments
    )


def _same(amount: float, money: Money) -> bool:
    return abs(amount - abs(money.due)) < CENT


def _better_than_actual(money: Money, told: Sequence[StatedAmount]) -> StatedAmount | None:
    due = [each for each in told if each.way == "due"]
    back = [each for each in told if each.way == "back"]
    if money.due > CENT:
        if not due:
            return back[0] if back else None
        most = max(due, key=lambda each: each.total_for(money.people))
        return most if money.due > most.total_for(money.people) + CENT else None
    if not back:
        return None
    most = max(back, key=lambda each: each.total_for(money.people))
    return most if -money.due < most.total_for(money.people) - CENT else None


def _is_part(money: Money, told: StatedAmount) -> bool:
    """Whether it is only a part of the whole, such as the price of one flight or one item.

    A price for one person that was stated as if it were for all is not a part: it is what misleads.
    """
    for_one = money.people > 1 and not told.for_each and told.way == "due"
    if for_one and _same(told.amount * money.people, money):
        return False
    return any(abs(told.amount - part) < CENT for part in money.parts)

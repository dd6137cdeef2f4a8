"""What a card says about the payment method that a change uses, and about the alternatives.

A customer with two cards may take the name of one for the other. The card therefore says whether
the method that is used is the one that paid, and which others there are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from domains.core.changes import Record
from domains.core.tool import Effect
from domains.text.wording import listing, money, payment_method

MOST_NAMED = 4
"""The most unused payment methods that are named; the rest are counted."""


def times(count: int, each: float) -> str:
    """A price for several: ``2 × $597.00 = $1,194.00``; for one, the price alone."""
    return money(each) if count == 1 else f"{count} × {money(each)} = {money(count * each)}"


def original_method_clause(user: Record, method_id: str, payers: Collection[str]) -> str:
    """A clause that says whether this method is the one that paid.

    ``, which paid for this``, or ``, not the method this was paid with (PayPal)``.
    """
    if method_id in payers:
        return ", which paid for this"
    names = [payment_method(user, each) for each in payers]
    return f", not the method this was paid with ({listing(names)})" if names else ""


def not_used(user: Record, used: Collection[str], but: Collection[str] = ()) -> Iterator[Effect]:
    """Yield the customer's other methods: ``not used: Visa ending 1234``.

    Methods of the kinds in ``but`` are left out.
    """
    others = [
        payment_method(user, method_id, balance=True)
        for method_id, method in user["payment_methods"].items()
        if method_id not in used and method["source"] not in but
    ]
    more = len(others) - MOST_NAMED
    if more > 0:
        others[MOST_NAMED:] = [f"{more} more"]
    if others:
        yield Effect(f"not used: {listing(others)}")

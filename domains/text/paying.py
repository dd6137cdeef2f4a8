"""What a card says of the payment method that a change uses, and of those that it might have used.

A customer with two cards sees the name of one and takes it for the other; so it is said whether
the one that is used is the one that paid, and which others there are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from domains.core.changes import Record
from domains.core.tool import Effect
from domains.text.wording import listing, money, payment_method

MOST_NAMED = 4
"""Other payment methods that are named; more are counted."""


def times(count: int, each: float) -> str:
    """``2 × $597.00 = $1,194.00``; of one thing its price alone."""
    return money(each) if count == 1 else f"{count} × {money(each)} = {money(count * each)}"


def whether_it_paid(user: Record, method_id: str, payers: Collection[str]) -> str:
    """``, which paid for this``, or ``, not the method this was paid with (PayPal)``."""
    if method_id in payers:
        return ", which paid for this"
    names = [payment_method(user, each) for each in payers]
    return f", not the method this was paid with ({listing(names)})" if names else ""


def not_used(user: Record, used: Collection[str], but: Collection[str] = ()) -> Iterator[Effect]:
    """``not used: Visa ending 1234``: the customer's other methods, ``but`` those of some kinds."""
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

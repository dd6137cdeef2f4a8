"""How people speak of the payment methods that a customer has on file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from domains.core.changes import Record
from domains.core.derived import cached_by_identity
from domains.core.facts import Ways

_ORIGINAL = (
    "original payment",
    "original method",
    "original form of payment",
    "original card",
    "original credit card",
    "original gift card",
    "originally used",
    "originally paid",
    "same payment",
    "same method",
    "same card",
    "same credit card",
    "same gift card",
    "method I used",
    "card I used",
    "where it came from",
)
"""What people call the method that was paid with."""

MONEY_BACK: Ways = {
    way: frozenset({"refund"})
    for way in ("refund", "refunded", "money", "back", "credited", "returned to", "put it")
}
"""What a sentence speaks of if it names a method for a refund, not for a payment."""

_BY_SOURCE = {
    "credit_card": ("credit card", "card", "debit card"),
    "gift_card": ("gift card", "giftcard", "gc", "card"),
    "paypal": ("paypal", "pay pal"),
    "certificate": ("certificate", "travel certificate", "voucher", "travel voucher"),
}


@cached_by_identity
def payment_ways(user: Record, original: tuple[str, ...] = ()) -> Ways:
    """What people call each method; ``original`` are those that were paid with."""
    found: dict[str, set[str]] = defaultdict(set)
    for method_id, method in user["payment_methods"].items():
        for way in _ways(method_id, method):
            found[way].add(method_id)
    for way, method_id in _by_balance(user):
        found[way].add(method_id)
    for names in _BY_SOURCE.values():  # "gift card" is never "card", even if they have none
        for name in names:
            found.setdefault(name, set())
    paid_with = frozenset(original)
    if paid_with:
        found.update({way: set(paid_with) for way in _ORIGINAL})
    return {way: frozenset(keys) for way, keys in found.items()}


def _ways(method_id: str, method: Record) -> Iterator[str]:
    yield method_id
    yield method_id.rpartition("_")[2]
    yield from _BY_SOURCE.get(method["source"], (method["source"],))
    if method["source"] == "credit_card":
        yield method["last_four"]
        yield method["brand"]
        if method["brand"] == "mastercard":
            yield "master card"
        if method["brand"] == "american express":
            yield "amex"


def _by_balance(user: Record) -> Iterator[tuple[str, str]]:
    """Yield names by balance: *the $500 certificate*, *the smaller gift card*."""
    for source in ("gift_card", "certificate"):
        held = {
            method_id: method.get("balance", method.get("amount", 0))
            for method_id, method in user["payment_methods"].items()
            if method["source"] == source
        }
        for method_id, left in held.items():
            for name in _BY_SOURCE[source]:
                for form in (f"{left:g} {name}", *(f"{name} {by} {left:g}" for by in _BY)):
                    yield form, method_id
        if len(held) > 1:
            least, most = min(held, key=held.__getitem__), max(held, key=held.__getitem__)
            for name in _BY_SOURCE[source]:
                yield from ((f"{size} {name}", most) for size in ("larger", "bigger", "largest"))
                yield from ((f"{size} {name}", least) for size in ("smaller", "smallest"))
            yield from ((f"{size} one", most) for size in ("larger", "bigger", "largest"))
            yield from ((f"{size} one", least) for size in ("smaller", "smallest"))


_BY = ("for", "of", "worth", "with")

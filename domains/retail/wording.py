"""How the store's records and values are worded for customers."""

from __future__ import annotations

from collections.abc import Mapping

from domains.core.changes import Record
from domains.core.derived import cached_by_identity
from domains.text.one_line import value
from domains.text.wording import (
    address,
    address_line,
    by_method,
    full_name,
    listing,
    money,
    payment_method,
    settlement,
)

__all__ = [
    "address",
    "address_line",
    "by_method",
    "full_name",
    "item",
    "listing",
    "money",
    "options",
    "order",
    "payment_method",
    "refund_time",
    "settlement",
    "status",
    "value",
    "variant",
]

_NOT_CLEAR_ALONE = frozenset(
    ("high", "low", "medium", "large", "small", "full", "half", "fixed", "adjustable", "standard")
)
"""Option values that mean nothing without the name of their option."""

_MODIFIED = "pending (item modified)"


def options(chosen: Mapping[str, str]) -> str:
    """A variant's options in one phrase: ``clicky, full size, no backlight``."""
    return ", ".join(value(_option(name, choice)) for name, choice in chosen.items())


def _option(name: str, choice: str) -> str:
    match choice.lower():
        case "none" | "no":
            return f"no {name}"
        case "yes":
            return name
        case digits if digits.isdigit() and name == "size":
            return f"size {choice}"
        case word if word.isdigit() or word in _NOT_CLEAR_ALONE or name.endswith(" color"):
            return f"{choice} {name}"
    return choice


@cached_by_identity
def item(record: Record) -> str:
    """An order's item with options and price: ``T-Shirt (blue, M, $50.88)``."""
    return f"{value(record['name'])} ({variant(record)})"


def order(record: Record) -> str:
    """An order by its number: ``order #W2378156``."""
    return f"order {value(record['order_id'])}"


def order_and_items(record: Record) -> str:
    """An order with what it holds, two of more than three: ``order #W2378156 (Desk and Chair)``."""
    names = [value(item["name"]) for item in record["items"]]
    rest = [f"{len(names) - 2} more"] if len(names) > 3 else []
    return f"{order(record)} ({listing([*names[: 2 if rest else 3], *rest])})"


@cached_by_identity
def variant(record: Record) -> str:
    """Options and price of a variant: ``blue, M, $50.88``."""
    return ", ".join(filter(None, (options(record["options"]), money(record["price"]))))


def refund_time(user: Record, method_id: str) -> str:
    """When a refund arrives, according to the store's policy."""
    method = user["payment_methods"].get(method_id, {})
    return "at once" if method.get("source") == "gift_card" else "in 5 to 7 business days"


def status(name: str) -> str:
    """An order's status: ``pending``, ``pending (item modified)``."""
    return name if name == _MODIFIED else value(name)

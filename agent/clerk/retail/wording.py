"""Wording of the retail clerk: items, orders, addresses, payment methods and amounts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.clerk.state.records import Json
from agent.clerk.wording import join_parts
from domains.text.wording import money as money

_SIZES = ("xs", "s", "m", "l", "xl", "xxl")
_COUNTS = ("one", "two", "three", "four", "five", "six", "eight")
_VAGUE = frozenset(["yes", "no", "none", "low", "medium", "high", *_SIZES, *_COUNTS])
"""Values that mean nothing without the option's name."""


def options(record: Mapping[str, Any]) -> str:
    """The option values of an item: ``clicky, RGB, full size``.

    A value that means nothing alone, such as yes, no or a number, follows the option's name.
    """
    return ", ".join(
        f"{key}: {value}" if str(value).lower() in _VAGUE or str(value).isdigit() else str(value)
        for key, value in record["options"].items()
    )


def item(record: Mapping[str, Any]) -> str:
    """An ordered item with its name and options."""
    return f"{record['name']} ({options(record)})" if record["options"] else str(record["name"])


def method(record: Mapping[str, Any] | None, method_id: str = "", *, balance: bool = True) -> str:
    """A payment method: ``PayPal``, ``gift card (balance $21.00)``, ``Visa ending in 1234``."""
    if record is None:
        return method_id.rsplit("_", 1)[0].replace("_", " ") or "payment method"
    if record.get("source") == "paypal":
        return "PayPal"
    if record.get("source") == "gift_card":
        return f"gift card (balance {money(record['balance'])})" if balance else "gift card"
    brand = str(record.get("brand") or "credit card")
    return f"{brand.capitalize()} ending in {record.get('last_four', '????')}"


def address(record: Mapping[str, Any]) -> str:
    """An address on one line."""
    parts = [record.get(key) for key in ("address1", "address2", "city")]
    place = " ".join(str(record.get(key) or "") for key in ("state", "zip")).strip()
    return ", ".join(str(part) for part in [*parts, place, record.get("country")] if part)


def order(record: Json) -> str:
    """An order on one line, with its id, status and items."""
    items = join_parts(item(each) for each in record["items"])
    return f"**{record['order_id']}** ({status_words(record)}): {items}"


def order_short(record: Json) -> str:
    """An order with its id and the names of its items."""
    return f"{record['order_id']} ({join_parts(each['name'] for each in record['items'])})"


def status_words(record: Json) -> str:
    """The status of an order in a customer's words: ``processed`` is the records' word for sent."""
    return "on its way" if record["status"] == "processed" else str(record["status"])


def refund_time(record: Mapping[str, Any] | None) -> str:
    """The time until a refund to a method arrives, according to the policy."""
    at_once = record is not None and record.get("source") == "gift_card"
    return "immediately" if at_once else "in 5 to 7 business days"

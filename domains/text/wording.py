"""How things that every domain has are worded for customers.

The content of a record or an argument is foreign text: it goes through
:func:`domains.text.one_line.value`, here and wherever else a sentence of a card is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domains.core.changes import Record
from domains.text.one_line import LONGEST_VALUE, quotation, quotations, value


def money(amount: float) -> str:
    """An amount in dollars and cents: ``$1,234.50``, ``-$3.00``."""
    return f"{'-' if amount < 0 else ''}${abs(amount):,.2f}"


def listing(parts: Sequence[str]) -> str:
    """Several things in one phrase: ``a, b and c``; ``nothing`` if there are none."""
    *most, last = parts or ("nothing",)
    return f"{', '.join(most)} and {last}" if most else last


def full_name(record: Record) -> str:
    """The first and last name in a record."""
    return value(f"{record['first_name']} {record['last_name']}")


def address(record: Mapping[str, str | None]) -> str:
    """An address inside a sentence, quoted as a whole because its lines may hold any words."""
    return quotations(_address_lines(record), LONGEST_VALUE)


def address_line(record: Mapping[str, str | None]) -> str:
    """An address on a line of its own."""
    return ", ".join(map(value, _address_lines(record)))


def _address_lines(record: Mapping[str, str | None]) -> list[str]:
    region = f"{record['state']} {record['zip']}"
    lines = (record["address1"], record["address2"], record["city"], region, record["country"])
    return [line for line in lines if line]


def payment_method(user: Record, method_id: str, *, balance: bool = False) -> str:
    """A payment method as its owner knows it: ``PayPal``, ``Visa ending 1234``, ``gift card``.

    The id is added if the owner has another method of the same name. With ``balance``, the dollars
    left are added if the method has any.
    """
    methods = user["payment_methods"]
    method = methods.get(method_id)
    if method is None:
        return method_that_is_gone(method_id)
    name = _method_name(method)
    if sum(_method_name(each) == name for each in methods.values()) > 1:
        name = f"{name} {value(method_id)}"
    left = method.get("balance", method.get("amount"))
    if balance and left is not None:
        return f"{name} (balance {money(left)})"
    return name


def by_method(user: Record, method_id: str, *, balance: bool = False) -> str:
    """A payment method inside a sentence: ``PayPal``, ``the gift card``."""
    name = payment_method(user, method_id, balance=balance)
    return f"the {name}" if name.startswith(("gift card", "travel certificate")) else name


def method_that_is_gone(method_id: Any) -> str:
    """A payment method that the customer no longer has, or never had."""
    if str(method_id).startswith("certificate"):
        return f"travel certificate {value(method_id)}"
    return f"payment method {value(method_id)}"


def _method_name(method: Record) -> str:
    match method["source"]:
        case "credit_card":
            return f"{_brand(method['brand'])} ending {value(method['last_four'])}"
        case "gift_card":
            return "gift card"
        case "certificate":
            return "travel certificate"
        case _:
            return "PayPal"


_BRANDS = frozenset(
    {"visa", "mastercard", "american express", "amex", "discover", "diners club", "jcb"}
)


def _brand(name: str) -> str:
    """A card's brand; an unknown one is quoted, so that it cannot pass for our own words."""
    return name.title() if name.lower() in _BRANDS else quotation(name, LONGEST_VALUE)


def settlement(due: float, method: str) -> str:
    """How a price difference is settled: ``$12.30 back to PayPal``."""
    if round(due, 2) == 0:
        return "no price difference"
    if due > 0:
        return f"{money(due)} more, paid with {method}"
    return f"{money(-due)} back to {method}"

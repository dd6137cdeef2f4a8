"""How the store's things are called in front of a customer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domains.records import Record

_NOT_CLEAR_ALONE = frozenset(
    ("high", "low", "medium", "large", "small", "full", "half", "fixed", "adjustable", "standard")
)
"""Option values that say nothing without the name of their option."""


def money(amount: float) -> str:
    """Dollars and cents: ``$1,234.50``, ``-$3.00``."""
    return f"{'-' if amount < 0 else ''}${abs(amount):,.2f}"


def options(chosen: Mapping[str, str]) -> str:
    """A variant's options in one phrase: ``clicky, full size, no backlight``."""
    return ", ".join(_option(name, value) for name, value in chosen.items())


def _option(name: str, value: str) -> str:
    match value.lower():
        case "none" | "no":
            return f"no {name}"
        case "yes":
            return name
        case digits if digits.isdigit() and name == "size":
            return f"size {value}"
        case word if word.isdigit() or word in _NOT_CLEAR_ALONE or name.endswith(" color"):
            return f"{value} {name}"
    return value


def item(record: Record) -> str:
    """An order's item with options and price: ``T-Shirt (blue, M, $50.88)``."""
    return f"{record['name']} ({variant(record)})"


def variant(record: Record) -> str:
    """Options and price of a variant: ``blue, M, $50.88``."""
    return ", ".join(filter(None, (options(record["options"]), money(record["price"]))))


def address(record: Mapping[str, str]) -> str:
    """An address on one line."""
    region = f"{record['state']} {record['zip']}"
    lines = (record["address1"], record["address2"], record["city"], region, record["country"])
    return ", ".join(line for line in lines if line.strip())


def payment_method(user: Record, method_id: str, *, balance: bool = False) -> str:
    """A payment method as its owner knows it: ``PayPal``, ``Visa ending 1234``, ``gift card``.

    The id is added where the owner has another that would be called the same; ``balance`` adds
    what a gift card holds.
    """
    methods = user["payment_methods"]
    method = methods.get(method_id)
    if method is None:
        return f"payment method {method_id}"
    name = _method_name(method)
    if sum(_method_name(each) == name for each in methods.values()) > 1:
        name = f"{name} {method_id}"
    if balance and method["source"] == "gift_card":
        return f"{name} (balance {money(method['balance'])})"
    return name


def by_method(user: Record, method_id: str, *, balance: bool = False) -> str:
    """A payment method inside a sentence: ``PayPal``, ``the gift card``."""
    name = payment_method(user, method_id, balance=balance)
    return f"the {name}" if name.startswith("gift card") else name


def _method_name(method: Record) -> str:
    match method["source"]:
        case "credit_card":
            return f"{method['brand'].title()} ending {method['last_four']}"
        case "gift_card":
            return "gift card"
        case _:
            return "PayPal"


def refund_time(user: Record, method_id: str) -> str:
    """When a refund arrives, by the store's policy."""
    method = user["payment_methods"].get(method_id, {})
    return "at once" if method.get("source") == "gift_card" else "in 5 to 7 business days"


def listing(parts: Sequence[str]) -> str:
    """Things in one phrase: ``a, b and c``."""
    *most, last = parts or ("nothing",)
    return f"{', '.join(most)} and {last}" if most else last


def settlement(due: float, method: str) -> str:
    """How a price difference is settled: ``$12.30 back to PayPal``."""
    if round(due, 2) == 0:
        return "no price difference"
    if due > 0:
        return f"{money(due)} more, paid with {method}"
    return f"{money(-due)} back to {method}"

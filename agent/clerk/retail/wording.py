"""How retail's clerk says things: items, orders, addresses, payment methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.clerk.remembering import Json
from agent.clerk.wording import join_parts

CAN_DO = (
    "I can look up your orders and our products, cancel or change pending orders, return or "
    "exchange delivered items, and update your address."
)


def a(noun: str) -> str:
    """A noun with its article: ``an umbrella``, ``a lamp``, ``headphones``."""
    if noun.endswith("s") and not noun.endswith("ss"):
        return noun
    return f"an {noun}" if noun[:1] in "aeiou" else f"a {noun}"


def money(amount: float) -> str:
    """Dollars and cents: ``$1,234.50``."""
    return f"${amount:,.2f}"


def options(record: Mapping[str, Any]) -> str:
    """The option values of an item: ``clicky, RGB, full size``; bare yes or no gets its key."""
    values = []
    for key, value in record["options"].items():
        low = str(value).lower()
        values.append(
            f"{key}: {value}" if low in {"yes", "no", "none"} or _vague(low) else str(value)
        )
    return ", ".join(values)


def _vague(value: str) -> bool:
    return value in {"low", "medium", "high", "s", "m", "l", "xl", "xxl", "xs"} or value.isdigit()


def item(record: Mapping[str, Any]) -> str:
    """An ordered item: its name and options."""
    return f"{record['name']} ({options(record)})" if record["options"] else str(record["name"])


def method(
    record: Mapping[str, Any] | None, method_id: str = "", *, shows_balance: bool = True
) -> str:
    """A payment method: ``PayPal``, ``gift card ($21.00)``, ``Visa ending in 1234``."""
    if record is None:
        return method_id.rsplit("_", 1)[0].replace("_", " ") or "payment method"
    if record.get("source") == "paypal":
        return "PayPal"
    if record.get("source") == "gift_card":
        return f"gift card (balance {money(record['balance'])})" if shows_balance else "gift card"
    brand = str(record.get("brand") or "credit card")
    return f"{brand.capitalize()} ending in {record.get('last_four', '????')}"


def address(record: Mapping[str, Any]) -> str:
    """An address on one line."""
    parts = [record.get(key) for key in ("address1", "address2", "city")]
    place = " ".join(str(record.get(key) or "") for key in ("state", "zip")).strip()
    return ", ".join(str(part) for part in [*parts, place, record.get("country")] if part)


def order(record: Json) -> str:
    """An order on one line: id, status and items."""
    items = join_parts(item(each) for each in record["items"])
    return f"**{record['order_id']}** ({record['status']}): {items}"


def order_short(record: Json) -> str:
    """An order by its id and the names in it."""
    return f"{record['order_id']} ({join_parts(each['name'] for each in record['items'])})"


def refund_time(record: Mapping[str, Any] | None) -> str:
    """When money comes back by that method, as the policy has it."""
    if record is not None and record.get("source") == "gift_card":
        return "immediately"
    return "in 5 to 7 business days"

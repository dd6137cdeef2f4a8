"""A customer's records as the Record pane shows them, and which customer a call concerns."""

from __future__ import annotations

from collections.abc import Iterator

from domains.core.changes import Record
from domains.core.domain import Field, Sheet
from domains.core.draft import Draft
from domains.core.record_sheets import customer_in, payment_methods, profile
from domains.core.records import Records
from domains.core.tool import Arguments, ToolCall
from domains.retail import wording

FINDS_CUSTOMER = frozenset({"find_user_id_by_email", "find_user_id_by_name_zip"})
SHOWS_CUSTOMER = frozenset({"get_user_details", "get_order_details"})


def sheets(records: Draft | Records, user_id: str) -> list[Sheet]:
    """The customer's profile, payment methods and orders; empty for an unknown customer."""
    user = records.get("users", user_id)
    if user is None:
        return []
    orders = (records.get("orders", order_id) for order_id in user["orders"])
    return [
        profile(user),
        payment_methods(user),
        *(_order(user, order) for order in orders if order is not None),
    ]


def customer_of(call: ToolCall, result: str) -> str | None:
    """The customer id that a successful look-up reveals, or None."""
    if result.startswith("Error:"):
        return None
    if call.name in FINDS_CUSTOMER:
        return result
    if call.name not in SHOWS_CUSTOMER:
        return None
    return customer_in(result)


def owner_of(records: Records, arguments: Arguments) -> str | None:
    """The id of the customer whose order or profile a write names, or None."""
    if "order_id" not in arguments:
        user_id = arguments.get("user_id")
        return user_id if isinstance(user_id, str) else None
    order_id = arguments["order_id"]
    order = records.get("orders", order_id) if isinstance(order_id, str) else None
    return None if order is None else str(order["user_id"])


def _order(user: Record, order: Record) -> Sheet:
    return Sheet(f"Order {order['order_id']}", tuple(_order_fields(user, order)))


def _order_fields(user: Record, order: Record) -> Iterator[Field]:
    path = f"orders/{order['order_id']}"
    yield Field("status", order["status"], f"{path}/status")
    for index, item in enumerate(order["items"]):
        yield Field("item", wording.item(item), f"{path}/items.{index}")
    yield Field("ship to", wording.address_line(order["address"]), f"{path}/address")
    for index, parcel in enumerate(order["fulfillments"]):
        yield Field("tracking", ", ".join(parcel["tracking_id"]), f"{path}/fulfillments.{index}")
    for index, row in enumerate(order["payment_history"]):
        yield Field(row["transaction_type"], _payment(user, row), f"{path}/payment_history.{index}")
    yield from _requests(user, order, path)


def _payment(user: Record, row: Record) -> str:
    method = wording.payment_method(user, row["payment_method_id"])
    return f"{wording.money(row['amount'])}, {method}"


def _requests(user: Record, order: Record, path: str) -> Iterator[Field]:
    """Yield what was requested for the order later: the optional fields that are set."""
    words = {
        "cancel_reason": "cancelled because",
        "exchange_items": "exchange of items",
        "exchange_new_items": "exchange for items",
        "exchange_payment_method_id": "exchange settled with",
        "exchange_price_difference": "price difference of the exchange",
        "return_items": "return of items",
        "return_payment_method_id": "return refunded to",
    }
    for name, label in words.items():
        value = order.get(name)
        if value is not None:
            yield Field(label, _as_words(user, order, name, value), f"{path}/{name}")


def _as_words(user: Record, order: Record, name: str, value: object) -> str:
    if isinstance(value, float):
        return wording.money(value)
    if isinstance(value, list):
        names = {item["item_id"]: item["name"] for item in order["items"]}
        return ", ".join(f"{names[each]} {each}" if each in names else each for each in value)
    if name.endswith("payment_method_id"):
        return wording.payment_method(user, str(value))
    return str(value)

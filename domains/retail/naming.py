"""What the store's records and fields are called when differences are listed field by field."""

from __future__ import annotations

from typing import Any

from domains.core.changes import Record
from domains.retail import wording
from domains.text.naming import Naming, Place, title_of_customer

_LABELS = {
    "cancel_reason": "reason for cancelling",
    "exchange_items": "list of items to exchange",
    "exchange_new_items": "list of items to get instead",
    "exchange_payment_method_id": "payment method of the exchange",
    "exchange_price_difference": "price difference of the exchange",
    "return_items": "list of items to return",
    "return_payment_method_id": "payment method of the refund",
    "payment_history": "payments",
}


def _title(place: Place) -> str:
    match place.collection:
        case "users":
            return title_of_customer(place)
        case "products":
            return f"product {wording.value(place.record['name'])} ({wording.value(place.key)})"
        case _:
            return f"order {wording.value(place.key)}"


def _label(place: Place) -> str:
    match place.path:
        case ("payment_methods", _):
            return "payment method"
        case ("payment_history", _):
            return ""
        case ("payment_methods", method_id, field):
            return f"{wording.payment_method(place.record, method_id)} {field}"
        case ("payment_history", _, *more):
            return " ".join(["payment", *more]).replace("_", " ")
        case (field,):
            return _LABELS.get(field, field.replace("_", " "))
        case _:
            return Naming().label(place)


def _phrase(place: Place, value: Any) -> str | None:
    if value is None:
        return None
    match place.path:
        case (*_, "price" | "balance" | "amount" | "exchange_price_difference"):
            return wording.money(value)
        case ("address",):
            return wording.address(value)
        case ("name",) if place.collection == "users":
            return wording.full_name(value)
        case _:
            return _entry(place, value)


def _entry(place: Place, value: Any) -> str | None:
    match place.path:
        case ("items", _):
            return f"{wording.item(value)}, item id {wording.value(value['item_id'])}"
        case ("items", _, "options"):
            return wording.options(value)
        case ("payment_history", _):
            return _payment(place, value)
        case ("payment_methods", method_id):
            return wording.payment_method(place.record, method_id)
        case ("exchange_payment_method_id" | "return_payment_method_id",):
            return wording.payment_method(_owner(place), value)
        case ("exchange_items" | "exchange_new_items" | "return_items",):
            return wording.listing([_item(place, each) for each in value])
        case _:
            return None


def _payment(place: Place, row: Record) -> str:
    method = wording.by_method(_owner(place), row["payment_method_id"])
    way = "with" if row["transaction_type"] == "payment" else "to"
    return (
        f"{wording.value(row['transaction_type'])} of {wording.money(row['amount'])} {way} {method}"
    )


def _owner(place: Place) -> Record:
    return place.look("users", place.record["user_id"]) or {}


def _item(place: Place, item_id: str) -> str:
    """An item in words, by its id: one of the order's, or one that it could be exchanged for."""
    for item in place.record["items"]:
        if item["item_id"] == item_id:
            return f"{wording.item(item)}, item id {wording.value(item_id)}"
        product = place.look("products", item["product_id"]) or {"variants": {}}
        if item_id in product["variants"]:
            variant = wording.variant(product["variants"][item_id])
            return f"{wording.value(product['name'])} ({variant}), item id {wording.value(item_id)}"
    return f"item {wording.value(item_id)}"


NAMING = Naming(
    title=_title,
    label=_label,
    phrase=_phrase,
    alike={
        ("orders", ("items",)): (("item_id",), ("product_id",)),
        ("orders", ("payment_history",)): (
            ("transaction_type", "payment_method_id"), ("transaction_type",),
        ),
        ("orders", ("fulfillments",)): (("tracking_id",),),
    },
)  # fmt: skip
"""How differences in the store's records are worded."""

"""Write the demo store, its ``store.json``: ``python -m tests.generators.retail.generate``.

The same bytes every time. Ids and odd cents are digests of what they name, so that changing one
customer or one product leaves every other record, and every scenario about it, as it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from domains.core.changes import Record
from tests.generators.drawing import (
    Dice,
    address,
    find_payment_method,
    full_name,
    number,
    payment_method,
    user_id,
    write,
)
from tests.generators.retail.cast import DATA, Person, Purchase, cast, crowd

STORE = Path(__file__).parents[3] / "domains" / "retail" / "data" / "store.json"

CENTS = (0.0, 0.25, 0.49, 0.5, 0.75, 0.95, 0.99)
"""What a price may end in."""

REASONS = ("no longer needed", "ordered by mistake")
SHIPPED = ("processed", "delivered", "exchange requested", "return requested")


def build() -> dict[str, dict[str, Record]]:
    """The whole store: products, users and orders by id, in τ²-bench's record shapes."""
    catalogue = json.loads((DATA / "catalogue.json").read_text(encoding="utf-8"))
    shelf = Shelf(catalogue)
    users: dict[str, Record] = {}
    orders: dict[str, Record] = {}
    for person in [*cast(), *crowd(catalogue)]:
        user = _user(person)
        users[user["user_id"]] = user
        for order_id, purchase in zip(user["orders"], person.orders, strict=True):
            orders[order_id] = _order(order_id, user, purchase, shelf)
    return {"products": shelf.products, "users": users, "orders": orders}


def main() -> None:
    """Write the store and say what is in it."""
    write(build(), STORE)


class Shelf:
    """The products, and each variant as it stands in an order."""

    def __init__(self, catalogue: Sequence[Mapping[str, Any]]) -> None:
        """``catalogue`` is what ``data/catalogue.json`` holds."""
        self.products: dict[str, Record] = {}
        self._items: dict[str, Record] = {}
        for entry in catalogue:
            self._add(entry)

    def item(self, words: str) -> Record:
        """An order's line for ``Product: option / option``; KeyError where there is none."""
        return dict(self._items[words])

    def other(self, item: Mapping[str, Any], dice: Dice) -> Record:
        """A variant of the same product that can be had and has another price."""
        product = self.products[item["product_id"]]
        others = [
            variant
            for variant in product["variants"].values()
            if variant["available"] and variant["price"] != item["price"]
        ]
        chosen = dice.pick(others)
        return {
            **item,
            "item_id": chosen["item_id"],
            "price": chosen["price"],
            "options": chosen["options"],
        }

    def _add(self, entry: Mapping[str, Any]) -> None:
        name, product_id = entry["name"], number(10, "product", entry["name"])
        variants = [_variant(entry, words) for words in entry["variants"]]
        self.products[product_id] = {
            "name": name,
            "product_id": product_id,
            "variants": {variant["item_id"]: variant for variant in variants},
        }
        for words, variant in zip(entry["variants"], variants, strict=True):
            self._items[f"{name}: {words}"] = {
                "name": name,
                "product_id": product_id,
                "item_id": variant["item_id"],
                "price": variant["price"],
                "options": variant["options"],
            }


def _variant(entry: Mapping[str, Any], words: str) -> Record:
    options = dict(zip(entry["options"], words.split(" / "), strict=True))
    extra = sum(entry["options"][name][value] for name, value in options.items())
    cents = CENTS[int(number(3, "cents", entry["name"], words)) % len(CENTS)]
    return {
        "item_id": number(10, "item", entry["name"], words),
        "options": options,
        "available": words not in entry["sold_out"],
        "price": round(entry["price"] + extra + cents, 2),
    }


def _user(person: Person) -> Record:
    key = user_id(person.name)
    methods = [payment_method(words, key, holding="balance") for words in person.methods]
    return {
        "user_id": key,
        "name": full_name(person.name),
        "address": address(person.address),
        "email": person.email,
        "payment_methods": {method["id"]: method for method in methods},
        "orders": [
            f"#W{number(7, 'order', key, str(index))}" for index in range(len(person.orders))
        ],
    }


def _order(order_id: str, user: Record, purchase: Purchase, shelf: Shelf) -> Record:
    dice = Dice("order", order_id)
    items = [shelf.item(words) for words in purchase.items]
    method = find_payment_method(user, purchase.paid)
    order: Record = {
        "order_id": order_id,
        "user_id": user["user_id"],
        "address": address(purchase.to) if purchase.to else dict(user["address"]),
        "items": items,
        "status": purchase.status,
        "fulfillments": _parcels(order_id, items) if purchase.status in SHIPPED else [],
        "payment_history": [_move("payment", _total(items), method)],
    }
    _follow_up(order, method, shelf, dice)
    return order


def _follow_up(order: Record, method: str, shelf: Shelf, dice: Dice) -> None:
    """Add what the status says has happened since the order was paid."""
    items = order["items"]
    if order["status"] == "cancelled":
        order["payment_history"].append(_move("refund", _total(items), method))
        order["cancel_reason"] = dice.pick(REASONS)
    elif order["status"] == "pending (item modified)":
        new = shelf.other(items[0], dice)
        difference = round(new["price"] - items[0]["price"], 2)
        direction = "payment" if difference > 0 else "refund"
        order["payment_history"].append(_move(direction, abs(difference), method))
        items[0] = new
    elif order["status"] == "exchange requested":
        new = shelf.other(items[0], dice)
        order["exchange_items"] = [items[0]["item_id"]]
        order["exchange_new_items"] = [new["item_id"]]
        order["exchange_payment_method_id"] = method
        order["exchange_price_difference"] = round(new["price"] - items[0]["price"], 2)
    elif order["status"] == "return requested":
        returned = items[: dice.between(1, len(items))]
        order["return_items"] = sorted(item["item_id"] for item in returned)
        order["return_payment_method_id"] = method


def _parcels(order_id: str, items: Sequence[Record]) -> list[Record]:
    """The items in one parcel, or sometimes two where there are more than two items."""
    cut = Dice("parcels", order_id).between(1, 3) if len(items) > 2 else len(items)
    parcels = [[item["item_id"] for item in part] for part in (items[:cut], items[cut:]) if part]
    return [
        {"tracking_id": [number(12, "parcel", order_id, *ids)], "item_ids": ids} for ids in parcels
    ]


def _move(direction: str, amount: float, method: str) -> Record:
    return {"transaction_type": direction, "amount": amount, "payment_method_id": method}


def _total(items: Iterable[Record]) -> float:
    prices: Iterable[float] = (item["price"] for item in items)
    return round(sum(prices), 2)


if __name__ == "__main__":
    main()

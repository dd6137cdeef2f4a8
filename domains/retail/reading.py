"""Reading the store's records, and the layout that their file must have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any

from domains.core import reading
from domains.core.changes import Record
from domains.core.records import Base

IDS = {
    ("products",): "product_id",
    ("products", reading.EVERY, "variants"): "item_id",
    ("users",): "user_id",
    ("users", reading.EVERY, "payment_methods"): "id",
    ("orders",): "order_id",
}
"""The store's tables, and the field in each that repeats a record's id."""


def read_base(path: Traversable, source: str) -> Base:
    """The store's records; ``source`` says in words where they come from.

    Raises DomainError that names the file and the field.
    """
    from domains.retail.schema import Store

    layout = reading.Layout("a retail store", Store, IDS, _references)
    return Base(reading.read_records(path, layout), source)


def _references(store: Mapping[str, Any]) -> Iterator[reading.Reference]:
    for user_id, user in store["users"].items():
        for number, order_id in enumerate(user["orders"]):
            yield ("users", user_id, "orders", number), ("orders",), order_id
    for order_id, order in store["orders"].items():
        yield from _references_of(("orders", order_id), order)


def _references_of(place: reading.Place, order: Record) -> Iterator[reading.Reference]:
    yield (*place, "user_id"), ("users",), order["user_id"]
    for number, item in enumerate(order["items"]):
        where, product_id = (*place, "items", number), item["product_id"]
        yield (*where, "product_id"), ("products",), product_id
        yield (*where, "item_id"), ("products", product_id, "variants"), item["item_id"]
    methods = ("users", order["user_id"], "payment_methods")
    for number, payment in enumerate(order["payment_history"]):
        where = (*place, "payment_history", number, "payment_method_id")
        yield where, methods, payment["payment_method_id"]

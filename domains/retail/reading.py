"""Reading a store's records: what its file has to look like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any

from domains import reading
from domains.records import Base

IDS = {"products": "product_id", "users": "user_id", "orders": "order_id"}
"""The collections of a store, and the field of each that repeats a record's id."""


def read_base(path: Traversable, source: str) -> Base:
    """A store's records; ``source`` says in words where they are from.

    Raises DomainError that names the file and the field.
    """
    from domains.retail.schema import Store

    layout = reading.Layout("a retail store", Store, IDS, _references)
    return Base(reading.read_records(path, layout), source)


def _references(store: Mapping[str, Any]) -> Iterator[reading.Reference]:
    for user_id, user in store["users"].items():
        for place, order_id in enumerate(user["orders"]):
            yield ("users", user_id, "orders", place), "orders", order_id
    for order_id, order in store["orders"].items():
        yield ("orders", order_id, "user_id"), "users", order["user_id"]
        for place, item in enumerate(order["items"]):
            where = ("orders", order_id, "items", place, "product_id")
            yield where, "products", item["product_id"]

"""Changing an order's items to other variants: the steps that modifying and exchanging share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import ToolError
from domains.retail import store
from domains.retail.quirks import Quirks


def new_variants(
    draft: Draft,
    order: Record,
    item_ids: Sequence[str],
    new_item_ids: Sequence[str],
    *,
    must_differ: bool,
) -> list[Record]:
    """The variant requested for each item.

    Raises ToolError if an item or a variant does not exist, if a variant is sold out, or, with
    ``must_differ``, if a variant is the very item that it should replace.
    """
    return list(_variants(draft, order, item_ids, new_item_ids, must_differ))


def _variants(
    draft: Draft,
    order: Record,
    item_ids: Sequence[str],
    new_item_ids: Sequence[str],
    must_differ: bool,
) -> Iterator[Record]:
    for item_id, new_item_id in zip(item_ids, new_item_ids, strict=True):
        if must_differ and item_id == new_item_id:
            raise ToolError("The new item id should be different from the old item id")
        product_id = store.get_item(order, item_id)["product_id"]
        variant = store.get_variant(draft, product_id, new_item_id)
        if not variant["available"]:
            raise ToolError(f"New item {new_item_id} not found or available")
        yield variant


def price_difference(
    quirks: Quirks, order: Record, item_ids: Sequence[str], variants: Sequence[Record]
) -> float:
    """How many dollars more the new items cost; negative if less, the int 0 for no items."""
    items = order["items"]
    positions = quirks.positions(items, item_ids)
    dearer_by: list[float] = [
        variant["price"] - items[position]["price"]
        for position, variant in zip(positions, variants, strict=True)
    ]
    return sum(dearer_by)

"""The store's records by id, and the errors raised when one is missing."""

from __future__ import annotations

from collections.abc import Sequence

from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.tool import ToolError


def get_order(draft: Draft, order_id: str) -> Record:
    """The order's record, to be read only; raises ToolError if there is none."""
    return _find(draft.get("orders", order_id), "Order not found")


def get_user(draft: Draft, user_id: str) -> Record:
    """The customer's record, to be read only; raises ToolError if there is none."""
    return _find(draft.get("users", user_id), "User not found")


def get_product(draft: Draft, product_id: str) -> Record:
    """The product's record, to be read only; raises ToolError if there is none."""
    return _find(draft.get("products", product_id), "Product not found")


def get_variant(draft: Draft, product_id: str, item_id: str) -> Record:
    """The product's variant with that item id; raises ToolError if there is none."""
    variants = get_product(draft, product_id)["variants"]
    return _find(variants.get(item_id), "Variant not found")


def get_item(order: Record, item_id: str) -> Record:
    """The order's first item with that id; raises ToolError if there is none."""
    matching = (item for item in order["items"] if item["item_id"] == item_id)
    return _find(next(matching, None), "Item not found")


def get_payment_method(draft: Draft, user_id: str, method_id: str) -> Record:
    """The customer's payment method with that id; raises ToolError if there is none."""
    methods = get_user(draft, user_id)["payment_methods"]
    return _find(methods.get(method_id), "Payment method not found")


def missing_item(order: Record, item_ids: Sequence[str]) -> str | None:
    """The first id that is listed more often than the order holds it, or None."""
    held = [item["item_id"] for item in order["items"]]
    return next((each for each in item_ids if item_ids.count(each) > held.count(each)), None)


def _find(record: Record | None, message: str) -> Record:
    if record is None:
        raise ToolError(message)
    return record

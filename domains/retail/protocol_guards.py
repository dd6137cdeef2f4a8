"""How the store's tools must be called: which id goes where, and which tool is for which order.

(Difficulty-routed control, section 3.2, API-level protocol guard.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.protocol_guards import ProtocolGuard, one_call_guard
from domains.core.tool import ToolCall
from domains.retail import wording

_INSTEAD = {
    "exchange_delivered_order_items": ("delivered", "pending", "modify_pending_order_items"),
    "return_delivered_order_items": ("delivered", "pending", "cancel_pending_order"),
    "modify_pending_order_items": ("pending", "delivered", "exchange_delivered_order_items"),
    "cancel_pending_order": ("pending", "delivered", "return_delivered_order_items"),
}
"""By tool: the order status it is for, another status, and the tool for orders of that one."""


def _without_mark(call: ToolCall, draft: Draft, others: Sequence[ToolCall]) -> Iterator[str]:
    given = call.arguments["order_id"]
    if draft.get("orders", given) is None and draft.get("orders", f"#{given}".upper()) is not None:
        number = f"#{given}".upper()
        yield f"{given} is not a valid order_id: an order number begins with #, as in {number}."


def _item_for_product(call: ToolCall, draft: Draft, others: Sequence[ToolCall]) -> Iterator[str]:
    given = call.arguments["product_id"]
    product = _product_of(draft, given)
    if draft.get("products", given) is None and product is not None:
        yield (
            f"{given} is the id of an item, not of a product: it is one of the "
            f"{product['name']}, whose product_id is {product['product_id']}."
        )


def _product_for_item(call: ToolCall, draft: Draft, others: Sequence[ToolCall]) -> Iterator[str]:
    for name in ("item_id", "item_ids", "new_item_ids"):
        given = call.arguments.get(name, [])
        for each in given if isinstance(given, list) else [given]:
            product = draft.get("products", each)
            if product is not None:
                yield (
                    f"{each} in {name} is the id of the product {product['name']}, not of an item: "
                    "use the id of the variant, which is in the order and in get_product_details."
                )


def _wrong_tool(call: ToolCall, draft: Draft, others: Sequence[ToolCall]) -> Iterator[str]:
    wanted, other, instead = _INSTEAD[call.name]
    order = draft.get("orders", call.arguments["order_id"])
    if order is not None and order["status"] == other:
        status = wording.status(order["status"])
        yield (
            f"{call.name} is for {wanted} orders, and {call.arguments['order_id']} is {status}: "
            f"use {instead} instead."
        )


def _product_of(draft: Draft, item: str) -> Record | None:
    """The product that an item is a variant of, or None."""
    return next((each for _, each in draft.items("products") if item in each["variants"]), None)


PROTOCOL = (
    ProtocolGuard("An order's number begins with #", _without_mark),
    ProtocolGuard("A product's id is not an item's", _item_for_product),
    ProtocolGuard("An item's id is not a product's", _product_for_item),
    ProtocolGuard("The tool is for orders of this status", _wrong_tool),
    one_call_guard(
        "order_id",
        "items of the order",
        "exchange_delivered_order_items",
        "return_delivered_order_items",
        "modify_pending_order_items",
    ),
)
"""Guards that send a wrong call back to the agent and say what to do instead."""

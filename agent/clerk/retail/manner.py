"""What the store's clerk can want, change and offer, by intent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agent.clerk.understanding.manners import data_of, reader_of
from agent.clerk.understanding.reading import Reader

HERE = Path(__file__).parent

SWAPS = frozenset({"exchange_items", "modify_items"})
"""One wish: which of the two it is follows from the order's status."""

TOOLS: dict[str, tuple[str, ...]] = {
    "cancel_order": ("cancel_pending_order",),
    "return_items": ("return_delivered_order_items",),
    "exchange_items": ("exchange_delivered_order_items", "modify_pending_order_items"),
    "modify_items": ("exchange_delivered_order_items", "modify_pending_order_items"),
    "change_order_address": ("modify_pending_order_address",),
    "change_default_address": ("modify_user_address",),
    "change_payment": ("modify_pending_order_payment",),
    "human": ("transfer_to_human_agents",),
    "other": ("transfer_to_human_agents",),
}
VERBS = {
    "cancel_order": "cancel",
    "return_items": "return",
    "exchange_items": "exchange",
    "modify_items": "change",
    "change_order_address": "change the address of",
    "change_payment": "change the payment of",
}
OFFERS = {
    "cancel_order": "cancel an order",
    "return_items": "return something for a refund",
    "exchange_items": "exchange something for another option",
    "change_order_address": "send an order to another address",
    "change_default_address": "change your default address",
    "change_payment": "pay an order in another way",
    "order_status": "see where an order is",
    "product_info": "know what a product costs or comes in",
    "policy_question": "know the store's rules",
    "nothing_changes": "leave everything as it is",
    "human": "talk to a human agent",
    "hypothetical": "know what a change would come to",
    "tracking": "get a tracking number",
    "order_total": "know what you paid",
    "refund_amount": "know what you get back",
    "orders": "see your orders",
    "profile": "see your profile",
    "gift_balance": "see your gift card balance",
    "product_count": "know how many options a product has",
    "modify_items": "change an item in an order",
    "other": "something else that I can't do myself",
    "place_order": "buy something new",
    "add_item": "add or remove items of an order",
}


def manner_data() -> dict[str, Any]:
    """What ``manner.json`` holds."""
    return data_of(HERE)


def reader() -> Reader:
    """Reads a customer's messages."""
    return reader_of(HERE)


ACTS = frozenset(data_of(HERE)["acts"])

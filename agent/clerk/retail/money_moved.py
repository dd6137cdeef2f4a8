"""What a change of an order moves: how much comes back, and by which payment method."""

from __future__ import annotations

from agent.clerk.remembering import Asked
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.paying import current_method, original_method
from agent.clerk.steps import Call

LEAST = 0.004
"""Dollars below which nothing moves."""

_REPAY = "modify_pending_order_payment"
MOVE_NO_MONEY = frozenset({"modify_pending_order_address", "modify_user_address", _REPAY})
"""Changes by which nobody pays more or less."""


def money_moved(change: Call | Asked, memory: Memory) -> tuple[float, str]:
    """Dollars that a change brings back, below 0 where it costs, and the id of the method.

    It is the same before the change and after it: the order's prices are those first read.
    """
    record = memory.original_orders.get(str(change.arguments.get("order_id")))
    if record is None or change.name in MOVE_NO_MONEY - {_REPAY}:
        return 0.0, ""
    prices = {each["item_id"]: float(each["price"]) for each in record["items"]}
    if change.name == "cancel_pending_order":
        now = memory.orders[record["order_id"]]
        return sum(float(each["price"]) for each in now["items"]), original_method(now)
    if change.name == _REPAY:
        return sum(float(each["price"]) for each in record["items"]), current_method(record)
    variants = (
        each for product in memory.products.values() for each in product["variants"].items()
    )
    costs = {key: float(each["price"]) for key, each in variants}
    back = sum(prices.get(each, 0.0) for each in ids_in(change, "item_ids"))
    due = sum(costs.get(each, 0.0) for each in ids_in(change, "new_item_ids"))
    return back - due, str(change.arguments.get("payment_method_id"))


def ids_in(change: Call | Asked, name: str) -> list[str]:
    """The ids that an argument of a change lists."""
    found = change.arguments.get(name)
    return [str(each) for each in found] if isinstance(found, list) else []

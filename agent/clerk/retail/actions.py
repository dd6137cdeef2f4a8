"""Skills that change orders, one order after another, as a whole or item by item."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from agent.clerk.deciding.offers import ask_to_pick
from agent.clerk.retail.addresses import ask_whose, new_address
from agent.clerk.retail.exchanges import fill_swap
from agent.clerk.retail.intent_data import TEXTS, tells
from agent.clerk.retail.item_mentions import OrderItem, items_meant, items_of
from agent.clerk.retail.item_slots import select_items
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.orders import one_order, order_ids
from agent.clerk.retail.payment_slots import (
    LEAST,
    for_order,
    for_refund,
    ids_in,
    money_moved,
    original_method,
    your_method,
)
from agent.clerk.retail.wording import address, item, money, options, order_short, refund_time
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Choice, Refused, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts

REASONS = ("no longer needed", "ordered by mistake")
_SAME = "the price stays the same"
_SAID = {"other reason": "other", "by mistake": REASONS[1], "not needed": REASONS[0]}


@dataclass(frozen=True)
class Change:
    """A kind of change that is applied to one order at a time."""

    tools: Mapping[str, str]
    """The tool by the status of an order that it can change."""

    fill: Callable[[Task, RetailRecords, Json, Sequence[OrderItem]], Json | None]
    """The arguments besides the order's id, for the selected items; None if all is done. Raises
    Settled with a question or a refusal."""

    told: Callable[[Json, RetailRecords], str]
    """The sentence that reports the change, from the order as it is afterwards."""

    of_items: bool = False

    def next_step(self, task: Task, records: RetailRecords) -> Call | Statement:
        """The call for the next order, or the report on all; raises Settled as ``fill`` does."""
        if self.of_items:
            items = select_items(task, records, self.tools)
            order = items[0].order if items else None
        else:
            items, order = [], one_order(task, records, self.tools)
        if order is None and not task.written:
            return Statement("All right, then I'll leave it all as it is.", "dropped")
        arguments = self.fill(task, records, order, items) if order is not None else None
        if order is not None and arguments is not None:
            arguments = {"order_id": order["order_id"], **arguments}
            return Call(self.tools[order["status"]], arguments, task)
        lines = (self._line(each, records) for each in dict.fromkeys(task.written))
        return Statement("\n".join(lines), "done")

    def _line(self, order_id: str, records: RetailRecords) -> str:
        order = records.orders.get(order_id)
        return self.told(order, records) if order else f"Order {order_id} has been changed."


def reason(task: Task) -> str:
    """The reason for cancelling: one of ``REASONS``, ``other``, ``none``, or empty so far."""
    if task.chosen.get("reason"):
        return task.chosen["reason"]
    for text in task.newest_first:
        words = tokens(text)
        found = next((why for name, why in _SAID.items() if tells(words, name)), "")
        if found:
            return found
    return ""


def _cancel(task: Task, records: RetailRecords, order: Json, items: Sequence[OrderItem]) -> Json:
    """The arguments for cancelling a pending order as a whole.

    Raises Settled with the question for a reason, or Refused if the customer gives none.
    """
    _settle_parts(task, order)
    why = reason(task)
    if why == "none":
        raise Refused(f"Then I can't cancel it: order {order_short(order)} stays as it is.")
    if why in REASONS or task.what_if:  # the refund is the same for either reason
        return {"reason": why if why in REASONS else REASONS[0]}
    choices = (
        Choice(REASONS[0], "it is no longer needed"),
        Choice(REASONS[1], "it was ordered by mistake"),
    )
    lead = "I'm afraid that is not a reason I can accept. " if why == "other" else ""
    text = f"{lead}Why do you want to cancel order {order_short(order)}? I can only do it if"
    ask = ask_to_pick(text, "reason", task, choices, str(order["order_id"]))
    arguments = {"order_id": order["order_id"], "reason": REASONS[0]}
    forbidden = Call("cancel_pending_order", arguments, task) if why == "other" else None
    raise Settled(replace(ask, forbidden=forbidden))


def _settle_parts(task: Task, order: Json) -> None:
    """Raise Settled if the customer names only some items; only whole orders are cancelled.

    It is a refusal if they want just these items, and otherwise a question.
    """
    words, alone = tokens(task.all_words), has(tokens(task.text), "just", "only")
    whole = task.chosen.get("whole") == "yes" or tells(words, "whole order")
    if whole or (order["order_id"] in order_ids(task.all_words) and not alone):
        return
    named = items_meant(task.text, items_of([order]))
    if not named or len(named) >= len(order["items"]):
        return
    names = join_parts(str(each.item["name"]) for each in named)
    if task.chosen.get("whole") or alone:
        raise Refused(TEXTS["whole order"].format(names, order_short(order)), order["order_id"])
    choices = (Choice("yes", "cancel the whole order"), Choice("no", "leave it"))
    text = TEXTS["whole order?"].format(names, order_short(order))
    raise Settled(ask_to_pick(text, "whole", task, choices, str(order["order_id"])))


def _tell_cancelled(order: Json, records: RetailRecords) -> str:
    total = money(sum(each["price"] for each in order["items"]))
    back = _back(records, original_method(order))
    return f"Order {order_short(order)} is cancelled; {total} goes back to {back}."


def _back(records: RetailRecords, method_id: str) -> str:
    """The customer's payment method that is refunded, and when."""
    return f"{your_method(records, method_id)} {refund_time(records.methods.get(method_id))}"


def _tell_returned(order: Json, records: RetailRecords) -> str:
    items = [e for e in order["items"] if e["item_id"] in (order.get("return_items") or [])]
    total = money(sum(each["price"] for each in items))
    back = _back(records, str(order.get("return_payment_method_id") or ""))
    names = join_parts(each["name"] for each in items)
    return TEXTS["returned"].format(names, order["order_id"], total, back)


def _tell_swapped(order: Json, records: RetailRecords) -> str:
    """What became what in the last change of the order's items, and the money that it moved."""
    asked = records.swaps[str(order["order_id"])]
    amount, method_id = money_moved(asked, records)
    pairs = zip(ids_in(asked, "item_ids"), ids_in(asked, "new_item_ids"), strict=False)
    exchanged = order["status"].startswith("exchange")
    joint = "for" if exchanged else "to"
    swaps = join_parts(_swapped(old, new, order, records, joint) for old, new in pairs)
    way = "goes back to" if amount > 0 else "is charged to"
    moved = f"{money(abs(amount))} {way} {your_method(records, method_id)}"
    text = TEXTS["exchanged" if exchanged else "swapped"]
    return text.format(swaps, order["order_id"], moved if abs(amount) > LEAST else _SAME)


def _swapped(old: str, new: str, order: Json, records: RetailRecords, joint: str) -> str:
    """An item with its options, and those of the variant that replaces it."""
    first = records.original_orders[order["order_id"]]
    before = next(each for each in first["items"] if each["item_id"] == old)
    after = records.products[before["product_id"]]["variants"][new]
    return f"the {item(before)} {joint} {options(after)}"


def _tell_sent(order: Json, records: RetailRecords) -> str:
    where = address(order["address"])
    return f"Order {order['order_id']} will be shipped to the new address: {where}."


def _tell_repaid(order: Json, records: RetailRecords) -> str:
    history = order["payment_history"]
    by_kind = {each["transaction_type"]: each["payment_method_id"] for each in history}
    paid, old = by_kind.get("payment", ""), by_kind.get("refund", "")
    how, back = your_method(records, paid), _back(records, old)
    return TEXTS["repaid"].format(order["order_id"], how, back)


def refuse_split(task: Task) -> None:
    """Raise Refused if the customer wants to pay an order with two methods."""
    if any(has(tokens(each), "half", "split", "two cards", "both cards") for each in task.words):
        raise Refused(TEXTS["one method"])


def _change_payment(task: Task, records: RetailRecords) -> Call | Statement:
    refuse_split(task)
    return _PAYMENT.next_step(task, records)


def _change_default_address(task: Task, records: RetailRecords) -> Call | Statement:
    """The call that changes the profile's address, or the report on it; may raise Settled."""
    now = (records.user or {}).get("address", {})
    if task.written:
        return Statement(f"Your default address is now {address(now)}.", "done")
    ask_whose(task, records)
    new = new_address(task, records, now, "")
    return Call("modify_user_address", {"user_id": records.user_id, **new}, task)


_PAYMENT = Change(
    {"pending": "modify_pending_order_payment"},
    lambda task, records, order, _: {"payment_method_id": for_order(task, records, order)},
    _tell_repaid,
)
_ADDRESS = Change(
    {"pending": "modify_pending_order_address"},
    lambda task, records, order, _: new_address(task, records, order["address"], order["order_id"]),
    _tell_sent,
)
_CANCEL = Change({"pending": "cancel_pending_order"}, _cancel, _tell_cancelled)
_RETURN = Change(
    {"delivered": "return_delivered_order_items"},
    lambda task, records, order, items: {
        "item_ids": [each.id for each in items],
        "payment_method_id": for_refund(task, records, order, [each.item for each in items]),
    },
    _tell_returned,
    of_items=True,
)
_SWAP = Change(
    {"pending": "modify_pending_order_items", "delivered": "exchange_delivered_order_items"},
    fill_swap,
    _tell_swapped,
    of_items=True,
)
CHANGES: Mapping[str, Callable[[Task, RetailRecords], Call | Statement]] = {
    "cancel_order": _CANCEL.next_step,
    "return_items": _RETURN.next_step,
    "exchange_items": _SWAP.next_step,
    "modify_items": _SWAP.next_step,
    "change_order_address": _ADDRESS.next_step,
    "change_default_address": _change_default_address,
    "change_payment": _change_payment,
}
"""The next step of a requested change, by intent; each may raise Settled."""

"""Skills that change orders, one order after another, as a whole or item by item."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from agent.clerk.deciding.offers import ask_to_pick
from agent.clerk.retail.addresses import new_address
from agent.clerk.retail.exchanges import fill_swap
from agent.clerk.retail.intent_data import TEXTS, TOOLS, tells
from agent.clerk.retail.item_mentions import OrderItem, items_meant, items_of
from agent.clerk.retail.item_slots import select_items
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.orders import one_order, order_ids
from agent.clerk.retail.payment_slots import (
    LEAST,
    current_method,
    for_order,
    for_refund,
    ids_in,
    money_moved,
    wanted_kinds,
    your_method,
)
from agent.clerk.retail.wording import address, item, money, options, order_short, refund_time
from agent.clerk.state.records import Json, RecordedCall
from agent.clerk.state.steps import Call, Choice, Refused, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts

REASONS = ("no longer needed", "ordered by mistake")
_SAID = {"other reason": "other", "by mistake": REASONS[1], "not needed": REASONS[0]}


@dataclass(frozen=True)
class Change:
    """A kind of change that is applied to one order at a time."""

    tools: Mapping[str, str]
    """The tool by the status of an order that it can change."""

    fill: Callable[[Task, RetailRecords, Json, Sequence[OrderItem]], Json]
    """The arguments besides the order's id, for the selected items; may raise Settled."""

    of_items: bool = False

    def next_step(self, task: Task, records: RetailRecords) -> Call | Statement:
        """The call for the next order, or the report on all; raises Settled as ``fill`` does."""
        items = select_items(task, records, self.tools) if self.of_items else []
        order = items[0].order if items else None
        if not self.of_items:
            order = one_order(task, records, self.tools)
        if order is None and not task.written:
            return Statement("All right, then I'll leave it all as it is.", "dropped")
        if order is not None:
            rest = self.fill(task, records, order, items)
            arguments = {"order_id": order["order_id"], **rest}
            return Call(self.tools[order["status"]], arguments, task)
        ids, tools = task.written, self.tools.values()
        made = [each for key, each in records.made.items() if key[0] in ids and key[1] in tools]
        return Statement("\n".join(_report(each, records) for each in made), "done")


def _report(made: RecordedCall, records: RetailRecords) -> str:
    """The sentence that reports a change, with the money that it moved."""
    order_id = str(made.arguments["order_id"])
    order, first = records.orders[order_id], records.original_orders[order_id]
    amount, method_id = money_moved(made, records)
    how = your_method(records, method_id)
    given = [e for each in ids_in(made, "item_ids") for e in first["items"] if e["item_id"] == each]
    goes = "goes" if made.name in TOOLS["return_items"] else "goes back"  # the items come back
    back = f"{money(amount)} {goes} to {how} {refund_time(records.methods.get(method_id))}"
    later = order["status"].startswith("exchange")  # no money moves until the items are back
    charged = f"{money(-amount)} {'will be' if later else 'is'} charged to {how}"
    moved = back if amount > 0 else charged
    pairs = zip(given, ids_in(made, "new_item_ids"), strict=False)
    joint = "for" if order["status"].startswith("exchange") else "to"
    variants = {k: v for e in records.products.values() for k, v in e["variants"].items()}
    return TEXTS[made.name].format(
        id=order_id,
        order=order_short(order),
        items=join_parts(each["name"] for each in given),
        they="the item is" if len(given) == 1 else "the items are",
        swaps=join_parts(f"the {item(e)} {joint} {options(variants[new])}" for e, new in pairs),
        money=moved if abs(amount) > LEAST else "the price stays the same",
        address=address(order["address"]),
        paid=your_method(records, current_method(order)),
    )


def reason(task: Task) -> str:
    """The reason for cancelling: one of ``REASONS``, ``other``, ``none``, or empty so far."""
    if task.chosen.get("reason"):
        return task.chosen["reason"]
    said = ((tokens(text), name) for text in task.newest_first for name in _SAID)
    return next((_SAID[name] for words, name in said if tells(words, name)), "")


def _cancel(task: Task, records: RetailRecords, order: Json, items: Sequence[OrderItem]) -> Json:
    """The arguments for cancelling a pending order as a whole.

    Raises Settled with the question for a reason, or Refused if the customer gives none.
    """
    _settle_parts(task, order)
    why = reason(task)
    if why == "none":
        raise Refused(TEXTS["reasons"].format(order_short(order)), order["order_id"])
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
    """Raise Settled if the customer names only some items; only whole orders are cancelled."""
    words, alone = tokens(task.all_words), has(tokens(task.text), "just", "only")
    refused = task.chosen.get("whole") == "no"
    whole = task.chosen.get("whole") == "yes" or (tells(words, "whole order") and not refused)
    things = items_of([order])
    told = [task.text, *task.notes] if refused else [task.text]
    named = [each for text in told for each in items_meant(text, things)]
    named = named or [each for text in task.same_message for each in items_meant(text, things)]
    numbered = order["order_id"] in order_ids(task.all_words) and not (alone or refused)
    if whole or numbered or not 0 < len(named) < len(order["items"]):
        return
    names = join_parts(dict.fromkeys(str(each.item["name"]) for each in named))
    if task.chosen.get("whole"):
        raise Refused(TEXTS["whole order"].format(names, order_short(order)), order["order_id"])
    choices = (Choice("yes", "cancel the whole order"), Choice("no", "leave it"))
    text = TEXTS["whole order?"].format(names, order_short(order))
    raise Settled(ask_to_pick(text, "whole", task, choices, str(order["order_id"])))


def refuse_split(task: Task) -> None:
    """Raise Refused if the customer wants to pay an order with two methods."""
    if any(has(tokens(each), "half", "split", "two cards", "both cards") for each in task.words):
        raise Refused(TEXTS["one method"])


def _change_payment(task: Task, records: RetailRecords) -> Call | Statement:
    """The call that has an order paid another way, or the report on it; may raise Settled."""
    refuse_split(task)
    step = _PAYMENT.next_step(task, records)
    card = task.written and wanted_kinds(task)[:1] == ["gift card"]
    if isinstance(step, Call) or not card or "gift card" in step.text:
        return step
    return replace(step, text=f"{TEXTS['too little']} {step.text}")


def _change_default_address(task: Task, records: RetailRecords) -> Call | Statement:
    """The call that changes the profile's address, or the report on it; may raise Settled."""
    now = (records.user or {}).get("address", {})
    if task.written:
        return Statement(f"Your default address is now {address(now)}.", "done")
    new = new_address(task, records, now, "")
    return Call("modify_user_address", {"user_id": records.user_id, **new}, task)


def _of_pending(intent: str, fill: Callable[..., Json]) -> Change:
    return Change({"pending": TOOLS[intent][0]}, fill)


_PAYMENT = _of_pending(
    "change_payment",
    lambda task, records, order, _: {"payment_method_id": for_order(task, records, order)},
)
_ADDRESS = _of_pending(
    "change_order_address",
    lambda task, records, order, _: new_address(task, records, order["address"], order["order_id"]),
)
_RETURN = Change(
    {"delivered": TOOLS["return_items"][0]},
    lambda task, records, order, items: {
        "item_ids": [each.id for each in items],
        "payment_method_id": for_refund(task, records, order, [each.item for each in items]),
    },
    of_items=True,
)
_SWAP = Change(
    {"pending": "modify_pending_order_items", "delivered": "exchange_delivered_order_items"},
    fill_swap,
    of_items=True,
)
CHANGES: Mapping[str, Callable[[Task, RetailRecords], Call | Statement]] = {
    "cancel_order": _of_pending("cancel_order", _cancel).next_step,
    "return_items": _RETURN.next_step,
    "exchange_items": _SWAP.next_step,
    "modify_items": _SWAP.next_step,
    "change_order_address": _ADDRESS.next_step,
    "change_default_address": _change_default_address,
    "change_payment": _change_payment,
}
"""The next step of a requested change, by intent; each may raise Settled."""

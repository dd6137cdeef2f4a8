"""Cancelling orders, returning items, and paying an order in another way."""

from __future__ import annotations

from dataclasses import replace

from agent.clerk.offers import ask_to_pick
from agent.clerk.remembering import Json
from agent.clerk.retail.manner import tells
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.orders import one_order, tell_done
from agent.clerk.retail.paying import for_order, for_refund, original_method
from agent.clerk.retail.selecting import select_items
from agent.clerk.retail.things import items_of, named_items
from agent.clerk.retail.wording import method, money, order_short, refund_time
from agent.clerk.steps import Ask, Call, Choice, Refused, Tell
from agent.clerk.task import Task
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts

REASONS = ("no longer needed", "ordered by mistake")


def reason(task: Task) -> str:
    """The reason for cancelling: one of the two, ``other``, ``none``, or nothing said yet."""
    if task.chosen.get("reason"):
        return task.chosen["reason"]
    for text in task.newest_first:
        words = tokens(text)
        if tells(words, "other reason"):
            return "other"
        if tells(words, "by mistake"):
            return REASONS[1]
        if tells(words, "not needed"):
            return REASONS[0]
    return ""


def cancel(task: Task, memory: Memory, policy: str) -> Call | Ask | Tell:
    """Cancel pending orders as a whole."""
    order = one_order(task, memory, {"pending"})
    if order is None:
        return _tell_cancelled(task, memory)
    _refuse_parts(task, order)
    why = reason(task)
    if why == "none":
        return Tell(
            f"Then I can't cancel it: order {order_short(order)} stays as it is.", "refused"
        )
    if why not in REASONS:
        return _ask_reason(task, order, why)
    return Call("cancel_pending_order", {"order_id": order["order_id"], "reason": why}, task)


def _refuse_parts(task: Task, order: Json) -> None:
    """A single item cannot be cancelled out of an order."""
    words = tokens(task.text)
    if not has(words, "just", "only") or has(words, "order with", "whole order", "entire order"):
        return
    named = named_items(task.text, items_of([order]))
    if named and len(named) < len(order["items"]):
        names = join_parts(str(each.item["name"]) for each in named)
        raise Refused(
            f"I can't cancel just the {names}: order {order_short(order)} can only be cancelled as "
            "a whole. I could cancel the whole order, or change the item to another option of the "
            "same product.",
            order["order_id"],
        )


def _ask_reason(task: Task, order: Json, why: str) -> Ask:
    choices = (
        Choice(REASONS[0], "it is no longer needed"),
        Choice(REASONS[1], "it was ordered by mistake"),
    )
    lead = "I'm afraid that is not a reason I can accept. " if why == "other" else ""
    text = f"{lead}Why do you want to cancel order {order_short(order)}? I can do it only where"
    ask = ask_to_pick(text, "reason", task, choices, str(order["order_id"]))
    arguments = {"order_id": order["order_id"], "reason": REASONS[0]}
    forbidden = Call("cancel_pending_order", arguments, task) if why == "other" else None
    return replace(ask, forbidden=forbidden)


def _tell_cancelled(task: Task, memory: Memory) -> Tell:
    def line(record: Json) -> str:
        total = money(sum(each["price"] for each in record["items"]))
        back = _back(memory, original_method(record))
        return f"Order {order_short(record)} is cancelled; {total} goes back to {back}."

    return tell_done(task, memory, line)


def _back(memory: Memory, method_id: str) -> str:
    """The customer's method that money goes to, and when."""
    how = memory.methods.get(method_id)
    return f"your {method(how, method_id, shows_balance=False)} {refund_time(how)}"


def give_back(task: Task, memory: Memory, policy: str) -> Call | Ask | Tell:
    """Return items of delivered orders, one order at a time."""
    items = select_items(task, memory, {"delivered"})
    if not items:
        return (
            _tell_returned(task, memory)
            if task.written
            else Tell("All right, then I leave it all.", "dropped")
        )
    order = items[0].order
    arguments = {
        "order_id": order["order_id"],
        "item_ids": [each.id for each in items],
        "payment_method_id": for_refund(task, memory, order),
    }
    return Call("return_delivered_order_items", arguments, task)


def _tell_returned(task: Task, memory: Memory) -> Tell:
    def line(record: Json) -> str:
        items = [e for e in record["items"] if e["item_id"] in (record.get("return_items") or [])]
        total = money(sum(each["price"] for each in items))
        back = _back(memory, str(record.get("return_payment_method_id") or ""))
        return (
            f"The return of {join_parts(each['name'] for each in items)} (order "
            f"{record['order_id']}) is requested; {total} goes to {back} after the return. You'll "
            "get an email on how to send the items back."
        )

    return tell_done(task, memory, line)


def pay_otherwise(task: Task, memory: Memory, policy: str) -> Call | Ask | Tell:
    """Change what a pending order is paid with."""
    if splits(task):
        return Tell(
            "An order is paid with one single payment method, so I can't split the payment.",
            "refused",
        )
    order = one_order(task, memory, {"pending"})
    if order is None:
        return _tell_repaid(task, memory)
    method_id = for_order(task, memory, order)
    arguments = {"order_id": order["order_id"], "payment_method_id": method_id}
    return Call("modify_pending_order_payment", arguments, task)


def splits(task: Task) -> bool:
    """Whether an order is to be paid in two ways."""
    return any(has(tokens(each), "half", "split", "two cards", "both cards") for each in task.words)


def _tell_repaid(task: Task, memory: Memory) -> Tell:
    def line(record: Json) -> str:
        history = record["payment_history"]
        by_kind = {each["transaction_type"]: each["payment_method_id"] for each in history}
        paid, old = by_kind.get("payment", ""), by_kind.get("refund", "")
        name = method(memory.methods.get(paid), paid, shows_balance=False)
        return (
            f"Order {record['order_id']} is now paid with your {name}; what you paid before goes "
            f"back to {_back(memory, old)}."
        )

    return tell_done(task, memory, line)

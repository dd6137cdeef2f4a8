"""Answers to questions about orders, the profile and the effect of a hypothetical change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from agent.clerk.retail.catalogue import product_info
from agent.clerk.retail.dialogue import RetailDialogue
from agent.clerk.retail.intent_data import TEXTS, tells
from agent.clerk.retail.item_mentions import OrderItem
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.orders import all_orders
from agent.clerk.retail.payment_slots import (
    LEAST,
    MOVE_NO_MONEY,
    current_method,
    ids_in,
    money_moved,
    your_method,
)
from agent.clerk.retail.subjects import STATUSES, Subject, about, find_subject, tell_of
from agent.clerk.retail.wording import (
    address,
    item,
    method,
    money,
    options,
    order,
    order_short,
    refund_time,
)
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Question, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts, list_lines

_NO_MORE = "Our records tell no more of it than this: "
_STEM = 3
"""How many letters of an option or a value show that a question is about it."""


def _status(task: Task, subject: Subject, records: RetailRecords) -> str:
    """The detail that a question asks for, or else the orders with all that is known of them."""
    words, pool = tokens(task.text), subject.orders
    if has(words, "most expensive", "cheapest"):
        by_price = sorted((i for o in pool for i in o["items"]), key=lambda each: each["price"])
        found = by_price[0 if has(words, "cheapest") else -1]
        return f"That is the {item(found)} at {money(found['price'])}."
    if tells(words, "asks address"):
        return _in_lines([f"Order {order_short(e)} {_goes_to(e)}." for e in pool])
    if tells(words, "paying"):
        return _total(task, subject, records)
    if has(words, "material", "color", "size", "which", "what") and subject.items:
        return _in_lines([_described(each, records) for each in subject.items])
    text = _in_lines([_summary(each, subject, records) for each in pool])
    if has(words, "when", "how long") and any(each["status"] == "pending" for each in pool):
        text += "\n\nI can't see a delivery date; a pending order has not been shipped yet."
    return text


def _summary(record: Json, subject: Subject, records: RetailRecords) -> str:
    """An order with its tracking number; if it is the only one, also its address and payment."""
    line = f"{order(record)}{_numbers(record, '; tracking ')}"
    if len(subject.orders) > 1:
        return line
    return f"{line}; {_goes_to(record)}; {money(_amount_paid(record))}{_paid_with(record, records)}"


def _goes_to(record: Json) -> str:
    verb = "goes" if record["status"].startswith("pending") else "went"
    return f"{verb} to {address(record['address'])}"


def _paid_with(record: Json, records: RetailRecords) -> str:
    return f" paid with {your_method(records, current_method(record))}"


def _described(each: OrderItem, records: RetailRecords) -> str:
    """An item with all its options and its price, and what it is exchanged for."""
    told = [*(f"{k} {v}" for k, v in each.item["options"].items()), money(each.item["price"])]
    line = f"{each.item['name']} in order {each.order['order_id']}: {', '.join(told)}"
    asked = records.swaps.get(str(each.order["order_id"]))
    if asked is None or each.id not in ids_in(asked, "item_ids"):
        return line
    new = ids_in(asked, "new_item_ids")[ids_in(asked, "item_ids").index(each.id)]
    variants = records.products[each.item["product_id"]]["variants"]
    return f"{line}; it is exchanged for {options(variants[new])}"


def _in_lines(lines: Sequence[str]) -> str:
    """The lines as a list, or the bare line if there is only one."""
    return list_lines(lines) if len(lines) > 1 else "".join(lines)


def _numbers(record: Json, lead: str) -> str:
    ids = [number for each in record["fulfillments"] for number in each["tracking_id"]]
    return f"{lead}{join_parts(ids)}" if ids else ""


def _tracking(task: Task, subject: Subject, records: RetailRecords) -> str:
    """The tracking numbers of the orders; their addresses if only these are asked for."""
    if tells(tokens(task.text), "asks address"):
        return _status(task, subject, records)
    lines = []
    for each in subject.orders:
        none = f"no tracking number yet ({each['status']})"
        lines.append(f"{order_short(each)}: {_numbers(each, 'tracking number ') or none}")
    return _in_lines(lines)


def _amount_paid(record: Json) -> float:
    """Dollars paid for an order minus refunds, but not minus that of a cancelled order."""
    signs = {"payment": 1, "refund": 0 if record["status"] == "cancelled" else -1}
    history = record["payment_history"]
    moved: float = sum(signs[each["transaction_type"]] * each["amount"] for each in history)
    return round(moved, 2)


def _total(task: Task, subject: Subject, records: RetailRecords) -> str:
    """The amount paid for the orders and how, with the prices of the mentioned items."""
    pool = subject.orders
    paid = [(money(_amount_paid(each)), order_short(each)) for each in pool]
    own = {id(each.item) for each in subject.items}
    prices = (f" The {e.item['name']} was {money(e.item['price'])}." for e in subject.items)
    more = "" if len(own) == sum(len(each["items"]) for each in pool) else "".join(prices)
    if len(pool) == 1:
        how = _paid_with(pool[0], records).removeprefix(" paid")
        return f"You paid {paid[0][0]} for order {paid[0][1]}{how}.{more}"
    lines = list_lines(f"Order {name}: {amount}" for amount, name in paid)
    total = money(sum(map(_amount_paid, pool)))
    return f"{lines}\n\nThat is {total} in total.{more}"


def _refund(task: Task, subject: Subject, records: RetailRecords) -> str:
    """The refund to expect for the mentioned items, or else for the whole order."""
    if not subject.items and len(subject.orders) > 1:
        return "That depends on what you cancel or return; please tell me which orders or items."
    prices = [float(each.item["price"]) for each in subject.items]
    prices = prices or [_amount_paid(subject.orders[0])]
    return f"You would get {money(sum(prices))} back."


def _refund_amount(task: Task, dialogue: RetailDialogue) -> Statement:
    """The refund from the changes in this conversation, or else the refund to expect."""
    moved = [money_moved(each, dialogue.records) for each in dialogue.changes]
    moved = [(amount, to) for amount, to in moved if abs(amount) > LEAST]
    if not moved:
        words = tokens(task.text)
        of_paid = has(words, "pay", "paid", "payed") and not tells(words, "getting back")
        return about(_total if of_paid else _refund)(task, dialogue)
    return Statement(_words_of_moved(moved, dialogue.records), "answered")


def tell_how_to_return(task: Task, dialogue: RetailDialogue) -> Statement:
    """What is known of sending things back and of the money, also of this conversation's."""
    moved = [money_moved(each, dialogue.records) for each in dialogue.changes]
    moved = [(amount, to) for amount, to in moved if abs(amount) > LEAST]
    words = tokens(task.text)
    of_order = tells(words, "arriving") or tells(words, "asks address")
    if of_order and not (moved or tells(words, "money") or has(words, "return", "send")):
        return about(_status)(task, dialogue)
    more = f" {_words_of_moved(moved, dialogue.records)}" if moved else ""
    return Statement(f"{TEXTS['return_how']}{more}", "answered")


def _words_of_moved(moved: list[tuple[float, str]], records: RetailRecords) -> str:
    """Each amount with the payment method it moves to or from; a total for several refunds."""
    named = [(amount, your_method(records, to)) for amount, to in moved]
    back = [f"{money(amount)} to {name}" for amount, name in named if amount > 0]
    cost = [f"{money(-amount)} with {name}" for amount, name in named if amount < 0]
    total = money(sum(amount for amount, _ in moved if amount > 0))
    lead = f"In total you get back {total}: " if len(back) > 1 else "You get back "
    parts = [f"{lead}{join_parts(back)}."] if back else []
    return " ".join([*parts, *([f"You pay an extra {join_parts(cost)}."] if cost else [])])


def _orders(task: Task, dialogue: RetailDialogue) -> Statement:
    """The customer's orders, newest first, with only one status if the question names it."""
    words = tokens(task.text)
    status = next((each for each in STATUSES if has(words, each)), "")
    status = "pending" if has(words, "open", "still open") else status
    pool = [each for each in all_orders(dialogue.records) if each["status"].startswith(status)]
    kind = f"{status} orders".strip()
    lines = f"Your {kind}, the newest first:\n\n{list_lines(map(order, pool))}"
    return tell_of(lines if pool else f"You have no {kind}.", pool)


def _profile(task: Task, dialogue: RetailDialogue) -> Statement:
    """The email, default address and payment methods, or those that were asked about."""
    user = dialogue.records.user or {}
    methods = list_lines(map(method, dialogue.records.methods.values()))
    parts = {
        ("email", "mail"): f"Your email is {user.get('email', 'not on file')}.",
        ("address", "living", "live"): f"Your default address is {address(user['address'])}.",
        ("card", "pay", "payment", "paypal"): f"Your payment methods:\n\n{methods}",
    }
    words = tokens(task.text)
    subject = find_subject(task, dialogue)
    if subject.named and subject.orders and not tells(words, "own account"):
        return about(_status)(task, dialogue)
    asked = [text for cues, text in parts.items() if has(words, *cues)]
    return Statement("\n\n".join(asked or parts.values()), "answered")


def _gift_balance(task: Task, dialogue: RetailDialogue) -> Statement:
    """The balances of the gift cards.

    Raises Settled with a look-up of the profile after a change that may have moved them.
    """
    records = dialogue.records
    if records.changed_gift_card:
        raise Settled(Call("get_user_details", {"user_id": records.user_id}))
    left = [e["balance"] for e in records.methods.values() if e.get("source") == "gift_card"]
    points = " There are no reward points." if has(tokens(task.text), "points") else ""
    balance = f"Your gift card balance is {join_parts(map(money, left))}."
    told = balance if left else "There is no gift card on your profile."
    return Statement(f"{told}{points}", "answered")


_POSSIBLE = "That would be possible."


def tell_what_if(
    task: Task, step: Question | Call | Statement, dialogue: RetailDialogue
) -> Question | Statement:
    """The effect of a hypothetical change, or the offer that it depends on."""
    if isinstance(step, Statement):
        return Statement(step.text, "answered")
    if isinstance(step, Question) and step.choices:
        return step
    text = tell_change(step, dialogue.records) if isinstance(step, Call) else _POSSIBLE
    return Statement(f"{text} I haven't changed anything; tell me if you want it done.", "answered")


def tell_change(call: Call, records: RetailRecords) -> str:
    """The refund or extra cost of a change, how it is paid, and the items it covers."""
    record = records.orders.get(str(call.arguments.get("order_id")))
    if record is None or call.name in MOVE_NO_MONEY:
        return _POSSIBLE
    amount, method_id = money_moved(call, records)
    ids = ids_in(call, "item_ids")
    things = [str(each["name"]) for each in record["items"] if not ids or each["item_id"] in ids]
    lead = f"For the {join_parts(things)} in order {record['order_id']}"
    if abs(amount) <= LEAST:
        return f"{lead} the price would stay the same."
    how = your_method(records, method_id)
    if amount < 0:
        return f"{lead} you would pay {money(-amount)} more, with {how}."
    when = refund_time(records.methods.get(method_id))
    return f"{lead} you would get {money(amount)} back to {how} {when}."


def _product_info(task: Task, dialogue: RetailDialogue) -> Statement:
    """What the catalogue says or, if the question is about a thing bought, what that is like."""
    words = tokens(task.all_words)
    subject = find_subject(task, dialogue)
    own = tells(words, "own thing") and not tells(words, "of the shop")
    if not (own and subject.named and subject.items):
        items = task.items or [each.id for each in subject.items]
        return product_info(replace(task, items=items), dialogue.records)
    lines = [_described(each, dialogue.records) for each in subject.items]
    known = {word for each in subject.items for word in tokens(str(each.item["options"]))}
    answers = any(e.startswith(word) for e in known for word in words if len(word) >= _STEM)
    return tell_of(f"{'' if answers else _NO_MORE}{_in_lines(lines)}", subject.orders)


QUESTIONS: Mapping[str, Callable[[Task, RetailDialogue], Statement]] = {
    "order_status": about(_status),
    "tracking": about(_tracking),
    "order_total": about(_total),
    "refund_amount": _refund_amount,
    "return_how": tell_how_to_return,
    "orders": _orders,
    "profile": _profile,
    "product_info": _product_info,
    "gift_balance": _gift_balance,
}
"""Skills that answer questions about the customer's records, by intent."""

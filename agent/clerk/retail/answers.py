"""Answers to questions about orders, the profile and the effect of a hypothetical change."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from agent.clerk.questions.asking import is_yes_or_no
from agent.clerk.retail.catalogue import product_info, read_product
from agent.clerk.retail.dialogue import RetailDialogue
from agent.clerk.retail.intent_data import tells
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
from agent.clerk.retail.subjects import STATUSES, find_subject
from agent.clerk.retail.wording import (
    address,
    item,
    method,
    money,
    options,
    order,
    order_short,
    refund_time,
    status_words,
)
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Question, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts, list_lines

_SUM = re.compile(r"\d[\d,]*\.\d\d\b")
_NO_ORDER = "I can't find an order like that on your account."
_NO_DATE = "\n\nI can't see a delivery date; a pending order has not been shipped yet."
_DEPENDS = "That depends on what you cancel or return; please tell me which orders or items."
_POSSIBLE = "That would be possible."


def _of_orders(task: Task, dialogue: RetailDialogue) -> Statement:
    """What is asked of the orders that a question is about, or else all that is known of them."""
    words, pool = tokens(task.text), find_subject(task, dialogue, dialogue.records).orders
    if not pool:
        return Statement(_NO_ORDER, "answered")
    paying = _asks_paid(task)
    sums = {float(each.replace(",", "")) for each in _SUM.findall(task.text)}
    right = round(sum(map(_amount_paid, pool)), 2) in sums
    if paying and not right and (meant := [e for e in pool if _amount_paid(e) in sums]):
        right, pool = True, meant
    told = [_tell(task, each, dialogue.records) for each in pool]
    text = list_lines(told) if len(told) > 1 else told[0]
    if paying and sums and is_yes_or_no(task.text):
        rest = f", {text[:1].lower()}{text[1:]}" if len(pool) == 1 else f".\n\n{text}"
        text = f"{'Yes' if right else 'No'}{rest}"
    if len(pool) > 1 and paying:
        text += f"\n\nThat is {money(sum(map(_amount_paid, pool)))} in total."
    if has(words, "when", "how long") and any(each["status"] == "pending" for each in pool):
        text += _NO_DATE
    return _about(text, pool)


def _asks_paid(task: Task) -> bool:
    words = tokens(task.text)
    paying = task.intent == "order_total" or tells(words, "paying")
    return paying and not tells(words, "asks address")


def _tell(task: Task, record: Json, records: RetailRecords) -> str:
    """What a question wants to know of an order; without a word for that, all that is known."""
    arrives = record["status"] == "processed" or record["status"].startswith("pending")
    goes = f"{'goes' if arrives else 'went'} to {address(record['address'])}"
    if tells(tokens(task.text), "asks address"):
        return f"Order {order_short(record)} {goes}."
    paid, how = money(_amount_paid(record)), your_method(records, current_method(record))
    if _asks_paid(task):
        prices = join_parts(f"{each['name']} {money(each['price'])}" for each in record["items"])
        return f"You paid {paid} with {how} for order {record['order_id']}: {prices}."
    ids = [number for each in record["fulfillments"] for number in each["tracking_id"]]
    numbers = f"tracking number {join_parts(ids)}" if ids else "no tracking number yet"
    status = status_words(record)
    if task.intent == "tracking":
        return f"Order {order_short(record)} is {status}: {numbers}."
    things = join_parts(f"{item(each)} at {money(each['price'])}" for each in record["items"])
    lead = f"Order {record['order_id']} is {status}: {things}"
    told = f"{lead}; {paid} paid with {how}; {goes}; {numbers}."
    return f"{told} {refund_made(record, records)}".strip()


def _about(text: str, pool: Sequence[Json]) -> Statement:
    """The answer to a question about orders, which brings a single one of them into focus."""
    return Statement(text, "answered", focus=str(pool[0]["order_id"]) if len(pool) == 1 else "")


def _amount_paid(record: Json) -> float:
    """Dollars paid for an order minus refunds, but not minus that of a cancelled order."""
    signs = {"payment": 1, "refund": 0 if record["status"] == "cancelled" else -1}
    history = record["payment_history"]
    moved: float = sum(signs[each["transaction_type"]] * each["amount"] for each in history)
    return round(moved, 2)


def _refund(task: Task, dialogue: RetailDialogue) -> Statement:
    """The refund from the changes in this conversation, or else the refund to expect."""
    moved, words = tell_moved(dialogue), tokens(task.text)
    known = _refunded(task, dialogue)
    if known is not None:
        return _about(refund_made(known, dialogue.records), [known])
    if moved:
        return Statement(moved, "answered")
    if has(words, "pay", "paid", "payed") and not tells(words, "getting back"):
        return _of_orders(task, dialogue)
    subject = find_subject(task, dialogue, dialogue.records)
    prices = [float(each.item["price"]) for each in subject.items]
    if not prices and len(subject.orders) != 1:
        return Statement(_DEPENDS, "answered")
    total = sum(prices) or _amount_paid(subject.orders[0])
    return _about(f"You would get {money(total)} back.", subject.orders)


def _refunded(task: Task, dialogue: RetailDialogue) -> Json | None:
    """The one order that a question is about which was given back or cancelled before this talk."""
    subject = find_subject(task, dialogue, dialogue.records)
    changed = {dialogue.record_id_of(each) for each in dialogue.changes}
    made = [each for each in subject.orders if refund_made(each, dialogue.records)]
    made = [each for each in made if each["order_id"] not in changed]
    several = len(subject.orders) == len(all_orders(dialogue.records))
    return made[0] if len(made) == 1 and not several else None


def refund_made(record: Json, records: RetailRecords) -> str:
    """The refund of an order that was cancelled, or of what is to be sent back; else empty."""
    lead = f"Order {order_short(record)} is {record['status']}"
    if record["status"] == "cancelled":
        back = [each for each in record["payment_history"] if each["transaction_type"] == "refund"]
        amount, to = sum(each["amount"] for each in back), [e["payment_method_id"] for e in back]
        return f"{lead}: {money(amount)} was refunded {_to_method(to, records)}." if back else ""
    if record["status"] == "return requested":
        ids, to = record.get("return_items") or (), [record.get("return_payment_method_id")]
        given = [each for each in record["items"] if each["item_id"] in ids]
        amount, names = sum(each["price"] for each in given), join_parts(map(item, given))
        return f"{lead}: once the {names} is back, {money(amount)} goes {_to_method(to, records)}."
    return _exchange_made(record, records, lead)


def _exchange_made(record: Json, records: RetailRecords, lead: str) -> str:
    """What an exchange that was requested is for, and its price difference; empty for none.

    Raises Settled with the look-up of the products.
    """
    pairs = zip(
        record.get("exchange_items") or (), record.get("exchange_new_items") or (), strict=False
    )
    by_id = {each["item_id"]: each for each in record["items"]}
    swaps = []
    for old, new in pairs:
        product = read_product(records, str(by_id[old]["product_id"])) if old in by_id else {}
        other = product.get("variants", {}).get(new)
        swaps += [f"the {item(by_id[old])} for {options(other)}"] if other else []
    if record["status"] != "exchange requested" or not swaps:
        return ""
    due, to = record["exchange_price_difference"], record["exchange_payment_method_id"]
    moved = f"{money(abs(due))} {'is charged to' if due > 0 else 'goes back to'}"
    paid = f"{moved} {your_method(records, to)}" if abs(due) > LEAST else "the price stays the same"
    return f"{lead}: {join_parts(swaps)}; {paid}."


def _to_method(ids: Sequence[str | None], records: RetailRecords) -> str:
    """To which method money goes, and when it arrives."""
    method_id = str(next(iter(ids), ""))
    time = refund_time(records.methods.get(method_id))
    return f"to {your_method(records, method_id)}, where it arrives {time}"


def tell_moved(dialogue: RetailDialogue) -> str:
    """What the changes of this conversation bring back and cost, by payment method."""
    records = dialogue.records
    moved = [money_moved(each, records) for each in dialogue.changes]
    back = [(amount, to) for amount, to in moved if amount > LEAST]
    lines = [f"{money(amount)} to {your_method(records, to)}" for amount, to in back]
    cost = [f"{money(-n)} with {your_method(records, to)}" for n, to in moved if n < -LEAST]
    total = f"In total you get back {money(sum(amount for amount, _ in back))}: "
    lead = total if len(back) > 1 else "You get back "
    told = [f"{lead}{join_parts(lines)}."] if back else []
    return " ".join([*told, *([f"You pay an extra {join_parts(cost)}."] if cost else [])])


def _orders(task: Task, dialogue: RetailDialogue) -> Statement:
    """The customer's orders, newest first, with only one status if the question names it."""
    words = tokens(task.text)
    status = next((each for each in STATUSES if has(words, each)), "")
    status = "pending" if has(words, "open") else status
    pool = [each for each in all_orders(dialogue.records) if each["status"].startswith(status)]
    kind = f"{status} orders".strip()
    lines = f"Your {kind}, the newest first:\n\n{list_lines(map(order, pool))}"
    return _about(lines if pool else f"You have no {kind}.", pool)


def _profile(task: Task, dialogue: RetailDialogue) -> Statement:
    """The default address, email and payment methods, or the order that was asked about."""
    subject = find_subject(task, dialogue, dialogue.records)
    if subject.named and subject.orders and not tells(tokens(task.text), "own account"):
        return _of_orders(task, dialogue)
    user = dialogue.records.user or {}
    lines = [
        f"Your default address is {address(user['address'])}.",
        f"Your email is {user.get('email', 'not on file')}.",
        f"Your payment methods:\n\n{list_lines(map(method, dialogue.records.methods.values()))}",
    ]
    return Statement("\n\n".join(lines), "answered")


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


def tell_what_if(step: Question | Call | Statement, records: RetailRecords) -> Question | Statement:
    """The effect of a hypothetical change, or the offer that it depends on."""
    if isinstance(step, Statement):
        return Statement(step.text, "answered")
    if isinstance(step, Question) and step.choices:
        return step
    text = tell_change(step, records) if isinstance(step, Call) else _POSSIBLE
    return Statement(f"{text} I haven't changed anything; tell me if you want it done.", "answered")


def tell_change(call: Call, records: RetailRecords) -> str:
    """The refund or extra cost of a change, how it is paid, and the items it covers."""
    record = records.orders.get(str(call.arguments.get("order_id")))
    if record is None or call.name in MOVE_NO_MONEY:
        return _POSSIBLE
    amount, method_id = money_moved(call, records)
    ids = ids_in(call, "item_ids")
    things = [str(each["name"]) for each in record["items"] if not ids or each["item_id"] in ids]
    if new := ids_in(call, "new_item_ids"):
        names = {str(each["item_id"]): each["name"] for each in record["items"]}
        variants = {k: v for e in records.products.values() for k, v in e["variants"].items()}
        pairs = zip(ids, new, strict=True)
        things = [f"{names[old]} in {options(variants[each])}" for old, each in pairs]
    lead = f"For the {join_parts(things)} (order {record['order_id']})"
    if abs(amount) <= LEAST:
        return f"{lead} the price would stay the same."
    how = your_method(records, method_id)
    if amount < 0:
        return f"{lead} you would pay {money(-amount)} more, with {how}."
    when = refund_time(records.methods.get(method_id))
    return f"{lead} you would get {money(amount)} back to {how} {when}."


def _products(task: Task, dialogue: RetailDialogue) -> Statement:
    """What the catalogue says or, if the question is about a thing bought, what that is like."""
    words, subject = tokens(task.text), find_subject(task, dialogue, dialogue.records)
    of_shop = tells(words, "of the shop") or tells(words, "compares")
    own = tells(words, "own thing") and not of_shop
    if own and subject.named and subject.items:
        return _of_orders(task, dialogue)
    return product_info(task, dialogue.records, [each.id for each in subject.items])


QUESTIONS: Mapping[str, Callable[[Task, RetailDialogue], Statement]] = {
    "order_status": _of_orders,
    "tracking": _of_orders,
    "order_total": _of_orders,
    "refund_amount": _refund,
    "orders": _orders,
    "profile": _profile,
    "product_info": _products,
    "product_count": _products,
    "gift_balance": _gift_balance,
}
"""Skills that answer questions, by intent."""

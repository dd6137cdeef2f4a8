"""Answers to questions about orders, the profile, the policy, and what a change would come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from agent.clerk.policy import policy_lines
from agent.clerk.remembering import Json
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.orders import all_orders, named_orders, narrow, with_named_items
from agent.clerk.retail.paying import original_method
from agent.clerk.retail.talk import Talk
from agent.clerk.retail.things import Owned, items_of, named_items
from agent.clerk.retail.wording import address, item, method, money, order, order_short
from agent.clerk.steps import Call, Settled, Tell
from agent.clerk.task import Task
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts, list_lines

STATUSES = ("pending", "delivered", "processed", "cancelled")


def _orders_spoken_of(task: Task, memory: Memory, focus: str | None = None) -> list[Json]:
    """The orders that a question is about."""
    ids = named_orders(task, memory)
    pool = [each for each in all_orders(memory) if not ids or each["order_id"] in ids]
    words = tokens(task.text)
    for each in STATUSES:
        if has(words, each, f"{each} orders"):
            pool = [o for o in pool if o["status"].startswith(each)]
    named = with_named_items(task, pool)
    pool = named or narrow(task, pool)
    pointing = has(words, "that order", "the order", "it", "this order", "that", "its")
    if focus and pointing and not ids and not named:
        return [each for each in pool if each["order_id"] == focus] or pool
    return pool


def _items(task: Task, pool: Sequence[Json]) -> list[Owned]:
    return named_items(task.text, items_of(pool))


def order_status(task: Task, memory: Memory, talk: Talk) -> Tell:
    """Where orders stand, with what is in them and the tracking numbers."""
    pool = _orders_spoken_of(task, memory, talk.focus)
    words = tokens(task.text)
    if has(words, "most expensive", "cheapest"):
        things = [each for o in pool for each in o["items"]]
        pick = min if has(words, "cheapest") else max
        if things:
            found = pick(things, key=lambda each: float(each["price"]))
            return _tell(f"That is the {item(found)} at {money(found['price'])}.", pool)
    if has(words, "material", "color", "size", "which", "what") and (named := _items(task, pool)):
        lines = [
            f"{each.item['name']} in order {each.order['order_id']}: "
            + ", ".join(f"{k} {v}" for k, v in each.item["options"].items())
            + f", {money(each.item['price'])}"
            for each in named
        ]
        return _tell(list_lines(lines) if len(lines) > 1 else lines[0], pool)
    if not pool:
        return _tell("I find no such order on your account.", pool)
    lines = [f"{order(each)}{_tracking(each, '; tracking ')}" for each in pool]
    text = list_lines(lines) if len(lines) > 1 else lines[0]
    if has(words, "when", "how long") and any(each["status"] == "pending" for each in pool):
        text += "\n\nI can't see a delivery date; a pending order has not been shipped yet."
    return _tell(text, pool)


def _tell(text: str, pool: Sequence[Json]) -> Tell:
    return Tell(text, "answered", focus=str(pool[0]["order_id"]) if len(pool) == 1 else "")


def _tracking(record: Json, lead: str) -> str:
    ids = [
        str(number)
        for each in record.get("fulfillments") or []
        if isinstance(each, dict)
        for number in each.get("tracking_id") or []
    ]
    return f"{lead}{join_parts(ids)}" if ids else ""


def tracking(task: Task, memory: Memory, talk: Talk) -> Tell:
    """Tracking numbers."""
    pool = _orders_spoken_of(task, memory, talk.focus)
    lines = [
        f"{order_short(each)}: "
        + (_tracking(each, "tracking number ") or f"no tracking number yet ({each['status']})")
        for each in pool
    ]
    return _tell(
        list_lines(lines) if len(lines) > 1 else "".join(lines) or "I find no such order.", pool
    )


def amount_paid(record: Json) -> float:
    """What was paid for an order, less what came back, unless it was cancelled."""
    amounts = {"payment": 0.0, "refund": 0.0}
    for each in record["payment_history"]:
        kind = each["transaction_type"]
        amounts[kind] = amounts.get(kind, 0.0) + each["amount"]
    back = 0.0 if record["status"] == "cancelled" else amounts["refund"]
    return round(amounts["payment"] - back, 2)


def order_total(task: Task, memory: Memory, talk: Talk) -> Tell:
    """What the customer paid."""
    pool = _orders_spoken_of(task, memory, talk.focus)
    if not pool:
        return _tell("I find no such order on your account.", pool)
    lines = [f"Order {order_short(each)}: {money(amount_paid(each))}" for each in pool]
    named = _items(task, pool)
    price = "".join(f" The {e.item['name']} was {money(e.item['price'])}." for e in named)
    if len(pool) == 1:
        text = f"You paid {money(amount_paid(pool[0]))} for order {order_short(pool[0])}."
        return _tell(text + price, pool)
    return _tell(
        f"{list_lines(lines)}\n\nThat is {money(sum(map(amount_paid, pool)))} in total.{price}",
        pool,
    )


def refund_amount(task: Task, memory: Memory, talk: Talk) -> Tell:
    """How much comes back, by what was done in this conversation or by what is named."""
    moved = list(_moved(memory, talk))
    if moved:
        return _tell(_words_of_moved(moved), [])
    pool = _orders_spoken_of(task, memory, talk.focus)
    named = _items(task, pool)
    if named:
        total = sum(float(each.item["price"]) for each in named)
        return _tell(f"That would be {money(total)} back.", pool)
    if len(pool) == 1:
        return _tell(f"That would be {money(amount_paid(pool[0]))} back.", pool)
    return _tell("That depends on what you cancel or return; tell me which orders or items.", pool)


def _moved(memory: Memory, talk: Talk) -> Iterator[tuple[float, str]]:
    """What each change made here gives back, and to where; below 0 where it costs."""
    for done in talk.requests:
        for order_id in done.written:
            record = memory.orders.get(order_id)
            amount = _amount_refunded(record, done) if record is not None else 0.0
            if record is not None and abs(amount) > 0.004:
                to = _method_of_money(record, done)
                name = method(memory.methods.get(to), to).split(" (balance")[0]
                yield amount, f"your {name}"


def _words_of_moved(moved: list[tuple[float, str]]) -> str:
    """Each sum with where it goes or comes from; the total where there is more than one."""
    back = [(amount, name) for amount, name in moved if amount > 0]
    paid = [(-amount, name) for amount, name in moved if amount < 0]
    total = sum(amount for amount, _ in back)
    each = join_parts(f"{money(amount)} to {name}" for amount, name in back)
    cost = join_parts(f"{money(amount)} with {name}" for amount, name in paid)
    if len(back) > 1:
        each = f"In total you get back {money(total)}: {each}."
    else:
        each = f"You get back {each}." if back else ""
    return " ".join(filter(None, (each, f"You pay {cost} more." if cost else "")))


def _method_of_money(record: Json, task: Task) -> str:
    """The id of the payment method that a change's money goes to or comes from."""
    if task.intent == "cancel_order":
        return original_method(record)
    if task.intent == "return_items":
        return str(record.get("return_payment_method_id") or "")
    if record.get("exchange_price_difference") is not None:
        return str(record.get("exchange_payment_method_id") or "")
    return str(record["payment_history"][-1]["payment_method_id"])


def _amount_refunded(record: Json, task: Task) -> float:
    if task.intent == "cancel_order":
        return sum(float(each["price"]) for each in record["items"])
    if task.intent == "return_items":
        ids = list(record.get("return_items") or [])
        prices = {each["item_id"]: float(each["price"]) for each in record["items"]}
        return sum(prices.get(each, 0.0) for each in ids)
    if record.get("exchange_price_difference") is not None:
        return -float(record["exchange_price_difference"])
    last = record["payment_history"][-1] if record["payment_history"] else None
    return float(last["amount"]) if last and last["transaction_type"] == "refund" else 0.0


def orders(task: Task, memory: Memory, talk: Talk) -> Tell:
    """The customer's orders, newest first."""
    words = tokens(task.text)
    status = next((each for each in STATUSES if has(words, each)), "")
    status = "pending" if has(words, "open", "still open") else status
    pool = [each for each in all_orders(memory) if each["status"].startswith(status)]
    if not pool:
        return _tell(f"You have no {status} orders.".replace("  ", " "), pool)
    lead = f"Your {status} orders" if status else "Your orders"
    return _tell(f"{lead}, the newest first:\n\n{list_lines(map(order, pool))}", pool)


def profile(task: Task, memory: Memory, talk: Talk) -> Tell:
    """E-mail, default address and payment methods, as asked."""
    user = memory.user or {}
    methods = list_lines(method(each) for each in memory.methods.values())
    parts: dict[str, tuple[str, tuple[str, ...]]] = {
        "email": (f"Your email is {user.get('email', 'not on file')}.", ("email", "mail")),
        "address": (
            f"Your default address is {address(user['address'])}.",
            ("address", "living", "live"),
        ),
        "payment": (f"Your payment methods:\n\n{methods}", ("card", "pay", "payment", "paypal")),
    }
    words = tokens(task.text)
    asked = [text for text, cues in parts.values() if has(words, *cues)]
    return _tell("\n\n".join(asked or [text for text, _ in parts.values()]), [])


def gift_balance(task: Task, memory: Memory, talk: Talk) -> Tell:
    """What is left on gift cards, read again after changes that may have moved it."""
    if memory.changed_gift_card:
        raise Settled(Call("get_user_details", {"user_id": memory.user_id}))
    cards = [each for each in memory.methods.values() if each.get("source") == "gift_card"]
    left = [each["balance"] for each in cards if isinstance(each.get("balance"), int | float)]
    points = " There are no points besides." if has(tokens(task.text), "points") else ""
    if not left:
        return _tell(f"There is no gift card on your profile.{points}", [])
    return _tell(f"Your gift card balance is {join_parts(map(money, left))}.{points}", [])


def policy_question(task: Task, policy: str) -> Tell:
    """The lines of the policy that are most like the question."""
    return _tell(policy_lines(task.text, policy), [])


def what_if(task: Task, step: object, talk: Talk) -> Tell:
    """What a change would come to, which nobody has asked for yet."""
    if isinstance(step, Tell):
        return Tell(step.text, "answered")
    if isinstance(step, Call):
        preview = _PREVIEWS.get(step.name)
        text = preview(step, talk.memory) if preview else "That would be possible."
        return Tell(f"{text} I haven't changed anything; tell me if you want it done.", "answered")
    return Tell(
        "That would be possible; it depends on the details. I haven't changed anything; tell me if "
        "you want it done.",
        "answered",
    )


def _cancel_preview(call: Call, memory: Memory) -> str:
    record = memory.orders[str(call.arguments["order_id"])]
    back = money(amount_paid(record))
    return f"If you cancelled order {order_short(record)}, {back} would come back."


def _return_preview(call: Call, memory: Memory) -> str:
    record = memory.orders[str(call.arguments["order_id"])]
    things = [each for each in record["items"] if each["item_id"] in call.arguments["item_ids"]]
    total = sum(float(each["price"]) for each in things)
    return (
        f"For the {join_parts(str(e['name']) for e in things)} you would get {money(total)} back."
    )


def _swap_preview(call: Call, memory: Memory) -> str:
    record = memory.orders[str(call.arguments["order_id"])]
    old = {each["item_id"]: float(each["price"]) for each in record["items"]}
    new = {k: float(v["price"]) for p in memory.products.values() for k, v in p["variants"].items()}
    due = sum(new.get(each, 0.0) for each in call.arguments["new_item_ids"])
    due -= sum(old.get(each, 0.0) for each in call.arguments["item_ids"])
    if due > 0.005:
        return f"That would cost {money(due)} more."
    return (
        f"You would get {money(-due)} back." if due < -0.005 else "The price would stay the same."
    )


_PREVIEWS: dict[str, Callable[[Call, Memory], str]] = {
    "cancel_pending_order": _cancel_preview,
    "return_delivered_order_items": _return_preview,
    "exchange_delivered_order_items": _swap_preview,
    "modify_pending_order_items": _swap_preview,
}

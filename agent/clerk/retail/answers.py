"""Answers to questions about orders, the profile, the policy, and what a change would come to."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.policy import policy_lines
from agent.clerk.remembering import Json
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.money_moved import LEAST, MOVE_NO_MONEY, ids_in, money_moved
from agent.clerk.retail.orders import all_orders, named_orders, narrow, with_named_items
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
    by_price = sorted((i for o in pool for i in o["items"]), key=lambda each: each["price"])
    if by_price and has(words, "most expensive", "cheapest"):
        found = by_price[0 if has(words, "cheapest") else -1]
        return _tell(f"That is the {item(found)} at {money(found['price'])}.", pool)
    if has(words, "material", "color", "size", "which", "what") and (named := _items(task, pool)):
        return _tell(_in_lines([_described(each) for each in named]), pool)
    if not pool:
        return _tell("I find no such order on your account.", pool)
    if has(words, "address"):
        return _tell_addresses([o for o in pool if o["status"].startswith("pending")] or pool)
    lines = [f"{order(each)}{_tracking(each, '; tracking ')}" for each in pool]
    text = _in_lines(lines)
    if has(words, "when", "how long") and any(each["status"] == "pending" for each in pool):
        text += "\n\nI can't see a delivery date; a pending order has not been shipped yet."
    return _tell(text, pool)


def _described(each: Owned) -> str:
    """An item with all that it comes in, and its price."""
    told = [*(f"{k} {v}" for k, v in each.item["options"].items()), money(each.item["price"])]
    return f"{each.item['name']} in order {each.order['order_id']}: {', '.join(told)}"


def _tell_addresses(pool: Sequence[Json]) -> Tell:
    """Where orders are sent to."""
    lines = [f"Order {order_short(each)} goes to {address(each['address'])}." for each in pool]
    return _tell(_in_lines(lines), pool)


def _in_lines(lines: Sequence[str]) -> str:
    """A list, unless there is but one line."""
    return list_lines(lines) if len(lines) > 1 else "".join(lines)


def _tell(text: str, pool: Sequence[Json]) -> Tell:
    return Tell(text, "answered", focus=str(pool[0]["order_id"]) if len(pool) == 1 else "")


def _tracking(record: Json, lead: str) -> str:
    ids = [number for each in record["fulfillments"] for number in each["tracking_id"]]
    return f"{lead}{join_parts(ids)}" if ids else ""


def tracking(task: Task, memory: Memory, talk: Talk) -> Tell:
    """Tracking numbers."""
    pool = _orders_spoken_of(task, memory, talk.focus)
    lines = [
        f"{order_short(each)}: "
        + (_tracking(each, "tracking number ") or f"no tracking number yet ({each['status']})")
        for each in pool
    ]
    return _tell(_in_lines(lines) or "I find no such order.", pool)


def amount_paid(record: Json) -> float:
    """What was paid for an order, less what came back, unless it was cancelled."""
    signs = {"payment": 1, "refund": 0 if record["status"] == "cancelled" else -1}
    history = record["payment_history"]
    moved: float = sum(signs[each["transaction_type"]] * each["amount"] for each in history)
    return round(moved, 2)


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
    moved = [money_moved(each, memory) for each in talk.changes]
    moved = [(amount, to) for amount, to in moved if abs(amount) > LEAST]
    if moved:
        return _tell(_words_of_moved(moved, memory), [])
    pool = _orders_spoken_of(task, memory, talk.focus)
    named = _items(task, pool)
    if named:
        total = sum(float(each.item["price"]) for each in named)
        return _tell(f"That would be {money(total)} back.", pool)
    if len(pool) == 1:
        return _tell(f"That would be {money(amount_paid(pool[0]))} back.", pool)
    return _tell("That depends on what you cancel or return; tell me which orders or items.", pool)


def _words_of_moved(moved: list[tuple[float, str]], memory: Memory) -> str:
    """Each sum with where it goes or comes from; the total where there is more than one."""
    named = [
        (n, f"your {method(memory.methods.get(to), to, shows_balance=False)}") for n, to in moved
    ]
    back = [f"{money(amount)} to {name}" for amount, name in named if amount > 0]
    cost = [f"{money(-amount)} with {name}" for amount, name in named if amount < 0]
    total = money(sum(amount for amount, _ in moved if amount > 0))
    lead = f"In total you get back {total}: " if len(back) > 1 else "You get back "
    parts = [f"{lead}{join_parts(back)}."] if back else []
    return " ".join([*parts, *([f"You pay {join_parts(cost)} more."] if cost else [])])


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
    left = [each["balance"] for each in cards]
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
    text = "That would be possible; it depends on the details."
    if isinstance(step, Call):
        text = _words_of_preview(step, talk.memory)
    return Tell(f"{text} I haven't changed anything; tell me if you want it done.", "answered")


def _words_of_preview(call: Call, memory: Memory) -> str:
    """What comes back, or is to be paid, by a change of an order, and of which things."""
    record = memory.orders.get(str(call.arguments.get("order_id")))
    if record is None or call.name in MOVE_NO_MONEY:
        return "That would be possible."
    amount, _ = money_moved(call, memory)
    ids = ids_in(call, "item_ids")
    things = [str(each["name"]) for each in record["items"] if not ids or each["item_id"] in ids]
    lead = f"For the {join_parts(things)} in order {record['order_id']}"
    if abs(amount) <= LEAST:
        return f"{lead} the price would stay the same."
    comes = f"get {money(amount)} back" if amount > 0 else f"pay {money(-amount)} more"
    return f"{lead} you would {comes}."

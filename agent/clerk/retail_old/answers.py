"""Answers to questions: orders, items, products, totals, the customer's profile, the policy."""

from __future__ import annotations

import re

from agent.clerk.remembering import Json
from agent.clerk.retail.catalogue import answered, product_options
from agent.clerk.retail.language import pattern, says
from agent.clerk.retail.locating import candidates
from agent.clerk.retail.matching import matches
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.reading import all_orders
from agent.clerk.retail.requests import Intent, Request
from agent.clerk.retail.wording import a, address, item, method, money, order, order_short
from agent.clerk.steps import Call, Settled, Tell
from agent.clerk.wording import joined, listed


def orders(request: Request, memory: Memory) -> Tell:
    """The customer's orders, newest first; of one status where one was named."""
    found = [each for each in all_orders(memory) if _of_status(request, each)]
    if not found:
        return answered(f"You have no {request.status or ''} orders.".replace("  ", " "))
    lines = listed(order(each) for each in found)
    return answered(
        f"Your {request.status + ' ' if request.status else ''}orders, the newest first:\n\n{lines}"
    )


def _of_status(request: Request, record: Json) -> bool:
    return request.status is None or bool(record["status"].startswith(request.status))


def _spoken_of(request: Request, memory: Memory) -> list[Json]:
    """The orders a question is about; those with the item it names, where it names one."""
    pool = candidates(request, memory)
    named = [thing for thing in request.things if thing.noun or thing.item_id]
    if named:
        pool = [each for each in pool if any(matches(thing, each) for thing in named)]
        if request.which == "last":
            pool = pool[:1]
    if not named and not request.orders and request.status in {"pending", "cancelled"}:
        pool = [each for each in pool if _of_status(request, each)]
    return pool


def status(request: Request, memory: Memory) -> Tell:
    """Where orders stand, with tracking numbers where there are any."""
    found = _spoken_of(request, memory)
    if not found:
        return _nothing(request)
    lines = [f"{order(each)}{_tracking(each, '; tracking ')}" for each in found]
    text = listed(lines) if len(lines) > 1 else lines[0]
    if re.search(r"\bwhen\b", request.text) and any(o["status"] == "pending" for o in found):
        text += "\n\nI can't see a delivery date; a pending order has not been shipped yet."
    return answered(text)


def _nothing(request: Request) -> Tell:
    nouns = joined(thing.noun for thing in request.things if thing.noun)
    return answered(f"I don't find {a(nouns) if nouns else 'an order like that'} in your orders.")


def _tracking(record: Json, lead: str) -> str:
    ids = [
        str(number)
        for each in record.get("fulfillments") or []
        if isinstance(each, dict)
        for number in each.get("tracking_id") or []
    ]
    return f"{lead}{joined(ids)}" if ids else ""


def tracking(request: Request, memory: Memory) -> Tell:
    """Tracking numbers of the orders asked about."""
    found = _spoken_of(request, memory)
    if not found:
        return _nothing(request)
    lines = [
        f"{order_short(each)}: "
        + (_tracking(each, "tracking number ") or f"no tracking number yet ({each['status']})")
        for each in found
    ]
    return answered(listed(lines) if len(lines) > 1 else lines[0])


def item_details(request: Request, memory: Memory) -> Tell:
    """Options and price of an item the customer ordered, or of a product's variants."""
    things = [thing for thing in request.things if thing.noun or thing.item_id]
    if not things and pattern("which_item").search(request.text):
        return _extreme_item(request, memory)
    if not things:
        return status(request, memory) if request.orders or request.which else _which_item(request)
    if not pattern("owned").search(request.text) and not request.orders and not request.which:
        return product_options(request, memory)
    found = [
        (each, record)
        for record in candidates(request, memory)
        for thing in things
        for each in matches(thing, record)
    ]
    if not found:
        return product_options(request, memory)
    lines = [
        f"{each['name']} in order {record['order_id']}: {_spelled(each)}, {money(each['price'])}"
        for each, record in found
    ]
    return answered(listed(lines) if len(lines) > 1 else lines[0])


def _extreme_item(request: Request, memory: Memory) -> Tell:
    """The dearest or cheapest item among those of the orders that are meant."""
    items = [each for record in candidates(request, memory) for each in record["items"]]
    if not items:
        return _nothing(request)
    pick = min if says("cheapest", request.text) else max
    found = pick(items, key=lambda each: float(each["price"]))
    return answered(f"That is the {item(found)} at {money(found['price'])}.")


def _which_item(request: Request) -> Tell:
    return answered("Which item do you mean? Tell me its name or the order it is in.")


def _spelled(record: Json) -> str:
    return ", ".join(f"{key} {value}" for key, value in record["options"].items())


def total(request: Request, memory: Memory) -> Tell:
    """What the customer paid, for an order, an item, or in all."""
    found = _spoken_of(request, memory)
    if not found:
        return _nothing(request)
    lines = [f"Order {order_short(each)}: {money(paid(each))}" for each in found]
    if len(found) == 1:
        return answered(f"You paid {money(paid(found[0]))} for order {order_short(found[0])}.")
    return answered(f"{listed(lines)}\n\nThat is {money(sum(map(paid, found)))} in total.")


def paid(record: Json) -> float:
    """What was paid for an order, less what came back, unless it was cancelled."""
    back = 0.0 if record["status"] == "cancelled" else sum(_moved(record, "refund"))
    return round(sum(_moved(record, "payment")) - back, 2)


def _moved(record: Json, kind: str) -> list[float]:
    return [
        each["amount"] for each in record["payment_history"] if each["transaction_type"] == kind
    ]


def refund(request: Request, memory: Memory, others: list[Request]) -> Tell:
    """How much comes back: for what was done in this conversation, else for what is named."""
    amounts = [
        _refunded(memory.orders[i], each)
        for each in others
        for i in each.written
        if i in memory.orders
    ]
    shown = [each for each in amounts if abs(each) > 0.004]
    if shown:
        text = f"In total you get back {money(sum(shown))}."
        if len(shown) > 1:
            text += f" That is {joined(map(money, shown))}."
        return answered(text)
    found = _spoken_of(request, memory)
    named = [t for t in request.things if t.noun or t.item_id]
    if named:
        found = [o for o in found if o["status"] in {"pending", "delivered"}] or found
        worth = [i["price"] for o in found for t in named for i in matches(t, o)]
        return answered(f"That would be {money(sum(worth))} back.")
    if len(found) == 1 or request.orders:
        return answered(f"That would be {money(sum(map(paid, found)))} back.")
    return answered("That depends on what you cancel or return; tell me which orders or items.")


def _refunded(record: Json, request: Request) -> float:
    if request.intent is Intent.CANCEL:
        return sum(float(each["price"]) for each in record["items"])
    if request.intent is Intent.RETURN:
        ids = list(record.get("return_items") or [])
        prices = {each["item_id"]: float(each["price"]) for each in record["items"]}
        return sum(prices.get(each, 0.0) for each in ids)
    if record.get("exchange_price_difference") is not None:
        return -float(record["exchange_price_difference"])
    last = record["payment_history"][-1] if record["payment_history"] else None
    return float(last["amount"]) if last and last["transaction_type"] == "refund" else 0.0


def profile(request: Request, memory: Memory) -> Tell:
    """E-mail, default address, payment methods, as asked."""
    user = memory.user or {}
    methods = listed(method(each) for each in memory.methods.values())
    parts = {
        "email": f"Your email is {user.get('email', 'not on file')}.",
        "address": f"Your default address is {address(user['address'])}.",
        "payment": f"Your payment methods:\n\n{methods}",
    }
    text = request.text
    wanted = [
        k
        for k in parts
        if k in text or (k == "payment" and re.search(r"\b(?:card|pay|paypal)", text))
    ]
    return answered("\n\n".join(parts[key] for key in wanted or parts))


def balance(request: Request, memory: Memory) -> Tell:
    """What is left on gift cards, read again after changes that may have moved it."""
    if memory.changed_gift_card:
        raise Settled(Call("get_user_details", {"user_id": memory.user_id}))
    cards = [each for each in memory.methods.values() if each.get("source") == "gift_card"]
    amounts = [each["balance"] for each in cards if isinstance(each.get("balance"), int | float)]
    if not amounts:
        return answered("There is no gift card on your profile.")
    return answered(f"Your gift card balance is {joined(map(money, amounts))}.")


_STOP = frozenset(
    [
        "what",
        "is",
        "your",
        "the",
        "policy",
        "policies",
        "about",
        "rules",
        "tell",
        "me",
        "for",
        "on",
        "of",
        "are",
        "a",
        "an",
        "how",
        "long",
        "does",
        "do",
        "take",
        "when",
        "will",
        "i",
        "get",
        "my",
    ]
)


def policy(request: Request, memory: Memory, text: str) -> Tell:
    """The policy's own lines on what was asked."""
    stems = {word[:6] for word in re.findall(r"[a-z]{4,}", request.text) if word not in _STOP}
    stems |= {"return"} if " back" in request.text else set()
    lines = [
        line.strip("-* ") for line in text.splitlines() if line.strip() and not line.startswith("#")
    ]
    scored = [
        (sum(stem in line.lower() for stem in stems), -n, line) for n, line in enumerate(lines)
    ]
    best = [line for score, _, line in sorted(scored, reverse=True)[:3] if score]
    if not best:
        return answered(
            "I can cancel or change pending orders, and return or exchange delivered ones."
        )
    return answered(f"Our policy says:\n\n{listed(best)}")


def advice(request: Request, memory: Memory) -> Tell:
    """No recommendations: facts are offered instead."""
    text = (
        "I can't give recommendations or opinions, but I can tell you each option's features, "
        "availability and price."
    )
    return Tell(text, "refused")

"""Choosing the payment method that a customer means, and that policy allows."""

from __future__ import annotations

from agent.clerk.remembering import Json
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.requests import Request
from agent.clerk.retail.wording import method, money
from agent.clerk.steps import Ask, Choice, Settled
from agent.clerk.wording import joined, numbered

_KINDS = {
    "paypal": "PayPal",
    "gift_card": "gift card",
    "credit_card": "credit card",
    "visa": "Visa",
    "mastercard": "Mastercard",
    "amex": "American Express",
    "original": "original payment method",
}


_WHICH = "Which one would you like to use?"


def original_method(record: Json) -> str:
    """The method an order was first paid with."""
    history = record["payment_history"]
    return str(history[0]["payment_method_id"]) if history else ""


def matching(word: str, memory: Memory, record: Json | None) -> list[str]:
    """The ids of the customer's methods that a word can mean."""
    if word == "original":
        return [original_method(record)] if record and original_method(record) else []
    return [key for key, each in memory.methods.items() if _is(word, key, each)]


def _is(word: str, key: str, each: Json) -> bool:
    return word in {
        key,
        str(each.get("source")),
        str(each.get("brand", "")).lower(),
        str(each.get("last_four")),
    }


def named_methods(request: Request, memory: Memory, record: Json | None) -> list[list[str]]:
    """For each method the customer named, what it can mean; unknown ones give an empty list."""
    return [matching(word, memory, record) for word in request.payments]


def balance(memory: Memory, method_id: str) -> float | None:
    """A gift card's balance; None for methods that have none."""
    found = memory.methods.get(method_id, {})
    amount = found.get("balance")
    return (
        float(amount)
        if found.get("source") == "gift_card" and isinstance(amount, int | float)
        else None
    )


def covers(memory: Memory, method_id: str, due: float) -> bool:
    """Whether a method can pay an amount; only a gift card can fall short."""
    left = balance(memory, method_id)
    return left is None or left >= due - 0.005


def choose_method(request: Request, memory: Memory, record: Json, due: float) -> str:
    """The method for a price difference of ``due`` dollars; Settled with a question if unclear."""
    problems = []
    for word, found in zip(request.payments, named_methods(request, memory, record), strict=True):
        good = [each for each in found if covers(memory, each, due)]
        if len(good) == 1:
            return good[0]
        if len(good) > 1:
            raise Settled(
                _ask(request, memory, good, "Which one would you like to use?", record["order_id"])
            )
        problems.append(_problem(word, found, due))
    usable = [each for each in memory.methods if covers(memory, each, due)]
    if not request.payments and len(usable) == 1:
        return usable[0]
    if not usable:
        raise Settled(
            _ask(
                request,
                memory,
                [],
                "None of your payment methods can cover that.",
                record["order_id"],
            )
        )
    raise Settled(
        _ask(request, memory, usable, " ".join([*problems, _difference(due)]), record["order_id"])
    )


def _difference(due: float) -> str:
    if due > 0.005:
        return f"Which payment method should the price difference of {money(due)} be charged to?"
    if due < -0.005:
        return f"Which payment method should receive the price difference of {money(-due)}?"
    return "The price stays the same. Which payment method should I note for it?"


def _problem(word: str, found: list[str], due: float) -> str:
    if not found:
        return f"There is no {_KINDS.get(word, word)} on your profile."
    return f"The balance of your gift card does not cover {money(due)}."


def _ask(request: Request, memory: Memory, ids: list[str], text: str, order_id: str) -> Ask:
    choices = tuple(Choice(each, method(memory.methods.get(each), each)) for each in ids)
    shown = numbered(each.words for each in choices)
    return Ask(f"{text}\n\n{shown}".strip(), "payment", request, None, choices, focus=order_id)


def refund_method(request: Request, memory: Memory, record: Json) -> str:
    """Where a return's money goes: the original method or a gift card."""
    original = original_method(record)
    allowed = [
        original,
        *(k for k, v in memory.methods.items() if v.get("source") == "gift_card" and k != original),
    ]
    foreign = ""
    for word, found in zip(request.payments, named_methods(request, memory, record), strict=True):
        good = [each for each in found if each in allowed]
        if good:
            return good[0]
        foreign = foreign or _refusal(word, found, memory)
    if not foreign and len(allowed) == 1 and len(memory.methods) == 1:
        return original
    first, *cards = (method(memory.methods.get(each), each) for each in allowed)
    rule = f"your original payment method ({first})" + (
        f" or your {joined(cards, 'or')}" if cards else ""
    )
    lead = f"{foreign} A refund can only go to {rule}." if foreign else ""
    question = (
        "Where should the refund go?"
        if len(allowed) > 1
        else f"Shall I refund it to your original payment method ({first})?"
    )
    text = (
        f"{lead} Shall I refund it there?" if lead and len(allowed) == 1 else f"{lead} {question}"
    )
    text = text.strip()
    raise Settled(_ask(request, memory, allowed, text, record["order_id"]))


def _refusal(word: str, found: list[str], memory: Memory) -> str:
    if not found:
        return f"There is no {_KINDS.get(word, word)} on your profile."
    return f"I can't refund this order to your {method(memory.methods.get(found[0]), found[0])}."


def new_method(request: Request, memory: Memory, record: Json) -> str:
    """The method a pending order is to be paid with instead."""
    original = _current_method(record)
    total = sum(
        each["amount"]
        for each in record["payment_history"]
        if each["transaction_type"] == "payment"
    )
    others = [each for each in memory.methods if each != original and covers(memory, each, total)]
    problem = ""
    for word, found in zip(request.payments, named_methods(request, memory, record), strict=True):
        good = [each for each in found if each in others]
        if len(good) == 1:
            return good[0]
        if len(good) > 1:
            raise Settled(
                _ask(request, memory, good, "Which one would you like to use?", record["order_id"])
            )
        problem = problem or _why_not(word, found, original, total)
    if not others:
        text = problem or "There is no other payment method on your profile that could pay for it."
        raise Settled(_ask(request, memory, [], text, record["order_id"]))
    text = f"{problem} Which payment method should it be?".strip()
    raise Settled(_ask(request, memory, others, text, record["order_id"]))


def _current_method(record: Json) -> str:
    paid = [each for each in record["payment_history"] if each["transaction_type"] == "payment"]
    return str(paid[-1]["payment_method_id"]) if paid else ""


def _why_not(word: str, found: list[str], original: str, total: float) -> str:
    if found == [original]:
        return (
            f"The order is already paid with that {_KINDS.get(word, 'method')}; the new method has "
            "to be a different one."
        )
    return _problem(word, found, total)

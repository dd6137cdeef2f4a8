"""Which payment method is meant, and whether it may be used."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.offers import ask_to_pick
from agent.clerk.remembering import Json
from agent.clerk.retail.manner import manner_data
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.wording import method, money
from agent.clerk.steps import Ask, Choice, Refused, Settled
from agent.clerk.task import Task
from agent.clerk.understanding.tokens import find, tokens
from agent.clerk.wording import join_parts

_ORIGINAL = "original payment method"
_SOURCES = {"PayPal": "paypal", "gift card": "gift_card", "credit card": "credit_card"}
_BRANDS = {"American Express": ("amex", "american express")}
_INSTEAD = ("instead of", "rather than", "not", "paid with", "paid by", "paid it with", "from")


def kinds(text: str) -> list[str]:
    """The kinds of payment that a text names, in its order; what it does not want left out."""
    words = tokens(text)
    found = []
    for phrase, kind in manner_data()["payment_kinds"].items():
        own = tokens(phrase)
        place = find(own, words)
        while place >= 0:
            if not _is_unwanted(words[:place], kind):
                found.append((place, kind))
            place = find(own, words, place + 1)
    if not found:
        found = [(p, "credit card") for p, w in enumerate(words) if w == "card" and len(words) < 8]
    ordered = [kind for _, kind in sorted(found)]
    if _ORIGINAL in ordered and "the original" not in text:
        ordered = [each for each in ordered if each != _ORIGINAL] or ordered
    return list(dict.fromkeys(ordered))


def _is_unwanted(before: Sequence[str], kind: str) -> bool:
    if kind == _ORIGINAL:
        return False
    near = tuple(before[-5:])
    for phrase in _INSTEAD:
        own = tokens(phrase)
        place = find(own, near)
        if place >= 0 and len(near) - place - len(own) <= 1:
            return True
    return False


def wanted_kinds(task: Task) -> list[str]:
    """The kinds that were asked for: what was said last, then what is to do in its place."""
    for text in task.newest_first:
        found = kinds(text)
        if found:
            more = [kind for each in task.alternatives for kind in kinds(each)]
            return [*found, *(each for each in more if each not in found)]
    return [kind for each in task.alternatives for kind in kinds(each)]


def ids_of(kind: str, memory: Memory, record: Json | None) -> list[str]:
    """The customer's methods of a kind."""
    if kind == _ORIGINAL:
        return [original_method(record)] if record and original_method(record) else []
    source = _SOURCES.get(kind)
    if source:
        return [key for key, each in memory.methods.items() if each.get("source") == source]
    return [
        key
        for key, each in memory.methods.items()
        if str(each.get("brand", "")).lower() in _BRANDS.get(kind, (kind.lower(),))
    ]


def original_method(record: Json) -> str:
    """The method that an order was first paid with."""
    history = record["payment_history"]
    return str(history[0]["payment_method_id"]) if history else ""


def current_method(record: Json) -> str:
    """The method that an order is paid with now."""
    paid = [each for each in record["payment_history"] if each["transaction_type"] == "payment"]
    return str(paid[-1]["payment_method_id"]) if paid else ""


def covers(memory: Memory, method_id: str, due: float) -> bool:
    """Whether a method can pay an amount; only a gift card can fall short."""
    balance = memory.methods.get(method_id, {}).get("balance")
    return balance is None or bool(balance >= due - 0.005)


def choose(
    task: Task, memory: Memory, record: Json, usable: Sequence[str], due: float, question: str
) -> str:
    """The method that is meant of those that may be used; Settled with an offer of them."""
    chosen = task.chosen.get("payment", "")
    if chosen in usable:
        return chosen
    problems: list[str] = []
    named = wanted_kinds(task)
    for kind in named:
        found = ids_of(kind, memory, record)
        good = [each for each in found if each in usable]
        if len(good) > 1 and task.intent == "change_payment":
            good = [each for each in good if each != current_method(record)]
        if len(good) == 1:
            return good[0]
        if good:
            raise Settled(_offer(task, memory, good, "Which one would you like to use?", record))
        problems.append(_problem(kind, found, memory, due, record, task))
    if not named and len(memory.methods) == 1 and len(usable) == 1:
        return usable[0]
    if not named and len(usable) == 1 and task.intent in {"exchange_items", "modify_items"}:
        return usable[0]
    lead = problems[0] if problems else ""
    if not usable:
        text = lead or "There is no payment method on your profile that could pay for that."
        raise Refused(text, record["order_id"])
    raise Settled(_offer(task, memory, usable, f"{lead} {question}".strip(), record))


def _problem(
    kind: str, found: Sequence[str], memory: Memory, due: float, record: Json, task: Task
) -> str:
    if not found:
        return f"There is no {kind} on your profile."
    if any(not covers(memory, each, due) for each in found):
        return f"The balance of your gift card does not cover {money(due)}."
    if task.intent == "change_payment":
        return f"The order is already paid with that {kind}; it has to be a different one."
    rule = method(memory.methods.get(original_method(record)), original_method(record))
    return (
        f"I can't refund this order to your {method(memory.methods.get(found[0]), found[0])}: a "
        f"refund goes to your original payment method ({rule}) or to a gift card."
    )


def _offer(task: Task, memory: Memory, ids: Sequence[str], text: str, record: Json) -> Ask:
    choices = [Choice(each, method(memory.methods.get(each), each)) for each in ids]
    return ask_to_pick(text, "payment", task, choices, str(record["order_id"]))


def for_difference(task: Task, memory: Memory, record: Json, due: float) -> str:
    """The method for a price difference."""
    usable = [each for each in memory.methods if covers(memory, each, due)]
    if due > 0.005:
        text = f"Which payment method should the price difference of {money(due)} be charged to?"
    elif due < -0.005:
        text = f"Which payment method should receive the price difference of {money(-due)}?"
    else:
        text = "The price stays the same. Which payment method should I note for it?"
    return choose(task, memory, record, usable, due, text)


def for_refund(task: Task, memory: Memory, record: Json) -> str:
    """Where the money of a return goes."""
    original = original_method(record)
    cards = [k for k, v in memory.methods.items() if v.get("source") == "gift_card"]
    usable = [original, *(each for each in cards if each != original)]
    names = join_parts((method(memory.methods.get(each), each) for each in usable), "or")
    if len(usable) > 1:
        text = "Where should the refund go?"
    else:
        text = f"Shall I refund it to your original payment method ({names})?"
    return choose(task, memory, record, usable, 0.0, text)


def for_order(task: Task, memory: Memory, record: Json) -> str:
    """The method that a pending order is to be paid with instead."""
    history = record["payment_history"]
    due = sum(e["amount"] for e in history if e["transaction_type"] == "payment")
    now = current_method(record)
    usable = [each for each in memory.methods if each != now and covers(memory, each, due)]
    return choose(task, memory, record, usable, due, "Which payment method should it be?")

"""Slot filling for payment methods, whether one can be used, and the money that a change moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.clerk.deciding.offers import ask_to_pick
from agent.clerk.retail.intent_data import DATA, SWAPS, TEXTS
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.wording import item, method, money, order_short
from agent.clerk.state.records import Json, RecordedCall
from agent.clerk.state.steps import Call, Choice, Refused, Settled
from agent.clerk.state.task import Task
from agent.clerk.understanding.mention_roles import roles_of
from agent.clerk.understanding.terms import are_fallbacks
from agent.clerk.understanding.tokens import find, has, span, tokens
from agent.clerk.wording import join_parts

LEAST = 0.004
"""The amount in dollars up to which no money counts as moved."""

_REPAY = "modify_pending_order_payment"
MOVE_NO_MONEY = frozenset({"modify_pending_order_address", "modify_user_address", _REPAY})
"""Tools whose change leaves the amount that the customer pays the same."""

_ORIGINAL = "original payment method"
_SOURCES = {"PayPal": "paypal", "gift card": "gift_card", "credit card": "credit_card"}
_BARE = 3
"""In a text with no more words that names a method it is meant to be used."""

_FEW = 8
"""In a text with fewer words "card" alone is a credit card."""

_MOST = 10
"""A sentence with more words says more than how money should move."""


def kinds(text: str) -> list[str]:
    """The kinds of payment that a text wants to be used, in order.

    Where none is, it is those that it acts on, or all that a few words name: "store credit please".
    """
    by_role = _kinds_by_role(text)
    return by_role.get("wanted") or by_role.get("acted_on") or []


def _kinds_by_role(text: str) -> dict[str, list[str]]:
    """The kinds of payment in a text by their roles; a fallback has no other one."""
    found = _mentions(text)
    spans = tuple(where for _, where in found)
    roles, later = roles_of(text, spans), are_fallbacks(text, spans)
    by_role: dict[str, list[str]] = {}
    for (kind, _), role, is_later in zip(found, roles, later, strict=True):
        bare = len(tokens(text)) <= _BARE and "?" not in text
        as_before = role == "mentioned" and (bare or kind == _ORIGINAL)  # "how I paid before"
        told = "fallback" if is_later else "wanted" if as_before else role
        by_role.setdefault(told, []).append(kind)
    return {role: list(dict.fromkeys(own)) for role, own in by_role.items()}


def names_method(text: str) -> bool:
    """Whether a text mentions a kind of payment at all."""
    return bool(_mentions(text))


def _mentions(text: str) -> list[tuple[str, tuple[int, int]]]:
    """The kinds of payment that a text mentions, each with where it does, in order."""
    words, found = tokens(text), dict[int, tuple[str, int]]()
    for phrase, kind in DATA["payment_kinds"].items():
        own = tokens(phrase)
        for place in (n for n in range(len(words)) if find(own, words[n : n + len(own)]) == 0):
            if place not in found or len(own) > found[place][1]:
                found[place] = kind, len(own)
    if not found and len(words) < _FEW and "card" in words and "gift" not in words:
        found[words.index("card")] = "credit card", 1
    return [(found[n][0], span(text, n, n + found[n][1])) for n in sorted(found)]


def only_pays(text: str) -> bool:
    """Whether a sentence only says how money should move."""
    words = tokens(text)
    more = has(words, "order", "how much", "return", "send", "give", "take")
    return names_method(text) and not more and len(words) <= _MOST


def wanted_kinds(task: Task) -> list[str]:
    """The kinds of payment requested: those mentioned last, then those of the fallbacks.

    Where only a fallback is named it is open what comes first: "PayPal if my card is declined".
    """
    whole = task.message if task.alternatives else None  # it names the fallbacks, too
    asked = [each for each in task.context if "?" in each]  # was not said of this task
    told = [each for each in task.newest_first if each != whole and each not in asked]
    said = next(filter(None, map(kinds, told)), [])
    second = (kind for text in told for kind in _kinds_by_role(text).get("fallback", []))
    others = (kind for text in task.alternatives for kind in kinds(text))
    return list(dict.fromkeys([*said, *(second if said else ()), *others]))


def _ids_of(kind: str, records: RetailRecords, order: Json) -> list[str]:
    """The ids of the customer's payment methods of a kind."""
    if kind == _ORIGINAL:
        return [*filter(None, [original_method(order)])]
    field, value = ("source", _SOURCES[kind]) if kind in _SOURCES else ("brand", kind.lower())
    names = {key: str(each.get(field, "")).lower() for key, each in records.methods.items()}
    return [key for key, name in names.items() if name.replace("amex", "american express") == value]


def original_method(order: Json) -> str:
    """The id of the method that an order was first paid with."""
    history = order["payment_history"]
    return str(history[0]["payment_method_id"]) if history else ""


def current_method(order: Json) -> str:
    """The id of the method that an order is paid with now."""
    paid = [each for each in order["payment_history"] if each["transaction_type"] == "payment"]
    return str(paid[-1]["payment_method_id"]) if paid else ""


def name_method(records: RetailRecords, method_id: str) -> str:
    """The name of a payment method; for a gift card, with its balance."""
    return method(records.methods.get(method_id), method_id)


def your_method(records: RetailRecords, method_id: str) -> str:
    """The name of a method with a possessive: ``your Visa ending in 1234``."""
    return f"your {method(records.methods.get(method_id), method_id, balance=False)}"


def _covering(records: RetailRecords, due: float) -> list[str]:
    """The methods that can pay an amount; only a gift card can fall short."""
    methods = records.methods.items()
    return [key for key, each in methods if each.get("balance", due) >= due - 0.005]


def _picked(task: Task, records: RetailRecords) -> str:
    """The id of the method that was picked, unless another was named after that; else empty."""
    for text in reversed(task.notes):
        ids = [each for each in records.methods if each in text]
        if ids or kinds(text):
            return "".join(ids[:1])
    return ""


def _choose(
    task: Task,
    records: RetailRecords,
    order: Json,
    usable: Sequence[str],
    question: str,
    problem: str,
    what: str = "",
) -> str:
    """The payment method that is meant, among those that can be used.

    ``problem`` is the reason why another cannot be used, and ``what`` says what it would be for.
    Raises Settled with an offer of them, or Refused if there is none.
    """
    picked, named, said = _picked(task, records), wanted_kinds(task), ""
    if picked in usable:
        return picked
    for kind in named:
        found = _ids_of(kind, records, order)
        good = [each for each in found if each in usable]
        if len(good) == 1:
            return good[0]
        if good:
            usable, said, question = good, "", "Which one would you like to use?"
            break
        none = f"There is no {kind} on your profile."
        paid = current_method(order) in found and task.intent == "change_payment"
        why = TEXTS["pays already"] if paid else problem
        said = said or (why.format(kind) if found else none)
    only = len(usable) == 1 and (len(records.methods) == 1 or task.intent in SWAPS)
    if usable and not named and (only or task.what_if):  # any gives the amount that is asked for
        return usable[0]
    if not usable:
        none = "There is no payment method on your profile that could pay for that."
        raise Refused(said or none, order["order_id"])
    choices = [Choice(each, name_method(records, each)) for each in usable]
    ask = ask_to_pick(f"{said} {question}".strip(), "payment", task, choices, order["order_id"])
    if len(choices) == 1:  # a yes or a no answers it
        names = name_method(records, usable[0])
        total = money(sum(float(each["price"]) for each in order["items"]))
        about = f"order {order_short(order)}, which comes to {total}"
        repays = task.intent == "change_payment"
        asks = f"Shall I have {about}, paid with your {names}?" if repays else ""
        asks = question if names in question else asks or f"Shall I use your {names}?"
        ask = replace(ask, text=f"{said} {asks}".strip())
    raise Settled(replace(ask, lead=what))


def for_difference(task: Task, records: RetailRecords, order: Json, due: float, what: str) -> str:
    """The payment method for a price difference; a question for it says what it would be for."""
    text = f"Which payment method should receive the price difference of {money(-due)}?"
    if abs(due) <= LEAST:
        text = "The price stays the same. Which payment method should I record for it?"
    elif due > 0:
        text = f"Which payment method should the price difference of {money(due)} be charged to?"
    problem = f"The balance of your gift card does not cover {money(due)}."
    return _choose(task, records, order, _covering(records, due), text, problem, what)


def for_refund(task: Task, records: RetailRecords, order: Json, items: Sequence[Json]) -> str:
    """The payment method that a return is refunded to; a question for it names the items."""
    original = original_method(order)
    cards = [k for k, v in records.methods.items() if v.get("source") == "gift_card"]
    usable = list(dict.fromkeys([original, *cards]))
    name = name_method(records, original)
    text = f"Shall I refund it to your original payment method ({name})?"
    text = "Where should the refund go?" if len(usable) > 1 else text
    worth = money(sum(float(each["price"]) for each in items))
    what = f"For the {join_parts(map(item, items))} you would get {worth} back."
    what += remind_of_rest(task, order, items)
    problem = TEXTS["no refund"].format("{}", name)
    return _choose(task, records, order, usable, text, problem, what)


def remind_of_rest(task: Task, order: Json, items: Sequence[Json]) -> str:
    """The reminder that all items of an order go together, if there are more to think of."""
    said = task.excepted or has(tokens(task.all_words), "only", "just", "the rest")
    return "" if said or len(items) == len(order["items"]) else f" {TEXTS['all at once']}"


def for_order(task: Task, records: RetailRecords, order: Json) -> str:
    """The payment method that replaces the current one of a pending order."""
    history = order["payment_history"]
    due = sum(e["amount"] for e in history if e["transaction_type"] == "payment")
    usable = [each for each in _covering(records, due) if each != current_method(order)]
    problem = f"Your {{}} does not cover {money(due)}."
    return _choose(task, records, order, usable, "Which payment method should it be?", problem)


def money_moved(change: Call | RecordedCall, records: RetailRecords) -> tuple[float, str]:
    """Dollars that a change brings back, below 0 if it costs, and the id of the payment method.

    The result is the same before the change and after it. Prices are those of the order as first
    read, except for a cancellation.
    """
    order = records.original_orders.get(str(change.arguments.get("order_id")))
    if order is None or change.name in MOVE_NO_MONEY - {_REPAY}:
        return 0.0, ""
    prices = {each["item_id"]: float(each["price"]) for each in order["items"]}
    if change.name == "cancel_pending_order":
        now = records.orders[order["order_id"]]
        return sum(float(each["price"]) for each in now["items"]), original_method(now)
    if change.name == _REPAY:
        return sum(float(each["price"]) for each in order["items"]), current_method(order)
    products = records.products.values()
    costs = {k: float(v["price"]) for each in products for k, v in each["variants"].items()}
    back = sum(prices.get(each, 0.0) for each in ids_in(change, "item_ids"))
    due = sum(costs.get(each, 0.0) for each in ids_in(change, "new_item_ids"))
    return back - due, str(change.arguments.get("payment_method_id"))


def ids_in(change: Call | RecordedCall, name: str) -> list[str]:
    """The ids in a list argument of a change; empty if it is no list."""
    found = change.arguments.get(name)
    return [str(each) for each in found] if isinstance(found, list) else []

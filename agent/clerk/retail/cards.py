"""What can be told about a card that waits for a change of an order."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agent.clerk.card_questions import TOPICS, Waiting, sentence
from agent.clerk.remembering import Json
from agent.clerk.retail.wording import address, method, refund_time


def _method(card: Waiting) -> tuple[str, Json | None]:
    """The payment method that money goes to or comes from, with its record."""
    chosen = str(card.arguments.get("payment_method_id") or "")
    if not chosen:
        record = card.memory.orders.get(str(card.arguments.get("order_id")), {})
        history = record.get("payment_history") or []
        chosen = str(history[0]["payment_method_id"]) if history else ""
    return chosen, card.memory.methods.get(chosen)


def _when(card: Waiting) -> str:
    lines = card.after(r"\b(?:days?|at once|once they|immediately|no money)\b")
    how = _method(card)[1]
    if lines or how is None:
        return sentence(lines)
    return f"Money comes back to your {_name(card)} {refund_time(how)}."


def _name(card: Waiting) -> str:
    chosen, how = _method(card)
    return method(how, chosen)


def _payment(card: Waiting) -> str:
    return f"That is your {_name(card)}." if _method(card)[0] else ""


def _place(card: Waiting) -> str:
    if "address1" in card.arguments:
        return f"The new address would be {address(card.arguments)}."
    record = card.memory.orders.get(str(card.arguments.get("order_id")))
    return f"The order goes to {address(record['address'])}." if record else ""


CARD_TOPICS: Mapping[str, Callable[[Waiting], str]] = {
    **TOPICS,
    "when": _when,
    "payment": _payment,
    "place": _place,
}


ASKED: Mapping[str, tuple[str, ...]] = {
    "amount": (
        "how much",
        "price",
        "cost",
        "difference",
        "amount",
        "expensive",
        "get back",
        "extra",
    ),
    "when": ("when", "how long", "how soon", "how fast", "how many days"),
    "payment": ("which card", "what card", "which payment", "which account", "which method"),
    "later": ("later", "again", "undo", "after", "afterwards", "still", "change my mind", "final"),
    "place": ("address", "ship", "shipped", "where will", "where does"),
    "why": ("why", "how come"),
    "next": ("what happens", "next", "then what", "what changes", "will happen"),
    "what": ("which item", "what item", "which one", "is it", "is that", "is this", "what is"),
}
"""Words of a question about a card, by what it is about."""

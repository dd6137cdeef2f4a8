"""Sentences about changes to the store's records that several writes share.

Each sentence is made from the observed changes alone and names the fields it covers, so that the
card shows everything else that changed as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.effects import Changes, about, balances, changed_records, under
from domains.core.tool import Effect
from domains.retail import store, wording
from domains.text.paying import not_used, original_method_clause

__all__ = [
    "Changes",
    "about",
    "address",
    "changed_records",
    "gift_cards",
    "not_used",
    "original_method_clause",
    "payers",
    "payments",
    "settlement_effects",
    "status",
    "under",
]


def status(changes: Changes) -> Iterator[Effect]:
    """Yield each status that changed: ``order #W1: pending → cancelled``."""
    for change, before, after in changed_records(changes, "orders"):
        covers = under(change, "status")
        if covers:
            was, now = wording.status(before["status"]), wording.status(after["status"])
            words = f"order {wording.value(change.key)}: {was} → {now}"
            yield Effect(words, covers)


def payments(draft: Draft, changes: Changes) -> Iterator[Effect]:
    """Yield a sentence for each row that was added to an order's payments."""
    for _, before, after in changed_records(changes, "orders"):
        user = store.get_user(draft, after["user_id"])
        old, new = before["payment_history"], after["payment_history"]
        for index, row in enumerate(new[len(old) :], start=len(old)):
            yield Effect(_payment(user, row), (f"payment_history.{index}",))


def settlement_effects(draft: Draft, changes: Changes) -> Iterator[Effect]:
    """Yield what a change of items charges or refunds, and the methods used and not used."""
    for _, before, after in changed_records(changes, "orders"):
        user, old = store.get_user(draft, after["user_id"]), before["payment_history"]
        for index, row in enumerate(after["payment_history"][len(old) :], start=len(old)):
            paid = original_method_clause(user, row["payment_method_id"], payers(before))
            yield Effect(f"{_payment(user, row)}{paid}", (f"payment_history.{index}",))
            yield from not_used(user, (row["payment_method_id"],))


def payers(order: Record) -> list[str]:
    """The payment methods that an order is paid with at present: more payments than refunds."""
    paid: Counter[str] = Counter()
    for row in order["payment_history"]:
        paid[row["payment_method_id"]] += 1 if row["transaction_type"] == "payment" else -1
    return [method_id for method_id, times in paid.items() if times > 0]


def _payment(user: Record, row: Record) -> str:
    method_id, amount = row["payment_method_id"], wording.money(row["amount"])
    method = wording.by_method(user, method_id)
    if row["transaction_type"] == "payment":
        return f"pay {amount} with {method}"
    return f"refund {amount} to {method}, {wording.refund_time(user, method_id)}"


def gift_cards(changes: Changes) -> Iterator[Effect]:
    """Yield each gift card balance that changed: ``gift card balance: $20.00 → $34.50``."""
    return balances(changes, "balance")


def address(changes: Changes, collection: str, label: str) -> Iterator[Effect]:
    """Yield each address that changed, old and new: ``ship to: … → …``."""
    for change, before, after in changed_records(changes, collection):
        covers = under(change, "address")
        if covers:
            old, new = wording.address(before["address"]), wording.address(after["address"])
            yield Effect(f"{label}: {old} → {new}", covers)

"""What changed, in plain words: sentences that several writes share.

Each sentence is made from the observed changes alone and names the fields it accounts for, so
that what it leaves out shows on the card as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from domains.effects import Changes, about, balances, changed, under
from domains.records import Draft, Record
from domains.retail import store, wording
from domains.tool import Effect

__all__ = ["Changes", "about", "address", "changed", "gift_cards", "payments", "status", "under"]


def status(changes: Changes) -> Iterator[Effect]:
    """``order #W1: pending → cancelled``."""
    for change, before, after in changed(changes, "orders"):
        covers = under(change, "status")
        if covers:
            words = f"order {change.key}: {before['status']} → {after['status']}"
            yield Effect(words, covers)


def payments(draft: Draft, changes: Changes) -> Iterator[Effect]:
    """One sentence for each row that was added to an order's payments."""
    for _, before, after in changed(changes, "orders"):
        user = store.get_user(draft, after["user_id"])
        old, new = before["payment_history"], after["payment_history"]
        for index, row in enumerate(new[len(old) :], start=len(old)):
            yield Effect(_payment(user, row), (f"payment_history.{index}",))


def _payment(user: Record, row: Record) -> str:
    method_id, amount = row["payment_method_id"], wording.money(row["amount"])
    method = wording.by_method(user, method_id)
    if row["transaction_type"] == "payment":
        return f"pay {amount} with {method}"
    return f"refund {amount} to {method}, {wording.refund_time(user, method_id)}"


def gift_cards(changes: Changes) -> Iterator[Effect]:
    """``gift card balance: $20.00 → $34.50``."""
    return balances(changes, "balance")


def address(changes: Changes, collection: str, label: str) -> Iterator[Effect]:
    """``ship to: …``, old and new."""
    for change, before, after in changed(changes, collection):
        covers = under(change, "address")
        if covers:
            old, new = wording.address(before["address"]), wording.address(after["address"])
            yield Effect(f"{label}: {old} → {new}", covers)

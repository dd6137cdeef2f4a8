"""What changed, in plain words: sentences that several writes share.

Each sentence is made from the observed changes alone and names the fields it accounts for, so
that what it leaves out shows on the card as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from domains.records import Change, Draft, Record
from domains.retail import store, wording
from domains.tool import Effect

Changes = tuple[Change, ...]


def changed(changes: Changes, collection: str) -> Iterator[tuple[Change, Record, Record]]:
    """The records of a collection that a call changed, each with what it was and is."""
    for change in changes:
        if change.collection == collection and change.before and change.after:
            yield change, change.before, change.after


def under(change: Change, *fields: str) -> tuple[str, ...]:
    """Labels of the values that changed in those fields or below them."""
    labels = (each.label for each in change.fields())
    return tuple(
        label
        for label in labels
        if any(label == name or label.startswith(f"{name}.") for name in fields)
    )


def about(change: Change, words: str, *fields: str) -> Effect:
    """A sentence that accounts for those fields of a changed record."""
    return Effect(words, under(change, *fields))


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
    for change, before, after in changed(changes, "users"):
        for method_id, method in after["payment_methods"].items():
            covers = under(change, f"payment_methods.{method_id}.balance")
            if covers:
                was = before["payment_methods"][method_id]["balance"]
                name = wording.payment_method(after, method_id)
                balance = f"{wording.money(was)} → {wording.money(method['balance'])}"
                yield Effect(f"{name} balance: {balance}", covers)


def address(changes: Changes, collection: str, label: str) -> Iterator[Effect]:
    """``ship to: …``, old and new."""
    for change, before, after in changed(changes, collection):
        covers = under(change, "address")
        if covers:
            old, new = wording.address(before["address"]), wording.address(after["address"])
            yield Effect(f"{label}: {old} → {new}", covers)

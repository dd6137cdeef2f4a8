"""Building blocks for sentences about what changed, for every domain.

Each sentence is made from the observed changes alone and names the fields it covers, so that the
card shows everything else that changed as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from domains.core.changes import Change, Record
from domains.core.tool import Effect
from domains.text import wording

Changes = tuple[Change, ...]


def changed_records(changes: Changes, collection: str) -> Iterator[tuple[Change, Record, Record]]:
    """Yield each record of a collection that a call changed, with what it was and what it is."""
    for change in changes:
        if change.collection == collection and change.before and change.after:
            yield change, change.before, change.after


def under(change: Change, *fields: str) -> tuple[str, ...]:
    """The labels of changed values that are in those fields or below them."""
    labels = (each.label for each in change.fields)
    return tuple(
        label
        for label in labels
        if any(label == name or label.startswith(f"{name}.") for name in fields)
    )


def about(change: Change, words: str, *fields: str) -> Effect:
    """An effect that covers those fields of a changed record."""
    return Effect(words, under(change, *fields))


def balances(changes: Changes, holding: str) -> Iterator[Effect]:
    """Yield each balance that changed: ``gift card balance: $20.00 → $34.50``.

    ``holding`` is the name of the field that has the dollars left.
    """
    for change, before, after in changed_records(changes, "users"):
        for method_id, method in after["payment_methods"].items():
            was = before["payment_methods"].get(method_id, {}).get(holding)
            if was is not None and was != method[holding]:
                name = wording.payment_method(after, method_id)
                dollars = f"{wording.money(was)} → {wording.money(method[holding])}"
                whole = under(change, "payment_methods")
                covers = under(change, f"payment_methods.{method_id}.{holding}") or whole
                yield Effect(f"{name} balance: {dollars}", covers)

"""What a card says about an order's items: what differs in a swap, and what stays as it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domains.core.changes import Record
from domains.core.tool import Question
from domains.retail import wording

ABOUT_ALL = (
    "all",
    "only",
    "just",
    "both",
    "also",
    "everything",
    "every",
    "rest",
    "other",
    "others",
)

MOST_NAMED = 4
"""The most items that a question names; the rest are counted, and listed apart on the card."""


def swap(name: str, old: Record, new: Record) -> str:
    """A swap in words: what differs, then what does not, then the prices.

    ``T-Shirt: color blue → red; same: size M; $20.00 → $22.60 ($2.60 more)``.
    """
    differs = "; ".join((*_options(old, new), _prices(old["price"], new["price"])))
    return f"{wording.value(name)}: {differs}"


def _options(old: Record, new: Record) -> Iterator[str]:
    """Yield the options that differ, then those that do not.

    If old and new have different kinds of options, yield both in full.
    """
    before, after = old["options"], new["options"]
    if before.keys() != after.keys():
        yield f"{wording.options(before)} → {wording.options(after)}"
        return
    value = wording.value
    same = [value(f"{each} {before[each]}") for each in before if before[each] == after[each]]
    other = [
        f"{value(f'{each} {before[each]}')} → {value(after[each])}"
        for each in before
        if before[each] != after[each]
    ]
    yield ", ".join(other) or "as before"
    if same:
        yield f"same: {', '.join(same)}"


def _prices(old: float, new: float) -> str:
    more = round(new - old, 2)
    if not more:
        return f"{wording.money(new)} as before"
    by = f"{wording.money(abs(more))} {'more' if more > 0 else 'less'}"
    return f"{wording.money(old)} → {wording.money(new)} ({by})"


def items_left(order: Record, item_ids: Sequence[str]) -> list[Record]:
    """The order's items that a call does not name; an item held twice may be named once."""
    named = list(item_ids)
    found = []
    for item in order["items"]:
        if item["item_id"] in named:
            named.remove(item["item_id"])
        else:
            found.append(item)
    return found


def are_these_all(order: Record, item_ids: Sequence[str], change: str) -> Iterator[Question]:
    """Yield the question whether the customer has named every item, if any item would stay."""
    staying = items_left(order, item_ids)
    if staying:
        names = list(dict.fromkeys(item["name"] for item in staying))
        more = len(names) - MOST_NAMED
        told = [wording.value(each) for each in names[:MOST_NAMED]]
        told += [f"{more} more"] if more > 0 else []
        stay = "stays as it is" if len(staying) == 1 else "stay as they are"
        stays = f"{wording.listing(told)} {stay}"
        text = f"Is this all that you want to {change}? {stays}, and it can be done only once."
        yield Question(text, (*names, *ABOUT_ALL))

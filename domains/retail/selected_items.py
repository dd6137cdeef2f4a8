"""The items of an order that a change covers, as values that can be compared with what was said.

All but the selection itself follows from the order and from the customer's other orders.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from domains.core.changes import Record
from domains.core.derived import cached_by_identity
from domains.core.draft import Draft
from domains.core.facts import Keys, Selection, Ways
from domains.retail import wording
from domains.retail.spoken import item_ways


def products_owned(draft: Draft, user: Record) -> Counter[str]:
    """How many of each product the customer has ordered."""
    orders = (draft.get("orders", each) for each in user["orders"])
    return _products_in(*filter(None, orders))


@cached_by_identity
def _products_in(*orders: Record) -> Counter[str]:
    return Counter(item["product_id"] for order in orders for item in order["items"])


def items_of(
    does: str,
    order: Record,
    chosen: Iterable[str],
    *,
    owned: Counter[str],
    once: bool = False,
    takes_away: bool = False,
) -> Selection:
    """A selection of items of an order.

    If the change takes items away, options also tell apart items of a product that was bought more
    than once.
    """
    return Selection(
        does,
        frozenset(chosen),
        _ways_by_option(order, owned) if takes_away else item_ways(order),
        _names(order),
        once,
        _alike(order),
        takes_away=takes_away,
        also_in_other_records=_elsewhere(order, owned),
    )


@cached_by_identity
def _names(order: Record) -> Mapping[str, str]:
    return {each["item_id"]: wording.item(each) for each in order["items"]}


@cached_by_identity
def _ways_by_option(order: Record, owned: Counter[str]) -> Ways:
    found = dict(item_ways(order))
    for item in order["items"]:
        if owned[item["product_id"]] > 1:
            for value in item["options"].values():
                if len(value) > 3 and not value.isdigit():
                    found[value] = found.get(value, frozenset()) | {item["item_id"]}
    return found


@cached_by_identity
def _alike(order: Record) -> tuple[Keys, ...]:
    """Groups of items of the same product, where there are several."""
    alike: dict[str, set[str]] = defaultdict(set)
    for item in order["items"]:
        alike[item["product_id"]].add(item["item_id"])
    return tuple(frozenset(keys) for keys in alike.values() if len(keys) > 1)


@cached_by_identity
def _elsewhere(order: Record, owned: Counter[str]) -> Keys:
    """Items of which the customer has more in other orders."""
    here = Counter(item["product_id"] for item in order["items"])
    return frozenset(
        item["item_id"]
        for item in order["items"]
        if owned[item["product_id"]] > here[item["product_id"]]
    )

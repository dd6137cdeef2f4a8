"""How people speak of the store's orders, items and options."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from domains.core.changes import Record
from domains.core.derived import cached_by_identity
from domains.core.draft import Draft
from domains.core.facts import Choice, Keys, Ways
from domains.retail import wording

REASONS: Ways = {
    "no longer needed": frozenset({"no longer needed"}),
    "no longer need": frozenset({"no longer needed"}),
    "don't need": frozenset({"no longer needed"}),
    "do not need": frozenset({"no longer needed"}),
    "changed my mind": frozenset({"no longer needed"}),
    "by mistake": frozenset({"ordered by mistake"}),
    "mistake": frozenset({"ordered by mistake"}),
    "accident": frozenset({"ordered by mistake"}),
    "accidentally": frozenset({"ordered by mistake"}),
    "wrong order": frozenset({"ordered by mistake"}),
}

PLACES: Ways = {
    **{
        f"{only} {for_}{this}": frozenset({"order"})
        for only in ("only", "just")
        for for_ in ("", "for ", "on ")
        for this in ("this order", "that order", "the order", "this one order", "the one order")
    },
    "this order only": frozenset({"order"}),
    "that order only": frozenset({"order"}),
    "default": frozenset({"default"}),
    "profile": frozenset({"default"}),
    "account": frozenset({"default"}),
}
"""Which address a new address replaces: that of one order, or the customer's default."""

_ALSO: Mapping[str, tuple[str, ...]] = {
    "headphones": ("headset",),
    "e-reader": ("ereader",),
    "t-shirt": ("tshirt", "tee"),
    "sneakers": ("shoes",),
    "hiking boots": ("shoes",),
    "running shoes": ("shoes",),
    "luggage set": ("suitcase",),
    "laptop": ("computer",),
    "smartphone": ("phone",),
    "cycling helmet": ("bike helmet",),
    "vacuum cleaner": ("vacuum",),
    "smart watch": ("smartwatch",),
    "wristwatch": ("watch",),
    "portable charger": ("power bank",),
    "wireless earbuds": ("earphones",),
    "makeup kit": ("makeup",),
    "bookshelf": ("shelf",),
    "fleece jacket": ("fleece",),
    "dumbbell set": ("dumbbells",),
    "pet bed": ("dog bed", "cat bed"),
}
"""Other words for products in the catalogue, where they are not part of the name."""


_SPELLED: Mapping[str, tuple[str, ...]] = {
    "xs": ("extra small",),
    "s": ("small",),
    "m": ("medium",),
    "l": ("large",),
    "xl": ("extra large", "x large"),
    "xxl": ("extra extra large", "xx large"),
}
"""Sizes in words, where the catalogue has letters."""


@cached_by_identity
def about_order(order: Record) -> Ways:
    """What people call an order: its id, and what is in it."""
    return {**_ways_of_id(order["order_id"], "order"), **item_ways(order)}


def _ways_of_id(order_id: str, key: str) -> Ways:
    """What people call an order by its id: the id, or its digits alone as in *order 2345678*."""
    return dict.fromkeys((order_id, order_id.removeprefix("#W")), frozenset({key}))


def other_orders(draft: Draft, user: Record, order: Record) -> Ways:
    """What people call the customer's other orders: their ids, and what only they contain."""
    others = (draft.get("orders", each) for each in user["orders"] if each != order["order_id"])
    return _ways_of_others(order, *filter(None, others))


@cached_by_identity
def _ways_of_others(order: Record, *others: Record) -> Ways:
    here = {way for item in order["items"] for way in product_ways(item["name"])}
    found: dict[str, Keys] = {}
    for other in others:
        key = frozenset({other["order_id"]})
        found.update(_ways_of_id(other["order_id"], other["order_id"]))
        names = (way for item in other["items"] for way in product_ways(item["name"]))
        found.update((way, key) for way in names if way not in here)
    return found


@cached_by_identity
def which_order(user: Record, order: Record) -> Choice:
    """Which of the customer's orders is changed."""
    mine = order["order_id"]
    does = f"is about {wording.order(order)}"
    return Choice("order", does, frozenset({mine}), _order_ids(user), things="replaced")


@cached_by_identity
def _order_ids(user: Record) -> Ways:
    return {way: keys for each in user["orders"] for way, keys in _ways_of_id(each, each).items()}


@cached_by_identity
def item_ways(order: Record) -> Ways:
    """What people call an order's items: their product, an option with it, or their id."""
    found: dict[str, set[str]] = defaultdict(set)
    for item in order["items"]:
        for way in product_ways(item["name"]):
            found[way].add(item["item_id"])
        found[item["item_id"]].add(item["item_id"])
        for value in item["options"].values():
            found[f"{value} {item['name']}"].add(item["item_id"])
    return {way: frozenset(keys) for way, keys in found.items()}


def product_ways(name: str) -> Iterator[str]:
    """Yield what people call a product: ``bedding set`` and ``bedding``."""
    yield name
    *first, last = name.replace("-", " ").split()
    if last.lower() in ("set", "kit"):
        yield " ".join(first)
    elif len(last) > 2 and last.lower() != "shoes":
        yield last
    yield from _ALSO.get(name.lower(), ())


def value_ways(name: str, value: str) -> Iterator[tuple[str, Keys]]:
    """Yield how people say an option's value.

    A bare *yes*, *no* or number says nothing by itself, so it goes with the option's name.
    """
    key = frozenset({value})
    low = value.lower()
    if low in ("yes", "no", "none") or low.isdigit():
        yield f"{value} {name}", key
        yield f"{name} {value}", key
        if low != "yes" and not low.isdigit():
            yield f"no {name}", key
    elif low in ("high", "low", "medium", "large", "small", "full", "half", "fixed", "adjustable"):
        yield f"{value} {name}", key
        yield value, key
    else:
        yield value, key
        yield from ((each, key) for each in _SPELLED.get(low, ()))

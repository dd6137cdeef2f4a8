"""The options of new items, and cheaper variants of the same products."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from domains.core.changes import Record
from domains.core.draft import Draft
from domains.core.facts import Cheaper, Choice, Requirements, Ways
from domains.retail import store, wording
from domains.retail.spoken import product_ways, value_ways

Pairs = Sequence[tuple[Record, Record]]
"""Items of an order, each with the variant that is to replace it."""


def option_choices(draft: Draft, pairs: Pairs) -> Iterator[Choice]:
    """Yield the choice made by each option of each new item, among the values of its product."""
    several = len({old["product_id"] for old, _ in pairs}) > 1
    for old, new in pairs:
        variants = store.get_product(draft, old["product_id"])["variants"].values()
        topic: Ways = {way: frozenset({"item"}) for way in product_ways(old["name"])}
        item = wording.value(old["name"])
        for name, value in new["options"].items():
            values = {each["options"].get(name, "") for each in variants} - {""}
            if len(values) > 1:
                yield Choice(
                    f"{name} of the {old['name']}",
                    f"makes the {item}'s {wording.value(f'{name} {value}')}",
                    frozenset({value}),
                    {way: keys for each in values for way, keys in value_ways(name, each)},
                    topic if several else {},
                    frozenset({old["options"].get(name, "")}),
                )


def cheaper_variant(draft: Draft, pairs: Pairs) -> Callable[[Requirements], Cheaper | None]:
    """A function that finds a cheaper variant of the same product with all that was asked for."""

    def look(wanted: Requirements) -> Cheaper | None:
        for old, new in pairs:
            variants = store.get_product(draft, old["product_id"])["variants"].values()
            fitting = [
                each
                for each in variants
                if each["available"]
                and each["item_id"] != old["item_id"]
                and wanted.keys & set(new["options"].values()) <= set(each["options"].values())
            ]
            best = min(fitting, key=lambda each: float(each["price"]), default=None)
            if best is not None and best["price"] < new["price"]:
                name = wording.value(old["name"])
                words = f"the {name} is available for less: {wording.variant(best)}"
                return Cheaper(words, (wording.money(best["price"]),))
        return None

    return look

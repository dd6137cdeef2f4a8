"""Skills that answer questions about products: their variants, prices and numbers."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.retail.intent_data import DATA
from agent.clerk.retail.item_mentions import OrderItem, items_of, mentions
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.variant_slots import read_wanted
from agent.clerk.retail.wording import money, options
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Refused, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import join_parts, list_lines

SHOWN = 10
_ARTICLES = frozenset({"a", "an", "any", "the"})


def types(records: RetailRecords) -> dict[str, str]:
    """Product ids by name; raises Settled with the look-up until they have been listed."""
    if records.types is None:
        raise _look_up(records, "the list of products", Call("list_all_product_types", {}))
    return records.types


def read_product(records: RetailRecords, product_id: str) -> Json:
    """A product as last read; raises Settled with the look-up until it has been read."""
    if product_id not in records.products:
        call = Call("get_product_details", {"product_id": product_id})
        raise _look_up(records, "that product", call)
    return records.products[product_id]


def _look_up(records: RetailRecords, what: str, call: Call) -> Settled:
    failed = call.key in records.failed
    return Refused(f"I can't open {what} right now.") if failed else Settled(call)


def kinds_sold(records: RetailRecords) -> list[OrderItem]:
    """The products as if they were owned items, so that mentions of them can be found."""
    return [
        OrderItem({"name": name, "item_id": key, "options": {}, "price": 0.0}, {})
        for name, key in sorted(types(records).items())
    ]


def products(task: Task, records: RetailRecords) -> list[Json]:
    """The catalogue entries of the products that a task mentions, else of its own items."""
    known = kinds_sold(records)
    for text in task.newest_first:
        found = [each for one in mentions(text, known) for each in one.found]
        keys = list(dict.fromkeys(each.id for each in found))[:3]
        if keys:
            return [read_product(records, each) for each in keys]
    owned = [each for each in items_of(records.orders.values()) if each.id in task.items]
    keys = list(dict.fromkeys(str(each.item["product_id"]) for each in owned))
    return [read_product(records, each) for each in keys[:3]]


def product_info(task: Task, records: RetailRecords) -> Statement:
    """The variants and prices of the products asked about, narrowed by the options mentioned."""
    found = products(task, records)
    names = ", ".join(sorted(types(records)))
    none = f"I can't find that among our products. We sell: {names}."
    owned = items_of(records.orders.values())
    told = "\n\n".join(_describe(task, each, owned) for each in found)
    return Statement(told or none, "answered")


def _describe(task: Task, product: Json, owned: list[OrderItem]) -> str:
    own = [e.item for e in owned if e.item["product_id"] == product["product_id"]]
    current = own[0] if len(own) == 1 else None
    told = read_wanted([*task.context, *task.words], product, current)
    name, pool = product["name"], list(product["variants"].values())
    fits = [each for each in pool if told.is_met_by(each)]
    free = [each for each in fits if each["available"]]
    if told.by_price and free:
        best = (told.best(free) or free)[0]
        return f"The {told.by_price} {name}: {options(best)} at {money(best['price'])}."
    nearest = f"There is no {name}{told.in_words}. These come nearest:"
    lead = told.none_like(product) + (f"{name}:" if fits else nearest)
    if free and has(tokens(task.all_words), "in stock", "available", "do you have"):
        fits = free
    lines = (
        f"{options(each)}: {money(each['price'])}{'' if each['available'] else ' (not available)'}"
        for each in sorted(fits or told.nearest(pool), key=lambda each: not each["available"])
    )
    part = _unknown_part(tokens(task.text), product)
    keys = join_parts(pool[0]["options"])
    more = f"\n\nI have only its {keys} on file, nothing about “{part}”." if part else ""
    return f"{lead}\n\n{list_lines(lines, SHOWN)}{more}"


def _unknown_part(words: Sequence[str], product: Json) -> str:
    """What a question asks to be with or without that no option tells: "a lid"; else empty."""
    pairs = [pair for e in product["variants"].values() for pair in e["options"].items()]
    own = tokens(" ".join([product["name"], *(each for pair in pairs for each in pair)]))
    known = {*DATA["general"], *own}
    for place, word in enumerate(words):
        if word in {"with", "without"}:
            after = [each for each in words[place + 1 : place + 3] if each not in _ARTICLES]
            if after and after[0].isalpha() and after[0] not in known:
                return after[0]
    return ""


def product_count(task: Task, records: RetailRecords) -> Statement:
    """The number of variants of the products mentioned, or else the number of products."""
    names = sorted(types(records))
    lines = []
    for each in products(task, records):
        variants = each["variants"].values()
        free = sum(variant["available"] for variant in variants)
        told = f"{free} of {len(variants)} {each['name']} options are available now."
        lines.append(told)
    all_names = f"We sell {len(names)} products: {', '.join(names)}."
    return Statement("\n".join(lines) or all_names, "answered")


PRODUCTS = {"product_count": product_count}
"""Skills that answer questions about the products alone, by intent."""

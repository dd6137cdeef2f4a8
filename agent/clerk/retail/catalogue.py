"""Answers about the store's products: which variants there are, what they cost, how many."""

from __future__ import annotations

from agent.clerk.retail.memory import Memory
from agent.clerk.retail.things import Owned, mentions
from agent.clerk.retail.wanted import read_wanted
from agent.clerk.retail.wording import money, options
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Refused, Settled, Tell
from agent.clerk.state.task import Task
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import list_lines

SHOWN = 10


def types(memory: Memory) -> dict[str, str]:
    """Product ids by name; Settled with the look-up while they were not listed."""
    if memory.types is None:
        raise _look_up(memory, "the list of products", Call("list_all_product_types", {}))
    return memory.types


def read_product(memory: Memory, product_id: str) -> Json:
    """A product as last read; Settled with the look-up while it was not."""
    if product_id not in memory.products:
        call = Call("get_product_details", {"product_id": product_id})
        raise _look_up(memory, "that product", call)
    return memory.products[product_id]


def _look_up(memory: Memory, what: str, call: Call) -> Settled:
    failed = call.key in memory.failed
    return Refused(f"I can't open {what} right now.") if failed else Settled(call)


def kinds_sold(memory: Memory) -> list[Owned]:
    """What the store sells, as if it were owned, so that words can be read as its names."""
    return [
        Owned({"name": name, "item_id": key, "options": {}, "price": 0.0}, {})
        for name, key in sorted(types(memory).items())
    ]


def products(task: Task, memory: Memory) -> list[Json]:
    """The products that the words name, read from the catalogue."""
    known = kinds_sold(memory)
    for text in task.newest_first:
        found = [each for one in mentions(text, known) for each in one.found]
        keys = list(dict.fromkeys(each.id for each in found))[:3]
        if keys:
            return [read_product(memory, each) for each in keys]
    return [p for p in memory.products.values() if set(task.items) & set(p["variants"])]


def product_info(task: Task, memory: Memory) -> Tell:
    """Variants and prices of the products asked about, narrowed by the options that were named."""
    found = products(task, memory)
    names = ", ".join(sorted(types(memory)))
    none = f"I don't find that among our products. We sell: {names}."
    return Tell("\n\n".join(_describe(task, each) for each in found) or none, "answered")


def _describe(task: Task, product: Json) -> str:
    told = read_wanted([*task.context, *task.words], product)
    name, pool = product["name"], list(product["variants"].values())
    fits = [each for each in pool if told.is_met_by(each)]
    free = [each for each in fits if each["available"]]
    if told.by_price and free:
        best = (told.best(free) or free)[0]
        return f"The {told.by_price} {name}: {options(best)} at {money(best['price'])}."
    lead = f"{name}:" if fits else f"There is no {name} like that. What there is:"
    if free and has(tokens(task.all_words), "in stock", "available", "do you have"):
        fits = free
    lines = (
        f"{options(each)}: {money(each['price'])}{'' if each['available'] else ' (not available)'}"
        for each in sorted(fits or pool, key=lambda each: not each["available"])
    )
    return f"{lead}\n\n{list_lines(lines, SHOWN)}"


def product_count(task: Task, memory: Memory) -> Tell:
    """How many variants of a product there are, or how many products."""
    names = sorted(types(memory))
    lines = []
    for each in products(task, memory):
        variants = each["variants"].values()
        free = sum(variant["available"] for variant in variants)
        told = f"There are {free} {each['name']} options available now, of {len(variants)} in all."
        lines.append(told)
    all_names = f"We sell {len(names)} products: {', '.join(names)}."
    return Tell("\n".join(lines) or all_names, "answered")


PRODUCTS = {"product_info": product_info, "product_count": product_count}
"""The answers about products, by intent."""

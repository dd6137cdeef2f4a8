"""Answers about the store's products: which variants there are, what they cost, how many."""

from __future__ import annotations

from collections.abc import Sequence

from agent.clerk.remembering import Json
from agent.clerk.retail import fitting
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.things import Owned, mentions
from agent.clerk.retail.wanted import read_wanted
from agent.clerk.retail.wording import money, options
from agent.clerk.steps import Call, Refused, Settled, Tell
from agent.clerk.task import Task
from agent.clerk.understanding.tokens import has, tokens
from agent.clerk.wording import list_lines

SHOWN = 10


def types(memory: Memory) -> dict[str, str]:
    """Product ids by name; Settled with the look-up while they were not listed."""
    if memory.types is None:
        if any(key.startswith("list_all_product_types") for key in memory.failed):
            raise Refused("I can't open the list of products right now.")
        raise Settled(Call("list_all_product_types", {}))
    return memory.types


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
    if task.items:
        return [p for p in memory.products.values() if set(task.items) & set(p["variants"])]
    return []


def read_product(memory: Memory, product_id: str) -> Json:
    """A product as last read; Settled with the look-up while it was not."""
    found = memory.products.get(product_id)
    if found is not None:
        return found
    call = Call("get_product_details", {"product_id": product_id})
    if call.key in memory.failed:
        raise Refused("I can't open that product right now.")
    raise Settled(call)


def product_info(task: Task, memory: Memory, policy: str) -> Tell:
    """Variants and prices of the products asked about, narrowed by the options that were named."""
    found = products(task, memory)
    if not found:
        names = ", ".join(sorted(types(memory)))
        return Tell(f"I don't find that among our products. We sell: {names}.", "answered")
    return Tell("\n\n".join(_describe(task, each) for each in found), "answered")


def _describe(task: Task, product: Json) -> str:
    told = read_wanted([*task.context, *task.words], product, None)
    words = tokens(task.all_words)
    pool: Sequence[Json] = list(product["variants"].values())
    fits = [each for each in pool if fitting.fits(each, told, None)]
    free = [each for each in fits if each["available"]]
    name = product["name"]
    if told.by_price and free:
        best = fitting.best(free, told, None)[0]
        return f"The {told.by_price} {name}: {options(best)} at {money(best['price'])}."
    lead = f"{name}:"
    if not fits:
        lead, fits = f"There is no {name} like that. What there is:", list(pool)
    if has(words, "in stock", "available", "do you have") and free:
        fits = free if fits is not pool else fits
    fits = sorted(fits, key=lambda each: not each["available"])
    lines = (
        f"{options(each)}: {money(each['price'])}{'' if each['available'] else ' (not available)'}"
        for each in fits
    )
    return f"{lead}\n\n{list_lines(lines, SHOWN)}"


def product_count(task: Task, memory: Memory, policy: str) -> Tell:
    """How many variants of a product there are, or how many products."""
    found = products(task, memory)
    if not found:
        return Tell(
            f"We sell {len(types(memory))} products: {', '.join(sorted(types(memory)))}.",
            "answered",
        )
    lines = []
    for each in found:
        free = [v for v in each["variants"].values() if v["available"]]
        lines.append(
            f"There are {len(free)} {each['name']} options available now, of "
            f"{len(each['variants'])} in all."
        )
    return Tell("\n".join(lines), "answered")

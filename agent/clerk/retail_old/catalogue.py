"""Answers about the products of the store: which variants there are, and how many."""

from __future__ import annotations

from agent.clerk.remembering import Json
from agent.clerk.retail.language import means
from agent.clerk.retail.locating import describe
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.options import choose
from agent.clerk.retail.requests import Request, Thing
from agent.clerk.retail.swapping import variants_of
from agent.clerk.retail.wording import a
from agent.clerk.steps import Call, Settled, Tell
from agent.clerk.wording import joined, listed


def answered(text: str) -> Tell:
    """A question settled by these words."""
    return Tell(text, "answered")


def find_product(thing: Thing, memory: Memory) -> list[Json]:
    """The products a noun can mean; Settled with the look-up while one was not read."""
    known = {
        each["product_id"]
        for record in memory.orders.values()
        for each in record["items"]
        if thing.item_id and thing.item_id in (each["item_id"], each["product_id"])
    }
    if not known:
        if memory.types is None:
            if any(key.startswith("list_all_product_types") for key in memory.failed):
                raise Settled(Tell("I can't open the list of products right now.", "refused"))
            raise Settled(Call("list_all_product_types", {}))
        known = {
            i
            for name, i in memory.types.items()
            if thing.item_id == i or (thing.noun and means(thing.noun, name))
        }
    return [variants_of(each, memory) for each in sorted(known)[:4]]


def product_options(request: Request, memory: Memory) -> Tell:
    """Which variants of a product there are, narrowed by what was asked."""
    thing = next((t for t in request.things if t.noun or t.item_id), None)
    if thing is None:
        return _product_types(memory)
    products = find_product(thing, memory)
    if not products:
        return answered(f"We don't sell {a(thing.noun or 'product like that')}.")
    return answered("\n\n".join(_variants(each, request) for each in products))


def _product_types(memory: Memory) -> Tell:
    if memory.types is None:
        raise Settled(Call("list_all_product_types", {}))
    return answered(f"We sell: {joined(sorted(memory.types))}.")


def _variants(product: Json, request: Request) -> str:
    every = list(product["variants"].values())
    open_ = sorted((v for v in every if v["available"]), key=lambda v: v["price"])
    found = choose(request.text, every, None)
    narrowed = sorted(found.choices, key=lambda v: v["price"]) if found.understood else open_
    if found.understood and not narrowed:
        shown = listed(describe(v) for v in open_)
        return f"No {product['name']} like that is available. These are:\n\n{shown}"
    if not open_:
        return f"No {product['name']} is available at the moment."
    lines = [f"{describe(v)} (item {v['item_id']})" for v in narrowed]
    if len(lines) == 1:
        return f"{product['name']}: {lines[0]}."
    return f"{product['name']}: {_count(len(narrowed))} available right now:\n\n{listed(lines, 20)}"


def _count(number: int) -> str:
    return "1 option is" if number == 1 else f"{number} options are"


def count(request: Request, memory: Memory) -> Tell:
    """How many variants of a product can be had."""
    named = [thing for thing in request.things if thing.noun or thing.item_id]
    if not named:
        types = _product_types(memory)
        return answered(f"We sell {len(memory.types or {})} kinds of products. {types.text}")
    lines = []
    for thing in named:
        for product in find_product(thing, memory):
            every = list(product["variants"].values())
            open_ = _count(sum(v["available"] for v in every))
            lines.append(
                f"{product['name']}: {open_} available right now (of {len(every)} in all)."
            )
    return answered("\n".join(lines) or f"We don't sell a {named[0].noun}.")

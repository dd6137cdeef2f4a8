"""Which items of an order a customer's words can mean."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.clerk.remembering import Json
from agent.clerk.retail.language import means
from agent.clerk.retail.options import choose
from agent.clerk.retail.requests import Intent, Request, Thing
from agent.clerk.retail.values import space


def matches(thing: Thing, record: Json) -> list[Json]:
    """The items of an order that a mention can mean."""
    if thing.item_id:
        return [
            each
            for each in record["items"]
            if thing.item_id in (each["item_id"], each["product_id"])
        ]
    if not thing.noun:
        return list(record["items"])
    found = [each for each in record["items"] if means(thing.noun, each["name"])]
    return _qualified(thing.words, found)


def _qualified(words: str, found: list[Json]) -> list[Json]:
    """Narrow by what was said of the item ("small blue") where that leaves any."""
    if not words or len(found) == 0:
        return found
    fitting = choose(words, [{**each, "available": True} for each in found], None).choices
    ids = {each["item_id"] for each in fitting}
    narrowed = [each for each in found if each["item_id"] in ids]
    known = space(found)
    spoken = any(value.lower() in words for values in known.values() for value in values)
    spoken = spoken or re.search(r"\d+[ -]?[a-z]", words) is not None
    return narrowed if narrowed or spoken else found


def named_as(request: Request, thing: Thing, pool: list[Json]) -> Thing:
    """In a swap, words that fit no item the customer has tell of the wanted one."""
    fits = any(matches(thing, each) for each in pool)
    swaps = request.intent is Intent.SWAP and thing.words
    return replace(thing, words="") if swaps and not fits else thing


def wishes_of(thing: Thing, old: Json) -> list[str]:
    """What an item should become, with such words before its name as do not fit the old one."""
    told = thing.wishes or [""]
    if not thing.words or matches(thing, {"items": [old]}):
        return told
    return [f"{thing.words}\n{each}" for each in told]


def speaks_of(thing: Thing, record: Json) -> bool:
    """Whether a wish without a noun names an option that only this item has."""
    text = " ".join(thing.wishes)
    return any(
        word in text for key in record["options"] for word in key.lower().split() if len(word) > 3
    ) or any(
        str(value).lower() in text for value in record["options"].values() if len(str(value)) > 3
    )

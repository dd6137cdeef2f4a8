"""What the store sells: the variants of its products, and answers to questions about them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.clerk.retail.intent_data import tells
from agent.clerk.retail.item_mentions import OrderItem, found_by, mentions
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.variant_slots import read_wanted
from agent.clerk.retail.wording import money, options
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Call, Refused, Settled, Statement
from agent.clerk.state.task import Task
from agent.clerk.understanding.phrases import GENERAL
from agent.clerk.understanding.tokens import Tokens, has, tokens
from agent.clerk.wording import list_lines

_LISTED = re.compile(r"\b(?:than|and)\b")
"""What stands between values that are both asked about."""

SHOWN, _MOST = 10, 3
"""How many variants, and of how many products, are shown at once."""


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
    """The products as if they were owned items, so that mentions of them can be found.

    Raises Settled with the look-up until they have been listed.
    """
    if records.types is None:
        raise _look_up(records, "the list of products", Call("list_all_product_types", {}))
    return [
        OrderItem({"name": name, "item_id": key, "options": {}, "price": 0.0}, {})
        for name, key in sorted(records.types.items())
    ]


def product_info(task: Task, records: RetailRecords, spoken_of: Sequence[str]) -> Statement:
    """The variants and prices of the products asked about, narrowed by the options mentioned.

    These are the products that the task mentions, or else those of the items spoken of.
    """
    sold, owned = kinds_sold(records), records.things
    of_items = task.items or spoken_of
    ids = _first_named([*reversed(task.notes), task.text], sold)
    named = bool(ids)
    ids = ids or _first_named(task.same_message, sold)[-1:]
    ids = ids or [str(each.item["product_id"]) for each in owned if each.id in of_items]
    ids = ids or _first_named([*reversed(task.context), task.message], sold)
    found = [read_product(records, each) for each in dict.fromkeys(ids[:_MOST])]
    if not named:
        found = [each for each in found if _is_asked_of(task, each)] or found
    lead = "" if task.intent == "product_count" else "I can't find that among them. "
    names = ", ".join(str(each.item["name"]) for each in sold)
    none = f"We sell {len(sold)} products. {lead}They are: {names}."
    return Statement(
        "\n\n".join(_describe(task, each, owned) for each in found) or none, "answered"
    )


def _is_asked_of(task: Task, product: Json) -> bool:
    """Whether a product has what a question that does not name it asks for: "in charcoal?"."""
    told = read_wanted([task.text, *task.notes], product).values
    known = [each["options"] for each in product["variants"].values()]
    return any(each.get(key) in values for key, values in told.items() for each in known)


def _first_named(texts: Sequence[str], sold: Sequence[OrderItem]) -> list[str]:
    """The ids of the products in the first of some texts that mentions any."""
    named = (found_by(one for one in mentions(text, sold) if not one.is_excluded) for text in texts)
    return [each.id for each in next(filter(None, named), [])]


def _describe(task: Task, product: Json, owned: list[OrderItem]) -> str:
    """What is sold of a product, as far as it was asked about; what was said before still holds."""
    own = [e.item for e in owned if e.item["product_id"] == product["product_id"]]
    current = own[0] if len(own) == 1 else None
    told_now = [*task.same_message, task.text, *task.notes]
    said = [_LISTED.sub(" or ", each) for each in told_now]
    asked, words = read_wanted(said, product, current), tokens(task.all_words)
    before = task.context if "follows" in task.chosen else []
    told = read_wanted([*before, *said], product, current)
    name, pool = product["name"], list(product["variants"].values())
    fits, sold = [e for e in pool if told.is_met_by(e)], tells(words, "asks if sold")
    if tells(words, "compares") and not sold:
        pair = sorted(fits, key=told.place_of, reverse=has(words, "than"))
        pair = [*_spoken_of(task, product, fits, current), *fits] if len(fits) == 1 else pair
        if len(pair) == 2:
            return _compare(words, name, *pair)
    if not asked.values and len(fits) < (2 if asked.by_price else 1):
        told, fits = asked, pool
    free = [each for each in fits if each["available"]]
    if asked.by_price and free:
        told.by_price = asked.by_price
        best = (told.best(free) or free)[0]
        return f"The {told.by_price} {name}: {options(best)} at {money(best['price'])}."
    lead = f"{name}:" if fits else f"There is no {name}{told.in_words}. These come nearest:"
    if sold and not tells(words, "asks which"):  # a yes is only of what was heard, so it names that
        heard = told.in_words if told.values else ""
        answer = "Not at the moment. " if fits else "No. "
        lead = f"Yes, we have the {name}{heard}:" if free else f"{answer}{lead}"
    if task.intent == "product_count":
        lead = f"{len(free)} of {len(pool)} {name} options are available now:"
    shown = (free if sold else []) or fits or told.nearest(pool)
    lines = (
        f"{options(each)}: {money(each['price'])}{'' if each['available'] else ' (not available)'}"
        for each in sorted(shown, key=lambda each: not each["available"])
    )
    return f"{lead}\n\n{list_lines(lines, SHOWN)}"


def _spoken_of(task: Task, product: Json, fits: list[Json], current: Json | None) -> list[Json]:
    """The other variant that was spoken of before, the latest first, or the one that is owned."""
    for end in range(len(task.context), 0, -1):
        before = read_wanted(task.context[:end], product)
        found = [each for each in product["variants"].values() if before.is_met_by(each)]
        if len(found) == 1 and found != fits:
            return found
    return [current] if current and current["item_id"] != fits[0]["item_id"] else []


def _compare(words: Tokens, name: str, one: Json, other: Json) -> str:
    """The price of the other variant and what it costs more or less, with a yes or no first."""
    due = round(other["price"] - one["price"], 2)
    up, down = (GENERAL.tell(words, each) for each in ("goes up", "goes down"))
    amounts = {float(each) for each in words if "." in each}
    right = amounts <= {abs(due), one["price"], other["price"]} and (due > 0 if up else due < 0)
    yes = ("Yes. " if right else "No. ") if up != down and not tells(words, "asks which") else ""
    how = f"{money(abs(due))} {'more' if due > 0 else 'less'} than" if due else "the same as"
    costs = f"{name} ({options(other)}) costs {money(other['price'])}"
    return f"{yes}{costs}, {how} {options(one)} at {money(one['price'])}."

"""Which items of which order a return or an exchange is about."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agent.clerk.offers import ask_to_pick
from agent.clerk.remembering import Json
from agent.clerk.retail.catalogue import read_product
from agent.clerk.retail.manner import VERBS, tells
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.orders import (
    all_orders,
    named_orders,
    narrow,
    read_order,
    refusal,
    says_all,
    unknown_thing,
)
from agent.clerk.retail.things import (
    Mention,
    Owned,
    items_of,
    mentions,
    named_items,
    says_everything,
    says_several,
)
from agent.clerk.retail.wanted import read_wanted
from agent.clerk.retail.wording import a, item
from agent.clerk.steps import Ask, Choice, Settled
from agent.clerk.task import Task
from agent.clerk.understanding.tokens import has, tokens


def select_items(task: Task, memory: Memory, statuses: Collection[str]) -> list[Owned]:
    """The items to act on next, all of one order; none where all is done."""
    orders = _orders(task, memory)
    left = [each for each in orders if each["order_id"] not in task.written]
    usable = [each for each in left if each["status"] in statuses]
    if not usable:
        if task.written:
            return []
        named = [each for each in orders if _is_named(task, each)]
        raise Settled(refusal(task, named or orders, memory))
    found = _items(task, usable, orders, memory)
    if found is None:
        if task.written:
            return []
        if len(usable) == 1 and len(usable[0]["items"]) == 1:
            return items_of(usable)
        raise Settled(ask_items(task, items_of(usable)))
    if not found:
        return []
    first = found[0].order["order_id"]
    return [each for each in found if each.order["order_id"] == first]


def _orders(task: Task, memory: Memory) -> list[Json]:
    ids = named_orders(task, memory)
    if ids:
        return narrow_loosely(task, [read_order(memory, each) for each in ids])
    return narrow_loosely(task, all_orders(memory))


def narrow_loosely(task: Task, orders: list[Json]) -> list[Json]:
    """The orders that are meant; an item that is named elsewhere is not lost to "my order"."""
    plain = Task(task.intent, task.text, notes=task.notes, chosen=task.chosen)
    return narrow(plain, orders)


def _is_named(task: Task, order: Json) -> bool:
    return any(named_items(each, items_of([order])) for each in task.words)


def _items(
    task: Task, usable: Sequence[Json], orders: Sequence[Json], memory: Memory
) -> list[Owned] | None:
    """The items that were named, less those taken out again; None where none was named."""
    things = items_of(usable)
    if "items" in task.chosen:
        picked = [each for each in things if each.id == task.chosen["items"]]
        if picked and not _is_named_later(task, things):
            return picked
    kept: list[Owned] | None = None
    for place, text in enumerate(_by_variant(task, things, memory)):
        kept = _hear(task, text, kept, things, place)
    for text in reversed(task.context if kept is None else []):
        kept = _hear(task, text, None, things, 0) or None
        if kept:
            break
    if kept is None and task.items:
        kept = [each for each in things if each.id in task.items] or None
    if kept is None:
        elsewhere = [each for each in orders if _is_named(task, each)]
        if elsewhere and not task.written:
            raise Settled(refusal(task, elsewhere, memory))
        thing = unknown_thing(task, orders) if not task.written else ""
        if thing:
            raise Settled(ask_items(task, things, f"I don't find {a(thing)} in your orders. "))
        return None
    left = {each.id for each in _without_excepted(task, things)}
    return [each for each in kept if each.id in left]


def _without_excepted(task: Task, things: Sequence[Owned]) -> list[Owned]:
    out = {each.id for text in task.excepted for each in named_items(text, things)}
    return [each for each in things if each.id not in out]


def _by_variant(task: Task, things: Sequence[Owned], memory: Memory) -> list[str]:
    """The words, an item added where only the id of the variant wanted instead was told."""
    texts = []
    for text in task.words:
        ids = [each for each in tokens(text) if len(each) == 10 and each.isdigit()]
        if ids and not any(each.id in ids for each in things):
            for each in things:
                product = read_product(memory, str(each.item["product_id"]))
                if any(one in product["variants"] for one in ids):
                    text = f"{text} {each.id}"
        texts.append(text)
    return texts


def _is_named_later(task: Task, things: Sequence[Owned]) -> bool:
    return bool(task.notes) and bool(named_items(task.notes[-1], things))


def _hear(
    task: Task, text: str, kept: list[Owned] | None, things: Sequence[Owned], place: int
) -> list[Owned] | None:
    """The items after one more sentence about them."""
    words = tokens(text)
    if says_everything(text) and not (kept and place):
        wide = (
            says_all(task)
            or len(named_orders_in(task)) > 1
            or len({o.order["order_id"] for o in things}) == 1
        )
        if wide:
            kept = [*things]
    named = mentions(text, things)
    out = [each for one in named if _is_taken_out(one, place, kept) for each in one.found]
    taken = [one for one in named if not _is_taken_out(one, place, kept)]
    found: list[Owned] = []
    for one in taken:
        for each in _which(task, one, kept or []):
            if all(each.id != other.id or each.order is not other.order for other in found):
                found.append(each)
    if found and kept and place and not tells(words, "only"):
        kept = [*kept, *(each for each in found if all(each.id != o.id for o in kept))]
    elif found and not (says_everything(text) and kept):
        kept = found
    if out and kept:
        kept = [each for each in kept if all(each.id != other.id for other in out)]
    return kept


def named_orders_in(task: Task) -> list[str]:
    """The order ids in a task's words."""
    from agent.clerk.retail.orders import order_ids

    return [each for text in task.words for each in order_ids(text)]


def _is_taken_out(mention: Mention, place: int, kept: list[Owned] | None) -> bool:
    """Whether a mention is of what is to be left alone: "leave the dog bed"."""
    near = mention.before[-4:]
    if has(mention.after[:3], "is fine", "are fine", "stay", "stays", "can stay", "is ok"):
        return True
    return tells(near, "taken out") and not has(near, "only", "just") and not has(near, "back")


def _which(task: Task, mention: Mention, kept: Sequence[Owned]) -> list[Owned]:
    """Of several things of that name the one that the words around it tell."""
    hits = list(mention.found)
    if len({each.id for each in hits}) == 1 or len(hits) == 1:
        orders = {each.order["order_id"] for each in hits}
        return hits[:1] if len(orders) > 1 and not says_several(mention.before) else hits
    if task.items and (found := [each for each in hits if each.id in task.items]):
        return found
    chosen = [each for each in hits if each.id in task.chosen.values()]
    if chosen:
        return chosen
    before = [each for each in kept if any(each.id == other.id for other in hits)]
    if before:
        return before
    if says_several(mention.before) or has(mention.before, "all my"):
        scores = [_values_told(each, " ".join(mention.before)) for each in hits]
        return [each for each, score in zip(hits, scores, strict=True) if score == max(scores)]
    for text in (" ".join(mention.before), " ".join(mention.segment)):
        scores = [_values_told(each, text) for each in hits]
        top = max(scores)
        if top > 0 and scores.count(top) == 1:
            return [hits[scores.index(top)]]
    words = mention.segment
    if has(words, "more expensive", "most expensive", "expensive"):
        return [max(hits, key=lambda each: float(each.item["price"]))]
    if has(words, "cheaper", "cheapest"):
        return [min(hits, key=lambda each: float(each.item["price"]))]
    raise Settled(ask_items(task, hits))


def _values_told(each: Owned, text: str) -> int:
    """How many of an item's own option values a text has."""
    product = {"variants": {"": each.item}}
    told = read_wanted([text], product, None)
    return len(told.values)


def ask_items(task: Task, things: Sequence[Owned], lead: str = "") -> Ask:
    """Offer the items that may be meant, but for those that were said not to be."""
    things = _without_excepted(task, things) or things
    choices = [
        Choice(each.id, f"{item(each.item)}, in order {each.order['order_id']}") for each in things
    ]
    verb = VERBS.get(str(task.intent), "change")
    return ask_to_pick(f"{lead}Which items would you like to {verb}?", "items", task, choices)

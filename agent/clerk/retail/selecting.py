"""Which items of which order a return or an exchange is about."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agent.clerk.deciding.offers import ask_to_pick
from agent.clerk.retail.catalogue import read_product
from agent.clerk.retail.manner import VERBS, tells
from agent.clerk.retail.memory import Memory
from agent.clerk.retail.orders import (
    is_named,
    order_ids,
    orders_meant,
    refusal,
    says_all,
    unknown_thing,
    usable_orders,
)
from agent.clerk.retail.things import (
    Mention,
    Owned,
    is_taken_out,
    items_meant,
    items_of,
    mentions,
    says_everything,
    says_rest,
    says_several,
)
from agent.clerk.retail.wanted import read_wanted
from agent.clerk.retail.wording import a, item
from agent.clerk.state.steps import Ask, Choice, Settled
from agent.clerk.state.task import Task
from agent.clerk.understanding.tokens import has, tokens

_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_THEM = frozenset({"them", "those", "these"})


def select_items(task: Task, memory: Memory, statuses: Collection[str]) -> list[Owned]:
    """The items to act on next, all of one order; none where all is done."""
    orders = orders_meant(task, memory, for_items=True)
    usable = usable_orders(task, orders, statuses)
    things = items_of(usable)
    found = _items(task, things, memory)
    if found is None and not task.written:
        elsewhere = [each for each in orders if is_named(task, each)]
        if elsewhere and not any(each in usable for each in elsewhere):
            raise Settled(refusal(task, elsewhere, statuses))
        thing = unknown_thing(task, orders)
        if thing or len(things) > 1:
            lead = f"I don't find {a(thing)} in your orders. " if thing else ""
            raise Settled(ask_items(task, things, lead))
        found = things
    return [each for each in found if each.order is found[0].order] if found else []


def _items(task: Task, things: Sequence[Owned], memory: Memory) -> list[Owned] | None:
    """The items that were named, less those taken out again; None where none was named."""
    chosen = task.chosen.get("items")
    picked = [each for each in things if each.id == chosen]
    if chosen and not picked and task.written:
        return []
    if picked and not (task.notes and items_meant(task.notes[-1], things)):
        return picked
    kept: list[Owned] | None = None
    for place, text in enumerate(_by_variant(task, things, memory)):
        kept = _hear(task, text, kept, things, place)
    if kept is None:
        before = (_hear(task, text, None, things, 0) for text in reversed(task.context))
        pointed_at = [each for each in things if each.id in task.items]
        kept = next(filter(None, before), pointed_at or None)
    if kept is None:
        return None
    left = {each.id for each in _without_excepted(task, things)}
    return _few_enough(task, [each for each in kept if each.id in left])


def _few_enough(task: Task, kept: list[Owned]) -> list[Owned]:
    """The items, where only "two of them" are meant those that were told apart since.

    Settled with the question which, while they were not.
    """
    many = next(filter(None, map(_how_many, task.words)), len(kept))
    if len(kept) <= many:
        return kept
    since = {each.id for text in task.notes for each in items_meant(text, kept)}
    if not 0 < len(since) <= many:
        raise Settled(ask_items(task, kept))
    return [each for each in kept if each.id in since]


def _how_many(text: str) -> int:
    """How many of what it names a text means: "two of them"; 0 where it does not say."""
    words = tokens(text)
    for place, word in enumerate(words[:-2]):
        if words[place + 1] == "of" and words[place + 2] in _THEM:
            return int(word) if word.isdecimal() else _COUNTS.get(word, 0)
    return 0


def _without_excepted(task: Task, things: Sequence[Owned]) -> list[Owned]:
    out = {each.id for text in task.excepted for each in items_meant(text, things)}
    return [each for each in things if each.id not in out]


def _by_variant(task: Task, things: Sequence[Owned], memory: Memory) -> list[str]:
    """The words, an item added where only the id of the variant wanted instead was told."""
    texts = []
    for text in task.words:
        ids = {each for each in tokens(text) if len(each) == 10 and each.isdigit()}
        for each in things if ids and not ids & {each.id for each in things} else []:
            product = read_product(memory, str(each.item["product_id"]))
            text = f"{text} {each.id}" if ids & product["variants"].keys() else text
        texts.append(text)
    return texts


def _hear(
    task: Task, text: str, kept: list[Owned] | None, things: Sequence[Owned], place: int
) -> list[Owned] | None:
    """The items after one more sentence about them."""
    named = [each for each in mentions(text, things) if not each.of_order]
    out = {each.id for one in named if is_taken_out(one) for each in one.found}
    everything = says_everything(text) or (bool(out or task.excepted) and says_rest(text))
    one_order = len({each.order["order_id"] for each in things}) == 1
    every = one_order or says_all(task) or len(order_ids(task.all_words)) > 1
    if everything and every and (out or not (kept and place)):
        kept = [*things]
    told = [each for one in named if not is_taken_out(one) for each in _which(task, one, kept)]
    found = [*{(each.id, id(each.order)): each for each in told}.values()]
    if found and kept and place and not tells(tokens(text), "only"):
        known = {each.id for each in kept}
        kept = [*kept, *(each for each in found if each.id not in known)]
    elif found and not (everything and kept):
        kept = found
    return [each for each in kept if each.id not in out] if kept else kept


def _which(task: Task, mention: Mention, kept: Sequence[Owned] | None) -> list[Owned]:
    """Of several things of that name the one that the words around it tell."""
    hits, several = list(mention.found), says_several(mention.before)
    if len({each.id for each in hits}) == 1:
        return hits if several or len({e.order["order_id"] for e in hits}) == 1 else hits[:1]
    noted = tokens(" ".join(task.notes))
    for known in (task.items, task.chosen.values(), noted, [each.id for each in kept or ()]):
        found = [each for each in hits if each.id in known]
        if found:
            return found
    if several:
        return _most_told(hits, mention.before)
    for words in (mention.before, mention.segment):
        found = _most_told(hits, words)
        if len(found) == 1:
            return found
    by_price = sorted(hits, key=lambda each: float(each.item["price"]))
    if has(mention.segment, "expensive"):
        return by_price[-1:]
    if has(mention.segment, "cheaper", "cheapest"):
        return by_price[:1]
    raise Settled(ask_items(task, hits))


def _most_told(hits: Sequence[Owned], words: Sequence[str]) -> list[Owned]:
    """The items of which words tell the most option values."""
    text = " ".join(words)
    told = [len(read_wanted([text], {"variants": {"": e.item}}).values) for e in hits]
    return [each for each, count in zip(hits, told, strict=True) if count == max(told)]


def ask_items(task: Task, things: Sequence[Owned], lead: str = "") -> Ask:
    """Offer the items that may be meant, but for those that were said not to be."""
    things = _without_excepted(task, things) or things
    choices = [
        Choice(each.id, f"{item(each.item)}, in order {each.order['order_id']}") for each in things
    ]
    verb = VERBS.get(str(task.intent), "change")
    return ask_to_pick(f"{lead}Which items would you like to {verb}?", "items", task, choices)

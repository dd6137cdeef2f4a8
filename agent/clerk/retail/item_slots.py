"""Slot filling for items: which items of which order a return or an exchange is about."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agent.clerk.deciding.offers import ask_to_pick
from agent.clerk.retail.catalogue import read_product
from agent.clerk.retail.intent_data import VERBS, tells
from agent.clerk.retail.item_mentions import (
    Mention,
    OrderItem,
    is_excluded,
    items_meant,
    items_of,
    mentions,
    says_everything,
    says_rest,
    says_several,
)
from agent.clerk.retail.known_records import RetailRecords
from agent.clerk.retail.orders import (
    is_named,
    order_ids,
    orders_meant,
    refusal,
    says_all,
    unknown_thing,
    usable_orders,
)
from agent.clerk.retail.variant_slots import read_wanted
from agent.clerk.retail.wording import a, item
from agent.clerk.state.records import Json
from agent.clerk.state.steps import Choice, Question, Settled
from agent.clerk.state.task import Task
from agent.clerk.understanding.tokens import has, tokens

_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_THEM = frozenset({"them", "those", "these"})


def select_items(task: Task, records: RetailRecords, statuses: Collection[str]) -> list[OrderItem]:
    """The items to act on next, all from one order; empty if all is done.

    Raises Settled with a question or a refusal.
    """
    orders = orders_meant(task, records, for_items=True)
    usable = usable_orders(task, orders, statuses)
    things = items_of(usable)
    found = _items(task, things, records)
    if found is None and not task.written:
        elsewhere = [each for each in orders if is_named(task, each) or _holds(each, task.items)]
        if elsewhere and not any(each in usable for each in elsewhere):
            raise Settled(refusal(task, elsewhere, statuses))
        thing = unknown_thing(task, orders)
        if thing or len(things) > 1:
            lead = f"I can't find {a(thing)} in your orders. " if thing else ""
            raise Settled(ask_items(task, things, lead))
        found = things
    return [each for each in found if each.order is found[0].order] if found else []


def _holds(order: Json, ids: Collection[str]) -> bool:
    return any(each["item_id"] in ids for each in order["items"])


def _items(
    task: Task, things: Sequence[OrderItem], records: RetailRecords
) -> list[OrderItem] | None:
    """The mentioned items, less those the customer took out again; None if none was mentioned."""
    chosen = task.chosen.get("items")
    if chosen and task.written and chosen not in {each.id for each in things}:
        return []
    kept: list[OrderItem] | None = None
    for place, text in enumerate(_by_variant(task, things, records)):
        kept = _apply_sentence(task, text, kept, things, place)
    if kept is None and not task.written:
        before = (_apply_sentence(task, text, None, things, 0) for text in reversed(task.context))
        pointed_at = [each for each in things if each.id in task.items]
        kept = next(filter(None, before), pointed_at or None)
        out = {each for text in task.words for each in _taken_out(mentions(text, things))}
        kept = [each for each in kept if each.id not in out] if kept else None
    if kept is None:
        return None
    left = {each.id for each in _without_excepted(task, things)}
    return _few_enough(task, [each for each in kept if each.id in left])


def _taken_out(named: Sequence[Mention]) -> set[str]:
    return {each.id for one in named if is_excluded(one) for each in one.found}


def _few_enough(task: Task, kept: list[OrderItem]) -> list[OrderItem]:
    """The items, reduced to those named since if the customer wants only "two of them".

    Raises Settled with a question while it is open which ones are meant.
    """
    many = next(filter(None, map(_how_many, task.words)), len(kept))
    if len(kept) <= many:
        return kept
    since = {each.id for text in task.notes for each in items_meant(text, kept)}
    if not 0 < len(since) <= many:
        raise Settled(ask_items(task, kept))
    return [each for each in kept if each.id in since]


def _how_many(text: str) -> int:
    """The number in "two of them", or 0 if a text has none."""
    words = tokens(text)
    for place, word in enumerate(words[:-2]):
        if words[place + 1] == "of" and words[place + 2] in _THEM:
            return int(word) if word.isdecimal() else _COUNTS.get(word, 0)
    return 0


def _without_excepted(task: Task, things: Sequence[OrderItem]) -> list[OrderItem]:
    """The items without those taken out, except what was asked for again in a later message."""
    later = {text: task.notes if text in task.message else () for text in task.excepted}
    out = {each.id for text in later for each in items_meant(text, things)}
    again = [one for notes in later.values() for text in notes for one in mentions(text, things)]
    out -= {each.id for one in again if not is_excluded(one) for each in one.found}
    return [each for each in things if each.id not in out]


def _by_variant(task: Task, things: Sequence[OrderItem], records: RetailRecords) -> list[str]:
    """The task's sentences; one that gives only the wanted variant's id also gets the item's id."""
    texts = []
    for text in task.words:
        ids = {each for each in tokens(text) if len(each) == 10 and each.isdigit()}
        for each in things if ids and not ids & {each.id for each in things} else []:
            product = read_product(records, str(each.item["product_id"]))
            text = f"{text} {each.id}" if ids & product["variants"].keys() else text
        texts.append(text)
    return texts


def _apply_sentence(
    task: Task, text: str, kept: list[OrderItem] | None, things: Sequence[OrderItem], place: int
) -> list[OrderItem] | None:
    """The selected items after one more sentence about them."""
    named = [each for each in mentions(text, things) if not each.of_order]
    out = _taken_out(named)
    everything = says_everything(text) or (bool(out or task.excepted) and says_rest(text))
    one_order = len({each.order["order_id"] for each in things}) == 1
    every = one_order or says_all(task) or len(order_ids(task.all_words)) > 1
    if everything and every and (out or not (kept and place)):
        kept = [*things]
    told = [each for one in named if not is_excluded(one) for each in _which(task, one, kept)]
    found = [*{(each.id, id(each.order)): each for each in told}.values()]
    if found and kept and place and not tells(tokens(text), "only"):
        known = {each.id for each in kept}
        kept = [*kept, *(each for each in found if each.id not in known)]
    elif found and not (everything and kept):
        kept = found
    return [each for each in kept if each.id not in out] if kept else kept


def _which(task: Task, mention: Mention, kept: Sequence[OrderItem] | None) -> list[OrderItem]:
    """The items that a mention refers to, told apart by the words around it.

    Raises Settled with a question if several different items remain.
    """
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


def _most_told(hits: Sequence[OrderItem], words: Sequence[str]) -> list[OrderItem]:
    """The items for which the words give the most option values."""
    text = " ".join(words)
    told = [len(read_wanted([text], {"variants": {"": e.item}}).values) for e in hits]
    return [each for each, count in zip(hits, told, strict=True) if count == max(told)]


def ask_items(task: Task, things: Sequence[OrderItem], lead: str = "") -> Question:
    """A question that offers the candidate items, without those the customer ruled out."""
    things = _without_excepted(task, things) or things
    choices = [
        Choice(each.id, f"{item(each.item)}, in order {each.order['order_id']}") for each in things
    ]
    verb = VERBS.get(str(task.intent), "change")
    return ask_to_pick(f"{lead}Which items would you like to {verb}?", "items", task, choices)
